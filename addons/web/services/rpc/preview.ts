import { errorFields, errorText, type Id, PergolaError } from 'pergola';
import { bindOther, checkFields, trialIn } from 'pergola/orm';
import { type Call, onModel } from './call-context.ts';
import { valuesFromWire } from './from-wire.ts';
import { isPlainObject } from './plain-object.ts';
import { rowsToWire, type WireRow, wireSelect } from './to-wire.ts';
import { unitsForRecord } from './units.ts';

/** A line of the preview: an existing one by id, a new one by its index in the commands, or `false` if the model adds it itself. */
type PreviewLine = Readonly<Record<string, unknown>> & { readonly id: Id | false; readonly place?: number | false };

/** Preview of a record. */
export interface PreviewAnswer {
  /**
   * False if the record can't be created or changed at all. Lines of x2many fields whose columns were requested are {@link PreviewLine}s.
   */
  readonly values: Readonly<Record<string, unknown>> | false;
  /** Errors by field; for lines by index, `order_line.2.price_unit`. Invalid values are left out of the preview. */
  readonly problems: Readonly<Record<string, string>>;
  /** Error that isn't related to a field. */
  readonly message: string | false;
}

/** Maximum number of attempts. A later validation step reports its errors only after earlier errors have been removed. */
const maxTries = 5;

/**
 * `preview`: returns the values that a form would have after saving, computed by the same code with the same rights, without storing
 * anything. `fields` names the returned fields and, for lines, their columns.
 */
export async function previewFromWire(
  call: Call,
  {
    id,
    vals,
    fields,
  }: {
    readonly id: Id | false;
    readonly vals: Readonly<Record<string, unknown>>;
    readonly fields: Readonly<Record<string, true | readonly string[]>>;
  },
): Promise<PreviewAnswer> {
  const draft = new Draft(vals);
  const problems: Record<string, string> = {};
  for (let tries = 1; ; tries++) {
    try {
      const attempt = await previewOnce(call, id || null, draft.values, fields);
      return { ...attempt, problems: { ...draft.withOriginalIndexes(attempt.problems), ...problems } };
    } catch (error) {
      if (!(error instanceof PergolaError) || error.status >= 500) throw error;
      const { ctx } = call.bound;
      const faults = draft.withOriginalIndexes(errorFields(ctx, error));
      Object.assign(problems, faults);
      const isLess = draft.leaveOut(Object.keys(error.fields));
      if (isLess && tries < maxTries) continue;
      const message = Object.keys(faults).length === 0 ? errorText(ctx, error) : false;
      return { values: false, problems, message };
    }
  }
}

async function previewOnce(
  call: Call,
  id: Id | null,
  vals: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, true | readonly string[]>>,
): Promise<PreviewAnswer> {
  const { self, ctx } = call.bound;
  const values = await valuesFromWire(call, vals, unitsForRecord(call, id, vals));
  return self.preview(id, values, async (previewId) => {
    const { '': message = false, ...problems } = trialIn(ctx)?.problems ?? {};
    const row = await rowOf(call, previewId, fields);
    return { values: row && { ...row, id: id ?? false }, problems, message };
  });
}

async function rowOf(
  call: Call,
  id: Id,
  fields: Readonly<Record<string, true | readonly string[]>>,
): Promise<WireRow | false> {
  const { bound } = call;
  const names = checkFields(bound, Object.keys(fields));
  const rows = await bound.self.read([id], { select: wireSelect(bound, names) });
  const [row] = await rowsToWire(call, names, rows);
  if (!row) return false;
  // An unsaved record has no address yet.
  for (const name of isNew(call, id) ? names : [])
    if (bound.compiled.fields.get(name)?.compute && isAddress(row[name])) row[name] = false;
  for (const [name, columns] of Object.entries(fields)) {
    const field = bound.compiled.fields.get(name);
    const ids: unknown = row[name];
    if (field?.relation?.kind !== 'one2many' || !Array.isArray(ids)) continue;
    const lines = onModel(call, bindOther(bound, field.relation.to));
    row[name] =
      columns === true ? ids.filter((line: Id) => !isNew(lines, line)) : await linesOf(lines, ids, columns, name);
  }
  return row;
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^(https?:\/)?\//.test(value);
}

function isNew({ bound }: Call, id: Id): boolean {
  return trialIn(bound.ctx)?.isNew(bound.compiled.name, id) ?? false;
}

async function linesOf(
  call: Call,
  ids: readonly Id[],
  columns: readonly string[],
  field: string,
): Promise<PreviewLine[]> {
  const { bound } = call;
  const places = trialIn(bound.ctx)?.placesOf(field);
  const names = checkFields(bound, columns);
  const rows = await bound.self.read(ids, { select: wireSelect(bound, names) });
  return (await rowsToWire(call, names, rows)).map((row) =>
    isNew(call, row.id) ? { ...row, id: false, place: places?.get(row.id) ?? false } : row,
  );
}

/** The caller's values, without invalid ones. */
class Draft {
  #values: Record<string, unknown>;
  /** Original indexes of the remaining commands, by field. */
  readonly #places = new Map<string, number[]>();

  constructor(initialValues: Readonly<Record<string, unknown>>) {
    this.#values = { ...initialValues };
  }

  get values(): Readonly<Record<string, unknown>> {
    return this.#values;
  }

  /** Restores the original indexes of lines in texts by field. */
  withOriginalIndexes(texts: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(texts).map(([path, text]) => {
        const [name = '', place = '', ...rest] = path.split('.');
        const originalIndex = this.#places.get(name)?.[Number(place)];
        return [originalIndex === undefined ? path : [name, originalIndex, ...rest].join('.'), text];
      }),
    );
  }

  /** Removes values by path. Returns false if nothing was removed. */
  leaveOut(paths: readonly string[]): boolean {
    const previousJson = JSON.stringify(this.#values);
    const byField = Map.groupBy(paths, (path) => path.split('.')[0] ?? '');
    for (const [name, ofField] of byField) {
      const commands = this.#values[name];
      const places = ofField.flatMap((path) => /\.(\d+)(?:\.|$)/.exec(path)?.[1] ?? []).map(Number);
      if (Array.isArray(commands) && places.length === ofField.length) this.#leaveOutLines(name, commands, ofField);
      else delete this.#values[name];
    }
    return JSON.stringify(this.#values) !== previousJson;
  }

  #leaveOutLines(name: string, commands: readonly unknown[], paths: readonly string[]): void {
    const places = this.#places.get(name) ?? commands.map((_, index) => index);
    const remaining = commands.map((command, index) => {
      const columns = paths.flatMap((path) => {
        const [, place, column] = path.split('.');
        return Number(place) === index ? [column ?? ''] : [];
      });
      return columns.length === 0 ? command : removeColumns(command, columns);
    });
    this.#values[name] = remaining.filter((command) => command !== null);
    this.#places.set(
      name,
      places.filter((_, index) => remaining[index] !== null),
    );
  }
}

/** Returns a command without some of its values, or null if it doesn't contain them all, which means that the command itself is invalid. */
function removeColumns(command: unknown, columns: readonly string[]): unknown {
  if (!Array.isArray(command) || !isPlainObject(command[2])) return null;
  const values = command[2];
  if (!columns.every((column) => Object.hasOwn(values, column))) return null;
  const remaining = Object.fromEntries(Object.entries(values).filter(([name]) => !columns.includes(name)));
  return [command[0], command[1], remaining];
}
