import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Conflict, type Ctx, type Id, z } from 'pergola';
import { plural, t } from '../../texts.ts';
import type { Seller } from '../documents/letterhead.ts';

/** Any JSON value. */
type Json = string | number | boolean | null | readonly Json[];

/**
 * A fact that a customer sees and agrees to. `value` is the same in every language and determines the version; `label` and `text` are in
 * the language of the content.
 */
export interface ContentFact {
  /** Unique within its list: `terms`, `tax:3`. */
  readonly key: string;
  readonly label: string;
  readonly value: Json;
  /** Plain text, or HTML for page texts. */
  readonly text: string;
  /** Printed after the text: `incl. 6.00 € VAT`. */
  readonly note?: string;
}

/** A line of an order as shown to its customer. */
export interface ContentLine {
  readonly id: Id;
  readonly product: Id | null;
  /** Description; its first line is the name. */
  readonly name: string;
  /** `quantity`, `price`, `discount`, `taxes`, `amount`, and additions of extensions: `event`, `venue`. */
  readonly facts: readonly ContentFact[];
}

/** Everything a customer sees of an order and agrees to by paying or signing, as plain JSON. Built by `SaleOrder.content`. */
export interface OrderContent {
  /** Language of its texts, `en_US`. */
  readonly lang: string;
  /** Number of the order; assigned when payment starts, so it isn't part of the version. */
  readonly number: string | null;
  /** The seller, as printed on the letterhead. Not part of the version. */
  readonly seller: Seller & { readonly person: string };
  /** Date, addresses, tax number, references, terms, validity, page texts, options. */
  readonly facts: readonly ContentFact[];
  readonly lines: readonly ContentLine[];
  /** Subtotal, taxes and total, as every page and document lists them. */
  readonly sums: readonly ContentFact[];
  /** Additional terms the customer accepts that are not in the order, such as the shop's terms of sale. Not part of the version. */
  readonly context: readonly ContentFact[];
}

/** Returns the fact with a key, if any. */
export function factOf(facts: readonly ContentFact[], key: string): ContentFact | undefined {
  return facts.find((fact) => fact.key === key);
}

/** Serializes data independently of key order, which databases may change; for fingerprints. */
export function stableJson(data: unknown): string {
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return JSON.stringify(data, (_key, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

/** Maximum length of texts in page tokens. Longer ones are represented by their hash, and changes are reported without both texts. */
const MAX_CHARACTERS = 200;
/** Maximum length of a page token, in characters. */
export const MAX_TOKEN = 100_000;
const MAX_UNPACKED_BYTES = 1_000_000;
/** Maximum number of changes to list individually. */
const MAX_CHANGES = 20;

const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json).readonly()]),
);
/** Key, label, value and text of a fact; the text is null if it is too long. */
const fact = z.tuple([z.string(), z.string(), json, z.string().nullable()]);
/** The content in a page token, with long texts replaced by their hash. */
const digest = z.object({
  facts: z.array(fact),
  lines: z.array(z.tuple([z.number(), z.number().nullable(), z.string(), z.array(fact)])),
  sums: z.array(fact),
  context: z.array(fact),
});
type Digest = z.infer<typeof digest>;
type DigestFact = z.infer<typeof fact>;

/** Returns the version of the content a customer agrees to: changes with every value, but is the same in all languages. */
export function contentVersion(content: OrderContent): string {
  return versionOf(digestOf(content));
}

/**
 * Encodes the content as an opaque token for pages and forms: its version, and the data needed to describe later changes. The server stores
 * nothing.
 */
export function contentToken(content: OrderContent): string {
  const seen = digestOf(content);
  return `${versionOf(seen)}.${deflateRawSync(JSON.stringify(seen)).toString('base64url')}`;
}

/**
 * Lists the changes since a customer's page was rendered, as sentences in the context's language; empty if nothing changed.
 *
 * @param token from {@link contentToken}, or only a version: changes are then reported without details
 * @param current content in the context's language
 */
export function changesSince(ctx: Ctx, token: string, current: OrderContent): string[] {
  const now = digestOf(current);
  const [version = '', packed] = token.split('.', 2);
  const seen = packed === undefined ? null : unpack(packed);
  if (seen === null || versionOf(seen) !== version) {
    return version === versionOf(now) ? [] : [t(ctx, 'The order has changed since you last saw it')];
  }
  return describeChanges(ctx, seen, now);
}

/** The same for stored content. */
export function changesBetween(ctx: Ctx, stored: OrderContent, current: OrderContent): string[] {
  return describeChanges(ctx, digestOf(stored), digestOf(current));
}

/** Facts that depend on settings and texts outside the order: how prices are shown, and notes of fiscal positions. */
const outside: ReadonlySet<string> = new Set(['price', 'tax_note', 'untaxed']);

/** Whether two contents have the same lines, amounts and addresses, regardless of labels. */
export function isSameOrder(a: OrderContent, b: OrderContent): boolean {
  const values = (facts: readonly ContentFact[]) =>
    facts.filter(({ key }) => !outside.has(key) && !key.startsWith('tax:')).map(({ key, value }) => [key, value]);
  const [first, second] = [a, b].map(({ facts, lines, sums }) =>
    stableJson([values(facts), lines.map((line) => [line.id, line.name, values(line.facts)]), values(sums)]),
  );
  return first === second;
}

/** Thrown when a customer agreed to a different content than the order now has; nothing was started. */
export class OrderChanged extends Conflict {
  /** List of changes, in the customer's language. */
  readonly changes: readonly string[];

  constructor(ctx: Ctx, changes: readonly string[]) {
    const reasons = t(
      ctx,
      'Your order has changed since you loaded this page. Please check it and confirm again. {changes}',
      {
        changes: changes.join('; '),
      },
    );
    super('{reasons}', { code: 'sale.order_changed', params: { reasons } });
    this.changes = changes;
  }
}

function digestOf({ facts, lines, sums, context }: OrderContent): Digest {
  return {
    facts: facts.map(shortFact),
    lines: lines.map(({ id, product, name, facts: details }) => [id, product, name, details.map(shortFact)]),
    sums: sums.map(shortFact),
    context: context.map(shortFact),
  };
}

function shortFact({ key, label, value, text, note }: ContentFact): DigestFact {
  const fullText = note ? `${text}, ${note}` : text;
  return [key, label, shortValue(value), fullText.length > MAX_CHARACTERS ? null : fullText];
}

function shortValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(shortValue);
  if (typeof value !== 'string' || value.length <= MAX_CHARACTERS) return value;
  return `sha256:${createHash('sha256').update(value).digest('base64url')}`;
}

function versionOf({ facts, lines, sums }: Digest): string {
  const values = (list: readonly DigestFact[]) => list.map(([key, , value]) => [key, value]);
  const agreed = [
    values(facts),
    lines.map(([id, product, name, details]) => [id, product, name, values(details)]),
    values(sums),
  ];
  return createHash('sha256').update(JSON.stringify(agreed)).digest('base64url');
}

/** Decodes the content of a token, or returns null if it is invalid. */
function unpack(packed: string): Digest | null {
  try {
    const text = inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: MAX_UNPACKED_BYTES }).toString();
    return digest.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function describeChanges(ctx: Ctx, seen: Digest, now: Digest): string[] {
  const changes = [
    ...describeLines(ctx, seen.lines, now.lines),
    ...describeFacts(ctx, seen.facts, now.facts),
    ...describeFacts(ctx, seen.sums, now.sums),
    ...describeFacts(ctx, seen.context, now.context),
  ];
  if (changes.length <= MAX_CHANGES) return changes;
  const more = changes.length - MAX_CHANGES;
  return [...changes.slice(0, MAX_CHANGES), plural(ctx, 'And {n} more change', 'And {n} more changes', more)];
}

function describeLines(ctx: Ctx, seen: Digest['lines'], now: Digest['lines']): string[] {
  const before = new Map(seen.map((line) => [line[0], line]));
  const after = new Map(now.map((line) => [line[0], line]));
  const removed = seen.filter(([id]) => !after.has(id)).map(([, , name]) => t(ctx, 'Removed: {name}', naming(name)));
  const changed = now.flatMap(([id, product, name, facts]) => {
    const old = before.get(id);
    if (!old) return [t(ctx, 'Added: {name}', naming(name))];
    const [, oldProduct, oldName, oldFacts] = old;
    const subject = firstLine(oldName);
    const renamed =
      oldName !== name || oldProduct !== product
        ? [
            change(
              ctx,
              `${subject}, ${t(ctx, 'Description')}`,
              oldName.replaceAll('\n', ', '),
              name.replaceAll('\n', ', '),
            ),
          ]
        : [];
    return [...renamed, ...describeFacts(ctx, oldFacts, facts, subject)];
  });
  return [...removed, ...changed];
}

function describeFacts(ctx: Ctx, seen: readonly DigestFact[], now: readonly DigestFact[], subject = ''): string[] {
  const before = new Map(seen.map((fact) => [fact[0], fact]));
  const after = new Map(now.map((fact) => [fact[0], fact]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, fresh] = [before.get(key), after.get(key)];
    if (JSON.stringify(old?.[2]) === JSON.stringify(fresh?.[2])) return [];
    const label = fresh?.[1] ?? old?.[1] ?? '';
    const factLabel = subject === '' ? label : `${subject}, ${label}`;
    const isLong = old?.[3] === null || fresh?.[3] === null;
    if (isLong) return [t(ctx, 'Changed: {what}', { what: factLabel })];
    return [change(ctx, factLabel, oneLine(old?.[3]), oneLine(fresh?.[3]))];
  });
}

function change(ctx: Ctx, factLabel: string, before: string, after: string): string {
  const noneText = t(ctx, '(none)');
  return t(ctx, '{what}: {before} → {after}', {
    what: factLabel,
    before: before || noneText,
    after: after || noneText,
  });
}

function naming(name: string): { readonly name: string } {
  return { name: firstLine(name) };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

function oneLine(text: string | null | undefined): string {
  return (text ?? '').replaceAll('\n', ', ');
}
