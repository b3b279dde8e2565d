import { helperRules } from '@pergola/pages';

/** Known shape of a template value. */
export interface Shape {
  /** Shape of the member with this name, or undefined if it doesn't exist. */
  get(name: string): Shape | undefined;
  /** Shape of the elements that `{{#each}}` iterates over. */
  item(): Shape;
  /** Existing names, for suggestions. */
  names(): readonly string[];
  /** Called when the value is passed on as a whole to something other than a template. */
  whole?(): void;
  /** JSON types of the value; several for a union, undefined if unknown. */
  readonly kinds?: ReadonlySet<string>;
}

/** An unknown value: any member may exist. */
export const unknownShape: Shape = { get: () => unknownShape, item: () => unknownShape, names: () => [] };
/** No value (null, or the elements of an empty list): its members are never read. */
export const emptyShape: Shape = { get: () => emptyShape, item: () => emptyShape, names: () => [] };
/** A string or a number. */
export const plain: Shape = {
  get: (name) => (name === 'length' ? plain : undefined),
  item: () => emptyShape,
  names: () => [],
};

/** A value without members: a string, a number, a boolean. */
export function scalar(kind: string): Shape {
  return { ...plain, kinds: new Set([kind]) };
}

/** A union; a member exists if one of the shapes has it, since the template is expected to check. */
export function either(shapes: readonly Shape[]): Shape {
  const members = [...new Set(shapes)].filter((shape) => shape !== emptyShape);
  const [first = emptyShape] = members;
  if (members.length < 2) return first;
  return {
    get(name) {
      const memberShapes = members.map((shape) => shape.get(name)).filter((shape) => shape !== undefined);
      return memberShapes.length > 0 ? either(memberShapes) : undefined;
    },
    item: () => either(members.map((shape) => shape.item())),
    names: () => [...new Set(members.flatMap((shape) => shape.names()))],
    whole: () => members.forEach((shape) => void shape.whole?.()),
    kinds: members.every(({ kinds }) => kinds)
      ? new Set(members.flatMap(({ kinds }) => [...(kinds ?? [])]))
      : undefined,
  };
}

/** Named values on top of those in `below`. */
function record(values: ReadonlyMap<string, Shape>, base?: Shape): Shape {
  return {
    get: (name) => values.get(name) ?? base?.get(name),
    item: () => either([...values.values()]),
    names: () => [...values.keys(), ...(base?.names() ?? [])],
    whole: () => [...values.values(), base].forEach((shape) => void shape?.whole?.()),
  };
}

/** A place where a template reads a name from a value. */
export interface NameReference {
  readonly template: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  /** As written: `question.closer.name`. */
  readonly path: string;
  /** Whether the name is read from the scope, not from another value. */
  readonly isHead: boolean;
}

export interface Reader {
  /** The template with this id including all patches, or undefined if it doesn't exist. */
  program(id: string): hbs.AST.Program | undefined;
  /** Reads a name from a value. `isSure`: it is used in every case, not only tested for existence. */
  ask(reference: NameReference, subject: Shape, isSure: boolean): Shape | undefined;
  /** Called for each island with the value passed as its props. */
  island?(place: { readonly template: string; readonly line: number; readonly island: string }, props: Shape): void;
}

/** Context of a piece of a template: its values, and the content its callers pass. */
interface Frame {
  readonly template: string;
  readonly scope: Shape;
  /** Scopes for `../`, innermost first. */
  readonly outer: readonly Shape[];
  readonly locals: ReadonlyMap<string, Shape>;
  readonly root: Shape;
  /** `{{> @partial-block}}`, and parts defined by `{{#*inline}}`. */
  readonly block?: Part;
  readonly parts: ReadonlyMap<string, Part>;
  /** Whether it is shown in every case. */
  readonly isSure: boolean;
  /** Templates being read, to stop recursion. */
  readonly within: readonly string[];
}
interface Part {
  readonly program: hbs.AST.Program;
  readonly frame: Frame;
  /** Scope of the partial that was called with this part. */
  readonly ownScope: Shape;
}

/** Walks through a template like Handlebars, with the known values, and reports every name it reads. */
export function readTemplate(reader: Reader, template: string, values: Shape): void {
  const program = reader.program(template);
  const frame = { template, scope: values, outer: [], locals: new Map(), root: values, parts: new Map() };
  if (program) new Reading(reader).program(program, { ...frame, isSure: true, within: [template] });
}

/** Those that may be called without a value, which helpers of addons may not. */
const helpers = helperRules();
/** Helpers that test whether a value exists. */
const tests: ReadonlySet<string> = new Set(['if', 'unless', 'and', 'or', 'not']);
/** Helpers whose result isn't a string. */
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
      // An island always shows its content.
      this.program(program, helper === 'island' ? frame : maybe);
      return;
    }
    const value = node.params[0] ? this.#value(node.params[0], frame) : emptyShape;
    const scope = helper === 'each' ? value.item() : value;
    const [first, second] = program.blockParams ?? [];
    const locals = new Map(frame.locals);
    if (first) locals.set(first, scope);
    if (second) locals.set(second, plain);
    this.program(program, { ...entered(maybe, scope), locals });
  }

  /** Result of a helper call, or of a printed value. */
  #call(node: Call, frame: Frame, isTest = false): Shape {
    const helper = pathOf(node.path)?.original ?? '';
    const isCall = node.type !== 'MustacheStatement' || node.params.length > 0 || Boolean(node.hash);
    if (!isCall && !helpers.has(helper)) return this.#value(node.path, frame, isTest);
    const { params, hash } = node;
    const argumentShapes = params.map((param) => this.#value(param, frame, isTest || tests.has(helper)));
    const options = this.#options(hash, frame);
    if (helper === 'object') return record(options);
    if (helper === 'or' || helper === 'and') return either(argumentShapes);
    if (helper === 'field' || helper === 'lookup')
      return this.#named(node, argumentShapes[0] ?? emptyShape, params[1], frame);
    if (helper === 'join') {
      const key = hash?.pairs.find((pair) => pair.key === 'key')?.value;
      if (key) this.#named(node, argumentShapes[0]?.item() ?? emptyShape, key, frame);
    }
    for (const value of [...argumentShapes, ...options.values()]) value.whole?.();
    const [name] = params;
    if (helper === 'island' && name && isType<hbs.AST.StringLiteral>(name, 'StringLiteral')) {
      const place = { template: frame.template, line: node.loc.start.line, island: name.value };
      this.#reader.island?.(place, argumentShapes[1] ?? record(new Map()));
    }
    return unknownResult.has(helper) || !helpers.has(helper) ? unknownShape : plain;
  }

  /** Reads a name given as a string: `{{field row "name"}}`. */
  #named(node: hbs.AST.Node, subject: Shape, name: hbs.AST.Expression | undefined, frame: Frame): Shape {
    const text = name && isType<hbs.AST.StringLiteral>(name, 'StringLiteral') ? name.value : undefined;
    if (text === undefined) subject.whole?.();
    return text === undefined ? unknownShape : this.#ask(subject, text, { node: name ?? node, path: text }, frame);
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
    const scope = path.depth === 0 ? frame.scope : (frame.outer[path.depth - 1] ?? unknownShape);
    return this.#follow(scope, path.parts, path, frame, isTest);
  }

  #follow(from: Shape, parts: readonly string[], path: hbs.AST.PathExpression, frame: Frame, isTest: boolean): Shape {
    let value = from;
    for (const [index, name] of parts.entries()) {
      const lookup = { node: path, path: path.original, isHead: index === 0, isTest };
      value = this.#ask(value, name, lookup, frame);
    }
    return value;
  }

  #ask(
    subject: Shape,
    name: string,
    {
      node,
      path,
      isHead = true,
      isTest = false,
    }: { node: hbs.AST.Node; path: string; isHead?: boolean; isTest?: boolean },
    { template, isSure }: Frame,
  ): Shape {
    if (subject === emptyShape) return emptyShape;
    const { line, column } = node.loc.start;
    return this.#reader.ask({ template, line, column, name, path, isHead }, subject, isSure && !isTest) ?? emptyShape;
  }

  #partial(
    node: hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement,
    body: hbs.AST.Program | undefined,
    frame: Frame,
  ): void {
    const name = pathOf(node.name as hbs.AST.Expression)?.original ?? '';
    const [param] = node.params;
    const input = param ? this.#value(param, frame) : frame.scope;
    const options = this.#options(node.hash, frame);
    // With arguments, a partial sees only these, unless it takes a body.
    const scope = options.size === 0 ? input : record(options, param || body ? input : undefined);
    const outerFrame = entered(frame, input);
    const parts = body ? partsOf(body, outerFrame, scope) : frame.parts;
    const block = body ? { program: body, frame: outerFrame, ownScope: scope } : undefined;
    const part = name === '@partial-block' ? frame.block : frame.parts.get(name);
    if (part) {
      // A body sees the scope around it, unless the partial passes it another value.
      const seen = scope === part.ownScope ? part.frame : entered(part.frame, scope);
      this.program(part.program, { ...seen, isSure: frame.isSure, within: frame.within });
      return;
    }
    const program = this.#reader.program(name);
    if (program && frame.within.filter((template) => template === name).length < 2) {
      const partialFrame = { template: name, scope, outer: [], locals: new Map(), root: frame.root, block, parts };
      this.program(program, { ...partialFrame, isSure: frame.isSure, within: [...frame.within, name] });
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

/** Neither `this.x` nor `../x`: could be a helper or a value of `as |x|`. */
function isBare({ depth, data, original }: hbs.AST.PathExpression): boolean {
  return depth === 0 && !data && !/^(this\b|\.)/.test(original);
}

function entered(frame: Frame, scope: Shape): Frame {
  return scope === frame.scope ? frame : { ...frame, scope, outer: [frame.scope, ...frame.outer] };
}

function partsOf(
  program: hbs.AST.Program | undefined,
  frame: Frame,
  ownScope: Shape = frame.scope,
): ReadonlyMap<string, Part> {
  const parts = new Map(frame.parts);
  for (const node of program?.body ?? []) {
    if (!isDecorator(node)) continue;
    const [name] = node.params;
    if (name && isType<hbs.AST.StringLiteral>(name, 'StringLiteral'))
      parts.set(name.value, { program: node.program, frame, ownScope });
  }
  return parts;
}
