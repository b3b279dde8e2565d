import type { FieldInfo, ModelInfo } from '../types.ts';
import { columnsOf, toRead } from './lines/line-columns.ts';
import { changedValues, type FormValues, idsOf, isLines, type Line, type Lines, lineEntries } from './values.ts';
import { fieldsToRead, itemsOf } from './view.ts';

/** What the server answers of a record that is not saved yet. */
export interface Preview {
  readonly values: FormValues | false;
  /** Texts by field; of lines by where they stand among the commands: `order_line.2.price_unit`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly message: string | false;
}

/** What is sent to be worked out. */
export interface PreviewDraft {
  readonly vals: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, true | readonly string[]>>;
  /** The lines behind the commands of a field, by their keys. */
  readonly keys: Readonly<Record<string, readonly (string | null)[]>>;
}

/** What is known here already. */
export interface Known {
  model(name: string): ModelInfo | undefined;
  /** Lines that their table has read. */
  lines(model: string, ids: readonly number[], fields: readonly string[]): readonly Line[] | undefined;
}

const large: ReadonlySet<string> = new Set(['html', 'json', 'binary', 'image']);

/** Long texts and files follow from nothing, unless their model fills them in, and nothing follows from them: they stay where they are typed. */
function isLeft(field: FieldInfo | undefined): boolean {
  return large.has(field?.kind ?? '') && field?.filled !== true;
}

/** What somebody typed so far, and what is wanted of the record that would come of it. */
export function previewDraft(
  info: ModelInfo,
  { values, base, given }: { readonly values: FormValues; readonly base: FormValues; readonly given: FormValues },
  known: Known,
): PreviewDraft {
  const typed = Object.entries(changedValues(info, values, base));
  // Tables that are kept with the record say what saving it does.
  const tables = new Set(itemsOf(info).flatMap(({ field, widget }) => (widget === 'table' ? field : [])));
  const wanted = fieldsToRead(info).filter((name) => {
    const field = info.fields[name];
    return !isLeft(field) || (tables.has(name) && field?.store);
  });
  return {
    vals: Object.fromEntries(
      [...Object.entries(changedValues(info, given, {})), ...typed].filter(([name]) => !isLeft(info.fields[name])),
    ),
    fields: Object.fromEntries(
      wanted.filter((name) => name !== 'id').map((name) => [name, lineFields(info, name, known) ?? true]),
    ),
    keys: keysOf(values),
  };
}

/** The lines behind the commands of each field, by their keys. */
export function keysOf(values: FormValues): PreviewDraft['keys'] {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isLines(value) ? [[name, lineEntries(value).map(({ key }) => key)] as const] : [],
    ),
  );
}

/** The fields of lines that their table shows; null for what has none, or is not known yet. */
function lineFields(info: ModelInfo, name: string, known: Known): string[] | null {
  const field = info.fields[name];
  const lines = field?.kind === 'one2many' ? known.model(field.relation ?? '') : undefined;
  if (!field || !lines) return null;
  const columns = itemsOf(info).find((item) => item.field === name)?.columns ?? null;
  return toRead(lines, columnsOf(lines, columns, field.relationField));
}

type LineAnswer = FormValues & { readonly id: number | false; readonly place?: number | false };

/** Lines with what the server says of them; what is typed in them stays. */
export function previewedLines(
  now: unknown,
  answer: unknown,
  {
    keys,
    info,
    field,
  }: { readonly keys: readonly (string | null)[]; readonly info: ModelInfo; readonly field: string },
  known: Known,
): Lines | null {
  const lines = known.model(info.fields[field]?.relation ?? '');
  const columns = lineFields(info, field, known) ?? [];
  const there = isLines(now) ? now.lines : lines && known.lines(lines.name, idsOf(now), columns);
  if (!lines || !there || !Array.isArray(answer) || answer.some((row) => typeof row !== 'object')) return null;
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
      ...there.filter(({ follows }) => !follows).map((line) => ({ ...line, shown: byKey.get(line.key) })),
      ...added,
    ],
    gone: isLines(now) ? now.gone : [],
    fields: lines.fields,
    columns,
  };
}

/** Problems with the keys of lines in place of where they stand: `order_line` has `{ 'new 3.price_unit': … }`. */
export function byKeys(
  problems: Readonly<Record<string, string>>,
  keys: PreviewDraft['keys'],
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const fields = new Map<string, Record<string, string>>();
  for (const [path, text] of Object.entries(problems)) {
    const [name = '', place = '', ...rest] = path.split('.');
    const key = /^\d+$/.test(place) ? keys[name]?.[Number(place)] : undefined;
    const within = key ? [key, ...rest].join('.') : path.slice(name.length + 1);
    fields.set(name, { ...fields.get(name), [within]: text });
  }
  return fields;
}
