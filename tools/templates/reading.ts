import { helperRules } from '@pergola/pages';

/** What a value of a template may be, as far as it is known. */
export interface Shape {
  /** The value of that name in it; undefined where there is none. */
  get(name: string): Shape | undefined;
  /** What `{{#each}}` goes over. */
  item(): Shape;
  /** The names in it, for those who ask for another. */
  names(): readonly string[];
  /** Handed on as a whole to what is no template. */
  whole?(): void;
  /** What JSON calls a value of this kind, several if it may be either; undefined if that isn't known. */
  readonly kinds?: ReadonlySet<string>;
}

/** Anything: whatever is asked for may be there. */
export const anything: Shape = { get: () => anything, item: () => anything, names: () => [] };
/** No value at all (null, the items of an empty list): nobody gets as far as asking. */
export const nothing: Shape = { get: () => nothing, item: () => nothing, names: () => [] };
/** A text or a number. */
export const plain: Shape = {
  get: (name) => (name === 'length' ? plain : undefined),
  item: () => nothing,
  names: () => [],
};

/** A value of a kind that has no members: a text, a number, a boolean. */
export function scalar(kind: string): Shape {
  return { ...plain, kinds: new Set([kind]) };
}

/** One of several; a name is there when one of them has it, since the template asks which it is. */
export function either(shapes: readonly Shape[]): Shape {
  const some = [...new Set(shapes)].filter((shape) => shape !== nothing);
  const [first = nothing] = some;
  if (some.length < 2) return first;
  return {
    get(name) {
      const found = some.map((shape) => shape.get(name)).filter((shape) => shape !== undefined);
      return found.length > 0 ? either(found) : undefined;
    },
    item: () => either(some.map((shape) => shape.item())),
    names: () => [...new Set(some.flatMap((shape) => shape.names()))],
    whole: () => some.forEach((shape) => void shape.whole?.()),
    kinds: some.every(({ kinds }) => kinds) ? new Set(some.flatMap(({ kinds }) => [...(kinds ?? [])])) : undefined,
  };
}

/** Values under names, over those of `below`. */
function record(values: ReadonlyMap<string, Shape>, below?: Shape): Shape {
  return {
    get: (name) => values.get(name) ?? below?.get(name),
    item: () => either([...values.values()]),
    names: () => [...values.keys(), ...(below?.names() ?? [])],
    whole: () => [...values.values(), below].forEach((shape) => void shape?.whole?.()),
  };
}

/** A place where a template asks a value for a name. */
export interface Asked {
  readonly template: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  /** As it is written: `question.closer.name`. */
  readonly path: string;
  /** Whether the name is asked for by itself, and not of a value that was found. */
  readonly isHead: boolean;
}

export interface Reader {
  /** The template of an id, with the changes of all addons; undefined when there is none. */
  program(id: string): hbs.AST.Program | undefined;
  /** Asks a value for a name. `isSure`: it is used whatever the values are, and not only looked at for whether it is there. */
  ask(place: Asked, of: Shape, isSure: boolean): Shape | undefined;
  /** Told of each island and the value it gets as its props. */
  island?(place: { readonly template: string; readonly line: number; readonly island: string }, props: Shape): void;
}

/** Where a piece of a template is read: what it sees, and what its callers hand to it. */
interface Frame {
  readonly template: string;
  readonly scope: Shape;
  /** What `../` leads to, the nearest first. */
  readonly outer: readonly Shape[];
  readonly locals: ReadonlyMap<string, Shape>;
  readonly root: Shape;
  /** `{{> @partial-block}}` and the parts that `{{#*inline}}` defines. */
  readonly block?: Part;
  readonly parts: ReadonlyMap<string, Part>;
  /** Whether it is shown whatever the values are. */
  readonly isSure: boolean;
  /** The templates that are being read, for those that show themselves. */
  readonly within: readonly string[];
}
interface Part {
  readonly program: hbs.AST.Program;
  readonly frame: Frame;
  /** What the partial sees that was called with it. */
  readonly own: Shape;
}

/** Goes through a template as Handlebars would, with what is known of its values, and tells what it asks them for. */
export function readTemplate(reader: Reader, template: string, values: Shape): void {
  const program = reader.program(template);
  const frame = { template, scope: values, outer: [], locals: new Map(), root: values, parts: new Map() };
  if (program) new Reading(reader).program(program, { ...frame, isSure: true, within: [template] });
}

const helpers = helperRules();
/** Helpers that look whether a value is there. */
const tests: ReadonlySet<string> = new Set(['if', 'unless', 'and', 'or', 'not']);
/** What helpers make that is no text. */
const unknownResult: ReadonlySet<string> = new Set(['attribute', 'lookup']);

class Reading {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  program(program: hbs.AST.Program | undefined, frame: Frame): void {
    const inner = { ...frame, parts: partsOf(program, frame) };
    for (const statement of program?.body ?? []) this.#statement(statement, inner);
  }

  #statement(node: hbs.AST.Statement, frame: Frame): void {
    if (isType<hbs.AST.MustacheStatement>(node, 'MustacheStatement')) this.#call(node, frame);
    else if (isType<hbs.AST.BlockStatement>(node, 'BlockStatement')) this.#block(node, frame);
    else if (isType<hbs.AST.PartialStatement>(node, 'PartialStatement')) this.#partial(node, undefined, frame);
    else if (isType<hbs.AST.PartialBlockStatement>(node, 'PartialBlockStatement'))
      this.#partial(node, node.program, frame);
  }

  #block(node: hbs.AST.BlockStatement, frame: Frame): void {
    const helper = pathOf(node.path)?.original;
    const { program, inverse } = node;
    const maybe = { ...frame, isSure: false };
    this.program(inverse, maybe);
    if (helper !== 'each' && helper !== 'with') {
      this.#call(node, frame);
      // An island shows what it holds.
      this.program(program, helper === 'island' ? frame : maybe);
      return;
    }
    const value = node.params[0] ? this.#value(node.params[0], frame) : nothing;
    const scope = helper === 'each' ? value.item() : value;
    const [first, second] = program.blockParams ?? [];
    const locals = new Map(frame.locals);
    if (first) locals.set(first, scope);
    if (second) locals.set(second, plain);
    this.program(program, { ...entered(maybe, scope), locals });
  }

  /** What a call of a helper, or a value that is printed, answers. */
  #call(node: Call, frame: Frame, isTest = false): Shape {
    const helper = pathOf(node.path)?.original ?? '';
    if (!helpers.has(helper)) return this.#value(node.path, frame, isTest);
    const { params, hash } = node;
    const given = params.map((param) => this.#value(param, frame, isTest || tests.has(helper)));
    const options = this.#options(hash, frame);
    if (helper === 'object') return record(options);
    if (helper === 'or' || helper === 'and') return either(given);
    if (helper === 'field' || helper === 'lookup') return this.#named(node, given[0] ?? nothing, params[1], frame);
    if (helper === 'join') {
      const key = hash?.pairs.find((pair) => pair.key === 'key')?.value;
      if (key) this.#named(node, given[0]?.item() ?? nothing, key, frame);
    }
    for (const value of [...given, ...options.values()]) value.whole?.();
    const [name] = params;
    if (helper === 'island' && name && isType<hbs.AST.StringLiteral>(name, 'StringLiteral')) {
      const place = { template: frame.template, line: node.loc.start.line, island: name.value };
      this.#reader.island?.(place, given[1] ?? record(new Map()));
    }
    return unknownResult.has(helper) ? anything : plain;
  }

  /** A value asked for a name that is written as a text: `{{field row "name"}}`. */
  #named(node: hbs.AST.Node, of: Shape, name: hbs.AST.Expression | undefined, frame: Frame): Shape {
    const text = name && isType<hbs.AST.StringLiteral>(name, 'StringLiteral') ? name.value : undefined;
    if (text === undefined) of.whole?.();
    return text === undefined ? anything : this.#ask(of, text, { node: name ?? node, path: text }, frame);
  }

  #options(hash: hbs.AST.Hash | undefined, frame: Frame): Map<string, Shape> {
    return new Map((hash?.pairs ?? []).map(({ key, value }) => [key, this.#value(value, frame)]));
  }

  #value(node: hbs.AST.Expression, frame: Frame, isTest = false): Shape {
    if (isType<hbs.AST.SubExpression>(node, 'SubExpression')) return this.#call(node, frame, isTest);
    const path = pathOf(node);
    if (!path) return constantShape(node);
    const [head = '', ...rest] = path.parts;
    if (path.data) return head === 'root' ? this.#follow(frame.root, rest, path, frame, isTest) : plain;
    if (isBare(path)) {
      const local = frame.locals.get(head);
      if (local) return this.#follow(local, rest, path, frame, isTest);
    }
    const scope = path.depth === 0 ? frame.scope : (frame.outer[path.depth - 1] ?? anything);
    return this.#follow(scope, path.parts, path, frame, isTest);
  }

  #follow(from: Shape, parts: readonly string[], path: hbs.AST.PathExpression, frame: Frame, isTest: boolean): Shape {
    let value = from;
    for (const [at, name] of parts.entries()) {
      const about = { node: path, path: path.original, isHead: at === 0, isTest };
      value = this.#ask(value, name, about, frame);
    }
    return value;
  }

  #ask(
    of: Shape,
    name: string,
    {
      node,
      path,
      isHead = true,
      isTest = false,
    }: { node: hbs.AST.Node; path: string; isHead?: boolean; isTest?: boolean },
    { template, isSure }: Frame,
  ): Shape {
    if (of === nothing) return nothing;
    const { line, column } = node.loc.start;
    return this.#reader.ask({ template, line, column, name, path, isHead }, of, isSure && !isTest) ?? nothing;
  }

  #partial(
    node: hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement,
    body: hbs.AST.Program | undefined,
    frame: Frame,
  ): void {
    const name = pathOf(node.name as hbs.AST.Expression)?.original ?? '';
    const [param] = node.params;
    const given = param ? this.#value(param, frame) : frame.scope;
    const options = this.#options(node.hash, frame);
    // Called with arguments it sees these alone, unless it takes a body.
    const scope = options.size === 0 ? given : record(options, param || body ? given : undefined);
    const around = entered(frame, given);
    const parts = body ? partsOf(body, around, scope) : frame.parts;
    const block = body ? { program: body, frame: around, own: scope } : undefined;
    const part = name === '@partial-block' ? frame.block : frame.parts.get(name);
    if (part) {
      // A body sees what is around it, unless the partial hands it a value of its own.
      const seen = scope === part.own ? part.frame : entered(part.frame, scope);
      this.program(part.program, { ...seen, isSure: frame.isSure, within: frame.within });
      return;
    }
    const program = this.#reader.program(name);
    if (program && frame.within.filter((one) => one === name).length < 2) {
      const own = { template: name, scope, outer: [], locals: new Map(), root: frame.root, block, parts };
      this.program(program, { ...own, isSure: frame.isSure, within: [...frame.within, name] });
    } else if (!program) this.program(body, frame);
  }
}

type Call = hbs.AST.MustacheStatement | hbs.AST.SubExpression | hbs.AST.BlockStatement;

function isDecorator(node: hbs.AST.Node): node is hbs.AST.DecoratorBlock {
  return node.type === 'DecoratorBlock';
}

function isType<T extends hbs.AST.Node>(node: hbs.AST.Node, type: T['type']): node is T {
  return node.type === type;
}

function pathOf(node: hbs.AST.Node): hbs.AST.PathExpression | undefined {
  return isType<hbs.AST.PathExpression>(node, 'PathExpression') ? node : undefined;
}

function constantShape({ type }: hbs.AST.Expression): Shape {
  const kind = { StringLiteral: 'string', NumberLiteral: 'number', BooleanLiteral: 'boolean' }[type];
  return kind === undefined ? plain : scalar(kind);
}

/** Neither `this.x` nor `../x`: it may name a helper or a value of `as |x|`. */
function isBare({ depth, data, original }: hbs.AST.PathExpression): boolean {
  return depth === 0 && !data && !/^(this\b|\.)/.test(original);
}

function entered(frame: Frame, scope: Shape): Frame {
  return scope === frame.scope ? frame : { ...frame, scope, outer: [frame.scope, ...frame.outer] };
}

function partsOf(
  program: hbs.AST.Program | undefined,
  frame: Frame,
  own: Shape = frame.scope,
): ReadonlyMap<string, Part> {
  const parts = new Map(frame.parts);
  for (const node of program?.body ?? []) {
    if (!isDecorator(node)) continue;
    const [name] = node.params;
    if (name && isType<hbs.AST.StringLiteral>(name, 'StringLiteral'))
      parts.set(name.value, { program: node.program, frame, own });
  }
  return parts;
}
