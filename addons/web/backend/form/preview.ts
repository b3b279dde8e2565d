import type { FieldInfo, ModelInfo } from '../types.ts';
import { columnsOf, toRead } from './lines/line-columns.ts';
import { changedValues, type FormValues, idsOf, isLines, type Line, type Lines, lineEntries } from './values.ts';
import { fieldsToRead, itemsOf } from './view.ts';

/** Server's computed values and problems for an unsaved record. */
export interface Preview {
  readonly values: FormValues | false;
  /** Texts by field. Fields of lines include the index of their command: `order_line.2.price_unit`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly message: string | false;
}

/** Data sent to compute a preview. */
export interface PreviewDraft {
  readonly vals: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, true | readonly string[]>>;
  /** Keys of the lines in the commands of each field. */
  readonly keys: Readonly<Record<string, readonly (string | null)[]>>;
}

/** Models and lines loaded so far. */
export interface Known {
  model(name: string): ModelInfo | undefined;
  /** Lines loaded by their table. */
  lines(model: string, ids: readonly number[], fields: readonly string[]): readonly Line[] | undefined;
}

const large: ReadonlySet<string> = new Set(['html', 'json', 'binary', 'image']);

/**
 * Whether a preview skips a field. Long texts and files don't depend on other fields, unless their model fills them in, and no field
 * depends on them.
 */
function isSkipped(field: FieldInfo | undefined): boolean {
  return large.has(field?.kind ?? '') && field?.filled !== true;
}

/** Returns the unsaved values of a form and the fields to compute from them. */
export function previewDraft(
  info: ModelInfo,
  { values, base, initial }: { readonly values: FormValues; readonly base: FormValues; readonly initial: FormValues },
  loaded: Known,
): PreviewDraft {
  const userChanges = Object.entries(changedValues(info, values, base));
  // Stored tables show the effects of saving.
  const tables = new Set(itemsOf(info).flatMap(({ field, widget }) => (widget === 'table' ? field : [])));
  const requested = fieldsToRead(info).filter((name) => {
    const field = info.fields[name];
    return !isSkipped(field) || (tables.has(name) && field?.store);
  });
  return {
    vals: Object.fromEntries(
      [...Object.entries(changedValues(info, initial, {})), ...userChanges].filter(
        ([name]) => !isSkipped(info.fields[name]),
      ),
    ),
    fields: Object.fromEntries(
      requested.filter((name) => name !== 'id').map((name) => [name, lineFields(info, name, loaded) ?? true]),
    ),
    keys: keysOf(values),
  };
}

/** Returns the keys of the lines in the commands of each field. */
export function keysOf(values: FormValues): PreviewDraft['keys'] {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isLines(value) ? [[name, lineEntries(value).map(({ key }) => key)] as const] : [],
    ),
  );
}

/** Returns the fields of lines that their table shows, or null if the field has no lines or its model hasn't loaded yet. */
function lineFields(info: ModelInfo, name: string, loaded: Known): string[] | null {
  const field = info.fields[name];
  const lines = field?.kind === 'one2many' ? loaded.model(field.relation ?? '') : undefined;
  if (!field || !lines) return null;
  const columns = itemsOf(info).find((item) => item.field === name)?.columns ?? null;
  return toRead(lines, columnsOf(lines, columns, field.relationField));
}

type LineAnswer = FormValues & { readonly id: number | false; readonly place?: number | false };

/** Merges the server's values into lines; unsaved input stays. */
export function previewedLines(
  now: unknown,
  answer: unknown,
  {
    keys,
    info,
    field,
  }: { readonly keys: readonly (string | null)[]; readonly info: ModelInfo; readonly field: string },
  loaded: Known,
): Lines | null {
  const lines = loaded.model(info.fields[field]?.relation ?? '');
  const columns = lineFields(info, field, loaded) ?? [];
  const current = isLines(now) ? now.lines : lines && loaded.lines(lines.name, idsOf(now), columns);
  if (!lines || !current || !Array.isArray(answer) || answer.some((row) => typeof row !== 'object')) return null;
  const rows = answer as readonly LineAnswer[];
  const byKey = new Map<string, FormValues>();
  for (const row of rows) {
    const key = row.id === false ? keys[row.place === false ? -1 : (row.place ?? -1)] : String(row.id);
    if (key) byKey.set(key, row);
  }
  const added = rows
    .filter(({ id, place }) => id === false && place === false)
    .map((row, index): Line => ({ key: `follows ${index}`, id: null, values: row, changes: {}, follows: true }));
  return {
    kind: 'lines',
    lines: [
      ...current.filter(({ follows }) => !follows).map((line) => ({ ...line, computed: byKey.get(line.key) })),
      ...added,
    ],
    removedIds: isLines(now) ? now.removedIds : [],
    fields: lines.fields,
    columns,
  };
}

/** Replaces the line indexes in problems by line keys: `order_line` has `{ 'new 3.price_unit': … }`. */
export function byKeys(
  problems: Readonly<Record<string, string>>,
  keys: PreviewDraft['keys'],
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const fields = new Map<string, Record<string, string>>();
  for (const [path, text] of Object.entries(problems)) {
    const [name = '', place = '', ...rest] = path.split('.');
    const key = /^\d+$/.test(place) ? keys[name]?.[Number(place)] : undefined;
    const subpath = key ? [key, ...rest].join('.') : path.slice(name.length + 1);
    fields.set(name, { ...fields.get(name), [subpath]: text });
  }
  return fields;
}
