import type { Ctx, Id } from 'pergola';
import {
  type ChangedRecord,
  type ChangeFilter,
  listChanges,
  type UndoConflict,
  type UndoResult,
  undo,
  undoOwn,
} from 'pergola/kernel';
import { models } from 'pergola/orm';
import { ownText } from 'pergola/pages';
import { t } from '../../texts.ts';

/** Records shown of a change, and conflicts of an undo. */
const MAX_RECORDS = 20;

/** A record of a change or conflict, ready to render. */
export interface ShownRecord extends Pick<ChangedRecord, 'model' | 'id' | 'name'> {
  readonly label: string;
}

/** A change of a person, ready to render. */
export interface ShownChange {
  readonly id: Id;
  /** ISO, UTC. */
  readonly at: string;
  readonly by: string;
  /** Route, method or command. */
  readonly from: string;
  readonly records: readonly (ShownRecord & Pick<ChangedRecord, 'kind'>)[];
  /** Number of further records. */
  readonly more: number;
  readonly undone: boolean;
  readonly isPartlyUndone: boolean;
  readonly undoOf: Id | null;
}

/** Returns the latest changes, newest first, for administrators. */
export async function shownChanges(ctx: Ctx, filter: ChangeFilter): Promise<readonly ShownChange[]> {
  // Deleted records can’t be read, so their names come from the recorded values.
  const changes = await listChanges(ctx.sudo(), filter);
  return changes.map(({ at, records, ...change }) => ({
    ...change,
    at: at.toISOString(),
    records: records.slice(0, MAX_RECORDS).map((record) => ({ ...record, label: labelOf(ctx, record.model) })),
    more: Math.max(0, records.length - MAX_RECORDS),
  }));
}

/** Effects of undoing a change. */
export interface ShownUndo {
  readonly undone: number;
  /** Number of values and records that changed since. */
  readonly conflicts: number;
  readonly refused: readonly string[];
  readonly irreversible: readonly string[];
}

/** Undoes a change with the caller's rights, or tries it without changing anything. */
export async function undoChange(
  ctx: Ctx,
  id: Id,
  options: { readonly isPartial: boolean; readonly isDryRun: boolean },
): Promise<ShownUndo> {
  return shownUndo(ctx, await undo(ctx, id, options));
}

/** Undoes what the user just did, by the key sent along with it. */
export async function undoOwnChange(ctx: Ctx, key: string): Promise<ShownUndo> {
  return shownUndo(ctx, await undoOwn(ctx, key));
}

function shownUndo(ctx: Ctx, { undone, conflicts, irreversible }: UndoResult): ShownUndo {
  const refused = conflicts.slice(0, MAX_RECORDS).map((conflict) => conflictText(ctx, conflict));
  return { undone, conflicts: conflicts.length, refused: [...new Set(refused)], irreversible };
}

/** `Product “Tent”: Sales price`, or why the whole change is refused. */
function conflictText(ctx: Ctx, { model, id, name, field, message }: UndoConflict): string {
  if (id === null) return message ?? '';
  const record = t(ctx, '{model} “{name}”', { model: labelOf(ctx, model), name });
  const compiled = ctx.get(models).get(model);
  const conflicting = field === null ? undefined : compiled?.fields.get(field);
  if (message) return `${record}: ${message}`;
  return conflicting ? `${record}: ${ownText(ctx, conflicting.addon, conflicting.label)}` : record;
}

function labelOf(ctx: Ctx, name: string): string {
  const model = ctx.get(models).get(name);
  return model ? ownText(ctx, model.addon, model.label) : name;
}
