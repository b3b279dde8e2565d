import { type Ctx, NotFound, PergolaError } from '@pergola/core';
import { databaseSession, transactionOf } from '@pergola/db';
import { type Id, recorderOf, recordIn, restore } from '@pergola/orm';
import { errorText, ownText, t } from '@pergola/texts';
import { type UndoConflict, type UndoOptions, UndoPlan } from './plan.ts';
import { TransactionRecorder } from './recorder.ts';
import { type ChangeSet, readChangeRows, readChangeSet, setOfClient } from './store.ts';

/** Effects of undoing a change set. */
export interface UndoResult {
  /** Number of records restored. */
  readonly undone: number;
  readonly conflicts: readonly UndoConflict[];
  /** Effects that can't be undone, in the caller's language. */
  readonly irreversible: readonly string[];
}

/** Thrown to roll back a dry run. */
const ROLLBACK = Symbol('dry run');

/**
 * Undoes a change set with the caller's rights, in the context's transaction: created records are deleted, deleted ones return with their
 * ids and links, and changed values are restored, unless someone changed them since. That is a change set too, so it can be undone.
 *
 * @throws NotFound for an unknown change set
 */
export async function undo(ctx: Ctx, setId: Id, options: UndoOptions = {}): Promise<UndoResult> {
  const { database, connection } = ctx.get(databaseSession);
  const transaction = transactionOf(ctx);
  const changeSet = await readChangeSet(database, connection, setId);
  if (!changeSet) throw unknownSet(setId);
  const rows = (await readChangeRows(database, connection, [setId])).get(setId) ?? [];
  const plan = await new UndoPlan(ctx, rows, options).make();
  const irreversible = irreversibleEffects(ctx, changeSet, plan);
  const isRefused = plan.conflicts.length > 0 && !options.isPartial;
  const result: UndoResult = { undone: plan.count, conflicts: plan.conflicts, irreversible };
  if (plan.count === 0) return result;
  try {
    await ctx.savepoint(async () => {
      await restore(ctx, plan.restoration);
      if (options.isDryRun || isRefused) throw ROLLBACK;
      const recorder = recorderOf(ctx, transaction);
      if (recorder instanceof TransactionRecorder)
        recorder.undoing = { setId, isPartial: plan.conflicts.length > 0 || plan.isSelection };
    });
    return result;
  } catch (error) {
    if (error === ROLLBACK) return isRefused ? { ...result, undone: 0 } : result;
    if (!(error instanceof PergolaError) || error.status >= 500) throw error;
    const [first] = rows;
    const refusal: UndoConflict = {
      model: first?.model ?? '',
      id: null,
      name: '',
      field: null,
      before: null,
      after: null,
      now: null,
      message: errorText(ctx, error),
    };
    return { ...result, undone: 0, conflicts: [...plan.conflicts, refusal] };
  }
}

/**
 * Undoes what the user just did, by the key that the client sent along with it; nothing if any of it changed since.
 *
 * @throws NotFound if the user made no change with this key
 */
export async function undoOwn(ctx: Ctx, clientKey: string): Promise<UndoResult> {
  const { database, connection } = ctx.get(databaseSession);
  const { id } = ctx.user;
  const setId = id === null ? null : await setOfClient(database, connection, id, clientKey);
  if (setId === null) throw new NotFound('There is nothing to undo.', { code: 'core.no_change_set' });
  return undo(ctx, setId);
}

function unknownSet(id: Id): NotFound {
  return new NotFound('There is no change {id}. Older changes may have been deleted.', {
    code: 'core.no_change_set',
    params: { id: String(id) },
  });
}

/** Lets the transaction record what it undoes, even without a signed-in user. */
export function recordAs(ctx: Ctx, login: string): void {
  const transaction = transactionOf(ctx);
  if (recorderOf(ctx, transaction) instanceof TransactionRecorder) return;
  recordIn(
    transaction,
    new TransactionRecorder(transaction, { userId: null, login, source: transaction.label, clientKey: null }),
  );
}

/**
 * Names the call that changes records in the list of changes, such as `sale.order.write`. Default: the name of the route. With the
 * `clientKey` that its client chose, the user can undo exactly this change with {@link undoOwn}.
 */
export function nameChanges(
  ctx: Ctx,
  call: { readonly source?: string; readonly clientKey?: string | undefined },
): void {
  const { transaction } = ctx.get(databaseSession);
  const recorder = transaction && recorderOf(ctx, transaction);
  if (recorder instanceof TransactionRecorder)
    recorder.name({
      ...(call.source && { source: call.source }),
      ...(call.clientKey && { clientKey: call.clientKey }),
    });
}

function irreversibleEffects(ctx: Ctx, { sendsMail }: ChangeSet, plan: UndoPlan): string[] {
  const effects = [...plan.irreversibleModels].map(({ addon, options }) =>
    ownText(ctx, addon, options.irreversible ?? ''),
  );
  if (sendsMail) effects.push(t(ctx, 'Emails that were sent can’t be taken back.'));
  for (const { addon, label } of plan.secretFields)
    effects.push(t(ctx, '“{field}” is secret, so it isn’t restored.', { field: ownText(ctx, addon, label) }));
  return effects;
}
