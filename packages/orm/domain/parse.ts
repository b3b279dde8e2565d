import { type ErrorDetails, InvalidInput, Now, WrongCode } from '@pergola/core';
import { fill } from '@pergola/texts';
import { searchWords } from '../search/words.ts';
import type { Operator } from '../types.ts';

/** One condition; `index` is the position of its value in the parsed values. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly path: readonly string[];
  readonly operator: Operator;
  readonly value: ValueShape;
  readonly index: number;
}

/** A domain as a tree. */
export type DomainNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and' | 'or'; readonly nodes: readonly DomainNode[] }
  | { readonly kind: 'not'; readonly node: DomainNode }
  | Leaf;

/**
 * The part of a value that decides the SQL; equal shapes share it. `empty` is null, `text` a string, `moment` a date that stands for now,
 * `one` any other single value; for lists, the shape depends on their members.
 */
export interface ValueShape {
  readonly kind: 'empty' | 'false' | 'true' | 'text' | 'one' | 'moment' | 'list';
  /** Number of values other than empty, false and true; 2 means two or more. */
  readonly count: 0 | 1 | 2;
  readonly hasEmpty: boolean;
  readonly hasFalse: boolean;
  readonly hasTrue: boolean;
}

export interface ParsedDomain {
  readonly node: DomainNode;
  /** Equal for domains that differ only in their values. */
  readonly shape: string;
  /** The leaves' values by index; lists without their empty and boolean members. */
  readonly values: readonly unknown[];
}

/** Limits on a domain's size and depth. */
export interface DomainLimits {
  readonly leaves: number;
  readonly depth: number;
  /** Members of one list. */
  readonly list: number;
}

/** Marks a text for translation. */
const t = (text: string): string => text;

const codeLimits: DomainLimits = { leaves: 2_000, depth: 1_000, list: 100_000 };

const operators: ReadonlySet<string> = new Set<Operator>([
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'not in',
  'like',
  'not like',
  'ilike',
  'not ilike',
  '=like',
  '=ilike',
  'child_of',
  'parent_of',
  'matches',
]);

export const allRecords: ParsedDomain = { node: { kind: 'all' }, shape: '*', values: Object.freeze([]) };
export const noRecords: ParsedDomain = { node: { kind: 'none' }, shape: '0', values: Object.freeze([]) };

/**
 * Parses a prefix list. Adjacent terms are AND-ed; `[1, '=', 1]` matches everything and `[0, '=', 1]` nothing, as in Odoo.
 *
 * @throws InvalidInput (`core.bad_domain`) naming the unreadable part; without limits, WrongCode for invalid conditions, fields and
 * operators.
 */
export function parseDomain(domain: readonly unknown[], limits: DomainLimits = codeLimits): ParsedDomain {
  if (domain.length === 0) return allRecords;
  const reader = new Reader(domain, limits);
  const terms: DomainNode[] = [];
  while (!reader.atEnd) terms.push(reader.term(0));
  const node = join('and', terms);
  return { node, shape: shapeOf(node), values: reader.values };
}

/** Joins trees, dropping terms without effect. */
function join(kind: 'and' | 'or', nodes: readonly DomainNode[]): DomainNode {
  const [neutral, absorbing] = kind === 'and' ? (['all', 'none'] as const) : (['none', 'all'] as const);
  const terms: DomainNode[] = [];
  for (const node of nodes) {
    if (node.kind === absorbing) return node;
    if (node.kind === kind) terms.push(...node.nodes);
    else if (node.kind !== neutral) terms.push(node);
  }
  const [only] = terms;
  if (!only) return { kind: neutral };
  return terms.length === 1 ? only : { kind, nodes: terms };
}

/** Joins several parsed domains into one. */
export function joinParsed(kind: 'and' | 'or', domains: readonly ParsedDomain[]): ParsedDomain {
  const values: unknown[] = [];
  const nodes = domains.map((domain) => {
    const moved = shifted(domain.node, values.length);
    values.push(...domain.values);
    return moved;
  });
  const node = join(kind, nodes);
  return { node, shape: shapeOf(node), values };
}

function shifted(node: DomainNode, offset: number): DomainNode {
  if (offset === 0) return node;
  if (node.kind === 'leaf') return { ...node, index: node.index + offset };
  if (node.kind === 'not') return { ...node, node: shifted(node.node, offset) };
  return node.kind === 'and' || node.kind === 'or'
    ? { ...node, nodes: node.nodes.map((inner) => shifted(inner, offset)) }
    : node;
}

/** Converts a parsed domain back to a prefix list; with a `field`, for records whose field points to the domain's records. */
export function writtenOut({ node, values }: Omit<ParsedDomain, 'shape'>, ...field: readonly string[]): unknown[] {
  const write = (part: DomainNode): unknown[] => {
    if (part.kind === 'all' || part.kind === 'none') return [[part.kind === 'all' ? 1 : 0, '=', 1]];
    if (part.kind === 'not') return ['!', ...write(part.node)];
    if (part.kind === 'leaf') return [[[...field, ...part.path].join('.'), part.operator, restoredValue(part, values)]];
    const joints = part.nodes.slice(1).map(() => (part.kind === 'and' ? '&' : '|'));
    return [...joints, ...part.nodes.flatMap(write)];
  };
  return node.kind === 'all' ? [] : write(node);
}

/** Restores the empty and boolean members that parsing removes from lists. */
function restoredValue({ value, index }: Leaf, values: readonly unknown[]): unknown {
  const parsedValue = values[index];
  if (value.kind !== 'list' || !Array.isArray(parsedValue)) return parsedValue;
  const { hasEmpty, hasFalse, hasTrue } = value;
  return [...parsedValue, ...(hasEmpty ? [null] : []), ...(hasFalse ? [false] : []), ...(hasTrue ? [true] : [])];
}

/** Returns all leaves of a tree. */
export function leavesOf(node: DomainNode): Leaf[] {
  if (node.kind === 'leaf') return [node];
  if (node.kind === 'not') return leavesOf(node.node);
  return node.kind === 'and' || node.kind === 'or' ? node.nodes.flatMap(leavesOf) : [];
}

function shapeOf(node: DomainNode): string {
  switch (node.kind) {
    case 'all':
      return '*';
    case 'none':
      return '0';
    case 'not':
      return `!${shapeOf(node.node)}`;
    case 'leaf':
      return `[${node.path.join('.')} ${node.operator} ${shapeOfValue(node.value)}#${node.index}]`;
    default:
      return `${node.kind === 'and' ? '&' : '|'}(${node.nodes.map(shapeOf).join('')})`;
  }
}

function shapeOfValue(value: ValueShape): string {
  if (value.kind !== 'list') return value.kind;
  return `${value.count}${value.hasEmpty ? 'e' : ''}${value.hasFalse ? 'f' : ''}${value.hasTrue ? 't' : ''}`;
}

/** Reads terms one after the other, numbering their values. */
class Reader {
  readonly values: unknown[] = [];
  readonly #items: readonly unknown[];
  readonly #limits: DomainLimits;
  #position = 0;

  constructor(items: readonly unknown[], limits: DomainLimits) {
    this.#items = items;
    this.#limits = limits;
  }

  get atEnd(): boolean {
    return this.#position >= this.#items.length;
  }

  term(depth: number): DomainNode {
    if (depth > this.#limits.depth) throw new InvalidInput('The domain is nested too deeply.', aboutDomain());
    if (this.atEnd) throw new InvalidInput('The domain ends after an operator that joins conditions.', aboutDomain());
    const item = this.#items[this.#position++];
    if (item === '&' || item === '|') {
      return join(item === '&' ? 'and' : 'or', [this.term(depth + 1), this.term(depth + 1)]);
    }
    if (item === '!') return { kind: 'not', node: this.term(depth + 1) };
    if (!Array.isArray(item) || item.length !== 3) {
      throw this.#unreadable(t('“{item}” in the domain isn’t a condition: [field, operator, value].'), {
        item: excerpt(item),
      });
    }
    return this.#leaf(item[0], item[1], item[2]);
  }

  /** In a domain written in code, this is a fault of the code (WrongCode); a domain from outside has limits and is rejected as input. */
  #unreadable(text: string, params: Readonly<Record<string, string>>): Error {
    return this.#limits === codeLimits
      ? new WrongCode(fill(text, params))
      : new InvalidInput(text, aboutDomain(params));
  }

  #leaf(path: unknown, operator: unknown, value: unknown): DomainNode {
    if (operator === '=' && value === 1 && (path === 1 || path === 0)) return { kind: path === 1 ? 'all' : 'none' };
    if (typeof path !== 'string' || !/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,15}$/.test(path)) {
      throw this.#unreadable(t('“{item}” in the domain isn’t a field.'), { item: excerpt(path) });
    }
    if (typeof operator !== 'string' || !operators.has(operator)) {
      throw this.#unreadable(t('“{item}” in the condition on “{path}” isn’t an operator.'), {
        item: excerpt(operator),
        path,
      });
    }
    const index = this.values.length;
    if (index >= this.#limits.leaves) throw new InvalidInput('The domain has too many conditions.', aboutDomain());
    if (operator === 'matches' && (typeof value !== 'string' || searchWords(value).length === 0)) {
      if (typeof value !== 'string')
        throw new InvalidInput('The condition on “{path}” needs a text value.', aboutDomain({ path }));
      return { kind: 'none' };
    }
    const parsed = shapeValue(value, path, this.#limits);
    this.values.push(parsed.value);
    return { kind: 'leaf', path: path.split('.'), operator: operator as Operator, value: parsed.shape, index };
  }
}

function shapeValue(value: unknown, path: string, limits: DomainLimits): { shape: ValueShape; value: unknown } {
  if (value === undefined)
    throw new InvalidInput('The condition on “{path}” has no value (undefined).', aboutDomain({ path }));
  if (value === null) return { shape: single('empty'), value };
  if (value === false || value === true) return { shape: single(value ? 'true' : 'false'), value };
  if (value instanceof Now) return { shape: single('moment'), value };
  if (!Array.isArray(value)) return { shape: single(typeof value === 'string' ? 'text' : 'one'), value };
  if (value.length > limits.list) throw new InvalidInput('The list for “{path}” is too long.', aboutDomain({ path }));
  if (value.includes(undefined))
    throw new InvalidInput('The list for “{path}” holds undefined.', aboutDomain({ path }));
  const members = value.filter((item) => item !== null && item !== false && item !== true);
  return {
    shape: {
      kind: 'list',
      count: members.length > 1 ? 2 : members.length === 1 ? 1 : 0,
      hasEmpty: value.includes(null),
      hasFalse: value.includes(false),
      hasTrue: value.includes(true),
    },
    value: members,
  };
}

function single(kind: Exclude<ValueShape['kind'], 'list'>): ValueShape {
  const [hasEmpty, hasFalse, hasTrue] = [kind === 'empty', kind === 'false', kind === 'true'];
  return { kind, count: hasEmpty || hasFalse || hasTrue ? 0 : 1, hasEmpty, hasFalse, hasTrue };
}

/** Details of an InvalidInput about a domain. */
export function aboutDomain(params: Readonly<Record<string, string | number>> = {}): ErrorDetails {
  return { code: 'core.bad_domain', params };
}

/** Shortens a piece of input for an error text. */
export function excerpt(item: unknown): string {
  try {
    return (JSON.stringify(item) ?? String(item)).slice(0, 80);
  } catch {
    return typeof item;
  }
}
