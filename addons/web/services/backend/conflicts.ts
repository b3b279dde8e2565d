import type { Ctx, Id } from 'pergola';
import { callModel } from '../rpc/call.ts';
import { describeModel } from './describe-model.ts';

/** A field changed by another user while the form was open. */
interface FieldConflict {
  readonly field: string;
  readonly label: string;
  /** Current value in the format of `read`. */
  readonly theirs: unknown;
}

/** Another user's changes. */
export interface Conflicts {
  readonly fields: readonly FieldConflict[];
  /** User and time (UTC) of the last change. */
  readonly by: string | null;
  readonly at: string | null;
}

/** Changes of a form, and the values that it had loaded. */
interface Change {
  readonly model: string;
  readonly id: Id;
  readonly values: Readonly<Record<string, unknown>>;
  readonly seen: Readonly<Record<string, unknown>>;
  readonly context?: { readonly lang?: string | undefined } | undefined;
}

/** Lines loaded by a form: their ids, and the previous values of changed fields by id. */
interface SeenLines {
  readonly ids: readonly Id[];
  readonly lines: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Returns the fields whose stored value differs from both the loaded and the new value of a form. Two users changing different fields don't
 * conflict. Reads with the caller's rights, in the transaction that then writes.
 */
export async function conflictsOf(ctx: Ctx, { model, id, values, seen, context }: Change): Promise<Conflicts | null> {
  const description = describeModel(ctx, model);
  const changed = Object.keys(values).filter((name) => Object.hasOwn(seen, name) && description?.fields[name]);
  if (!description || changed.length === 0) return null;
  const wireContext = { bin_size: true, ...(context?.lang ? { lang: context.lang } : {}) };
  const [now] = await readWire(ctx, model, [id], [...changed, 'write_uid', 'write_date'], wireContext);
  // The write itself refuses deleted records.
  if (!now) return null;
  const fields: FieldConflict[] = [];
  for (const name of changed) {
    const field = description.fields[name];
    if (!field) continue;
    const { kind } = field;
    const isOther =
      kind === 'one2many'
        ? await linesDiffer(ctx, String(field.relation), seen[name], wireContext)
        : !sameValue(now[name], seen[name]) && !sameValue(now[name], wanted(values[name]));
    if (isOther) fields.push({ field: name, label: String(field.string), theirs: now[name] });
  }
  if (fields.length === 0) return null;
  const updatedBy: unknown = Array.isArray(now.write_uid) ? now.write_uid[1] : null;
  return {
    fields,
    by: typeof updatedBy === 'string' ? updatedBy : null,
    at: now.write_date ? String(now.write_date) : null,
  };
}

type WireRow = Readonly<Record<string, unknown>>;

async function readWire(
  ctx: Ctx,
  model: string,
  ids: readonly Id[],
  fields: readonly string[],
  context: object,
): Promise<readonly WireRow[]> {
  const rows = await callModel(ctx, { model, method: 'read', args: [ids, fields], kwargs: { context } });
  return Array.isArray(rows) ? rows : [];
}

/** `[[6, false, ids]]` sets exactly these ids. */
function wanted(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value;
  const [command]: readonly unknown[] = value;
  return Array.isArray(command) && command[0] === 6 && Array.isArray(command[2]) ? command[2] : value;
}

/** Compares many2one fields by id, and lists of records regardless of order. */
function sameValue(a: unknown, b: unknown): boolean {
  return JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));
}

function comparable(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return false;
  if (!Array.isArray(value)) return value;
  if (value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'string') return value[0];
  return value.every((item) => typeof item === 'number') ? value.toSorted((a, b) => a - b) : value;
}

/** Whether changed lines of a form were deleted or changed in the meantime. Lines added by others don't conflict. */
async function linesDiffer(ctx: Ctx, model: string, seen: unknown, context: object): Promise<boolean> {
  if (!isSeenLines(seen)) return false;
  const ids = seen.ids.filter((lineId) => typeof lineId === 'number');
  if (ids.length === 0) return false;
  const existingIds = await callModel(ctx, { model, method: 'exists', args: [ids], kwargs: {} });
  if (!Array.isArray(existingIds) || existingIds.length < ids.length) return true;
  const names = [...new Set(Object.values(seen.lines).flatMap((line) => Object.keys(line)))];
  if (names.length === 0) return false;
  const rows = new Map((await readWire(ctx, model, ids, names, context)).map((row) => [row.id, row]));
  return Object.entries(seen.lines).some(([id, line]) => {
    const now = rows.get(Number(id));
    return !now || Object.entries(line).some(([name, value]) => !sameValue(now[name], value));
  });
}

function isSeenLines(value: unknown): value is SeenLines {
  return (
    typeof value === 'object' &&
    value !== null &&
    'ids' in value &&
    Array.isArray(value.ids) &&
    'lines' in value &&
    typeof value.lines === 'object' &&
    value.lines !== null
  );
}
