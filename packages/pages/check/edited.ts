import { closest } from '@pergola/core';
import Handlebars from 'handlebars';
import type { HelperRules, ValueKind } from '../helpers/rules.ts';
import { parseSource } from '../source/source.ts';
import { checkHandlebars } from './handlebars.ts';
import { checkMarkup } from './markup.ts';

/** Reason why an edited source is rejected. */
export interface EditedFault {
  /** Lines and columns are counted from 1. */
  readonly line: number;
  readonly column: number;
  /** `unknown`: a value, helper or part that the default source doesn't use; `raw`: printed without escaping; `broken`: can't be parsed. */
  readonly kind: 'unknown' | 'raw' | 'broken';
  /** The unknown name. */
  readonly name: string;
  /** The most similar known name, or empty. */
  readonly near: string;
  /** For developers: description of the error. */
  readonly detail: string;
}

/** Names available to an edited source: the names of the default source, and basic logic. */
export interface Vocabulary {
  readonly values: ReadonlySet<string>;
  readonly helpers: ReadonlySet<string>;
  readonly partials: ReadonlySet<string>;
  /** Values that are lists, and values used only as conditions. */
  readonly lists: ReadonlySet<string>;
  readonly conditions: ReadonlySet<string>;
  /** Values that helpers require to be of a certain kind. */
  readonly kinds: ReadonlyMap<string, ValueKind>;
}

/** Helpers that reveal nothing about the site or its visitors and use only their arguments. */
const plainHelpers = [
  'if',
  'unless',
  'each',
  'with',
  'eq',
  'not',
  'and',
  'or',
  't',
  'greeting',
  'plural',
  'concat',
  'join',
] as const;
/** Elements that don't belong in emails and texts, and could load, run or hide something. */
const refusedElement =
  /<\s*(script|style|iframe|object|embed|form|input|button|textarea|select|link|meta|base|svg|math)\b/i;

/** Names used by default sources. The first source is the one being edited; the others are parts shown with all its values. */
export function vocabularyOf(sources: readonly string[], rules: HelperRules): Vocabulary {
  const reader = new Names(rules);
  for (const source of sources) reader.accept(Handlebars.parse(source));
  return {
    values: reader.values,
    helpers: new Set([...plainHelpers, ...reader.helpers]),
    partials: reader.partials,
    lists: reader.lists,
    conditions: reader.conditions.difference(reader.printed),
    kinds: reader.kinds,
  };
}

/** All problems of an edited source; an empty list means that it can be rendered with the default one's values. */
export function checkEdited(source: string, vocabulary: Vocabulary, rules: HelperRules): readonly EditedFault[] {
  const { readable, faults } = checkHandlebars(source, rules);
  const broken = (offset: number, detail: string): EditedFault => ({
    ...placeOf(source, offset),
    kind: 'broken',
    name: '',
    near: '',
    detail,
  });
  if (!readable) return faults.map(({ offset, message }) => broken(offset, message));
  const reader = new Names(rules);
  reader.accept(Handlebars.parse(source));
  const unknown = reader.found
    .filter(({ of: kind, name }) => !vocabulary[kind].has(name))
    .map(({ of: kind, ...place }): EditedFault => {
      return { ...place, kind: 'unknown', near: closest(place.name, vocabulary[kind]) ?? '', detail: '' };
    });
  const raw = reader.raw.map((place): EditedFault => ({ ...place, kind: 'raw', near: '', detail: '' }));
  // Unknown names have specific messages, so other problems are left out.
  if (unknown.length + raw.length > 0) return [...unknown, ...raw];
  const markup = [...faults];
  try {
    markup.push(...checkMarkup(parseSource(source), rules));
  } catch (error) {
    markup.push({ offset: 0, message: error instanceof Error ? error.message : String(error) });
  }
  const element = refusedElement.exec(source);
  if (element) markup.push({ offset: element.index, message: `<${element[1]}> has no place in a mail.` });
  return markup.map(({ offset, message }) => broken(offset, message));
}

interface SampleTime {
  readonly now: Date;
  readonly timezone: string;
}

const samples: Readonly<Record<ValueKind, (time: SampleTime) => unknown>> = {
  number: () => 2,
  moment: ({ now }) => now,
  zone: ({ timezone }) => timezone,
  amount: () => 1_250,
  currency: () => ({ code: 'EUR', digits: 2, symbol: '€', position: 'after' }),
  list: () => ['[1]', '[2]'],
};

/** Sample values for an edited source: the value's name where any text will do, and two rows for lists. */
export function sampleOf({ values, lists, conditions, kinds }: Vocabulary, time: SampleTime): Record<string, unknown> {
  const sample: Record<string, unknown> = {};
  for (const path of [...values].toSorted((a, b) => a.length - b.length)) {
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    let parent = sample;
    for (const part of parts) {
      const next = parent[part];
      const child = typeof next === 'object' && next !== null ? next : {};
      parent[part] = child;
      parent = child as Record<string, unknown>;
    }
    const kind = kinds.get(path);
    parent[last] = conditions.has(path) ? true : kind ? samples[kind](time) : isAddress(last) ? '/' : `[${path}]`;
  }
  const row = { ...sample };
  for (const path of lists) if (!path.includes('.')) sample[path] = [row, row];
  return sample;
}

function isAddress(name: string): boolean {
  return ['path', 'url', 'file'].includes(name);
}

/** A name with its position. */
type Found = Pick<EditedFault, 'name' | 'line' | 'column'>;

/** Collects the names used in a source, except those it defines itself (parts, row names). */
class Names extends Handlebars.Visitor {
  readonly values = new Set<string>();
  readonly helpers = new Set<string>();
  readonly partials = new Set<string>();
  readonly lists = new Set<string>();
  readonly conditions = new Set<string>();
  /** Values used for more than a condition. */
  readonly printed = new Set<string>();
  readonly kinds = new Map<string, ValueKind>();
  readonly found: (Found & { readonly of: 'values' | 'helpers' | 'partials' })[] = [];
  readonly raw: Found[] = [];
  readonly #rules: HelperRules;
  readonly #own = new Set<string>();

  constructor(rules: HelperRules) {
    super();
    this.#rules = rules;
  }

  override Program(program: hbs.AST.Program): void {
    for (const name of program.blockParams ?? []) this.#own.add(name);
    super.Program(program);
  }

  override MustacheStatement(node: hbs.AST.MustacheStatement): void {
    const name = 'original' in node.path ? String(node.path.original) : '';
    if (!node.escaped) this.raw.push(foundAt(name, node));
    this.#call(node);
  }

  override SubExpression(node: hbs.AST.SubExpression): void {
    this.#call(node);
  }

  override BlockStatement(node: hbs.AST.BlockStatement): void {
    const name = 'original' in node.path ? String(node.path.original) : '';
    const [first] = node.params;
    const path = first?.type === 'PathExpression' && 'parts' in first ? (first.parts as string[]).join('.') : '';
    if (path && name === 'each') this.lists.add(path);
    const isCondition = path !== '' && (name === 'if' || name === 'unless');
    const wasPrinted = this.printed.has(path);
    this.#call(node);
    if (isCondition) {
      this.conditions.add(path);
      if (!wasPrinted) this.printed.delete(path);
    }
    this.acceptKey(node, 'program');
    this.acceptKey(node, 'inverse');
  }

  override PartialStatement(node: hbs.AST.PartialStatement): void {
    this.#partial(node);
  }

  override PartialBlockStatement(node: hbs.AST.PartialBlockStatement): void {
    this.#partial(node);
    this.acceptKey(node, 'program');
  }

  override DecoratorBlock(node: hbs.AST.DecoratorBlock): void {
    const [param] = node.params;
    this.#note('partials', param && 'value' in param ? String(param.value) : '', node);
    this.acceptKey(node, 'program');
  }

  override PathExpression(path: hbs.AST.PathExpression): void {
    if (path.data) {
      if (!['index', 'first', 'last', 'key'].includes(path.parts.join('.'))) this.#note('values', path.original, path);
      return;
    }
    const [head] = path.parts;
    if (head === undefined || this.#own.has(String(head))) return;
    const name = path.parts.join('.');
    this.printed.add(name);
    this.#note('values', name, path);
  }

  #call(node: hbs.AST.MustacheStatement | hbs.AST.SubExpression | hbs.AST.BlockStatement): void {
    const { path, params, hash } = node;
    const isPath = path.type === 'PathExpression' && 'parts' in path;
    const simple =
      isPath && path.parts.length === 1 && path.depth === 0 && !path.data && !path.original.startsWith('this');
    const isCalled = params.length > 0 || hash !== undefined || node.type !== 'MustacheStatement';
    if (isPath && ((simple && this.#rules.has(path.original)) || isCalled)) this.#note('helpers', path.original, node);
    else this.accept(path);
    const needs = isPath ? this.#rules.get(path.original)?.needs : undefined;
    if (needs) {
      for (const [position, param] of params.entries()) this.#need(needs[position], param);
      for (const { key, value } of hash?.pairs ?? []) this.#need(needs[key], value);
    }
    for (const param of params) this.accept(param);
    if (hash) this.accept(hash);
  }

  #need(kind: ValueKind | undefined, node: hbs.AST.Node): void {
    if (kind && node.type === 'PathExpression' && 'parts' in node && Array.isArray(node.parts))
      this.kinds.set(node.parts.join('.'), kind);
  }

  #partial(node: hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement): void {
    this.#note('partials', 'original' in node.name ? String(node.name.original) : '', node);
    for (const param of node.params) this.accept(param);
    if (node.hash) this.accept(node.hash);
  }

  #note(kind: 'values' | 'helpers' | 'partials', name: string, node: hbs.AST.Node): void {
    this[kind].add(name);
    this.found.push({ of: kind, ...foundAt(name, node) });
  }
}

function foundAt(name: string, { loc }: hbs.AST.Node): Found {
  return { name, line: loc.start.line, column: loc.start.column + 1 };
}

function placeOf(source: string, offset: number): Pick<EditedFault, 'line' | 'column'> {
  const linesBefore = source.slice(0, offset).split('\n');
  return { line: linesBefore.length, column: (linesBefore.at(-1)?.length ?? 0) + 1 };
}
