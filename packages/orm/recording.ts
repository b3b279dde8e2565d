import { type Ctx, value } from '@pergola/core';
import type { Row, Transaction } from '@pergola/db';
import type { CompiledField, CompiledModel } from './compiled.ts';
import type { ExternalId } from './data/external-ids.ts';
import type { Id } from './fields.ts';

/** Two records linked by a many2many field: of the field's model, and of its target. */
export type LinkedPair = readonly [from: Id, to: Id];

/**
 * Receives the changes of the model layer in one transaction, with values as the driver reads or takes them. Only called with models and fields
 * for which {@link isRecorded} and {@link recordedFields} hold. Changes of a savepoint that is rolled back aren't taken back.
 */
export interface ChangeRecorder {
  created(
    model: CompiledModel,
    ids: readonly Id[],
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
  ): void;
  /**
   * Called before many records get the same values. Returns false to receive each one by {@link updated} instead. `columns` are the recorded
   * ones of `values`.
   */
  updating(
    model: CompiledModel,
    ids: readonly Id[],
    columns: readonly string[],
    values: ReadonlyMap<string, unknown>,
  ): Promise<boolean>;
  /** `before` are the changed columns of each record and its id; `after` returns a record's new values by column. */
  updated(model: CompiledModel, before: readonly Row[], after: (id: Id) => ReadonlyMap<string, unknown>): void;
  /** `rows` are complete. `isDependent`: they were deleted as part of another record, whatever the rights of the caller. */
  deleted(model: CompiledModel, rows: readonly Row[], details: { readonly isDependent: boolean }): void;
  /** External ids of records that are about to be deleted. */
  unnamed(model: CompiledModel, externalIds: readonly ExternalId[]): void;
  linked(field: CompiledField, added: readonly LinkedPair[], removed: readonly LinkedPair[]): void;
}

/** Returns the recorder of a new transaction, or null if its changes aren't recorded. */
export type StartRecording = (ctx: Ctx, transaction: Transaction) => ChangeRecorder | null;

/** Recording of changes by a part of the application; null if none records them. */
export const changeRecording = value<StartRecording | null>('change recording');

const recorders = new WeakMap<Transaction, ChangeRecorder | null>();

/** Returns the recorder of the open transaction, or null. */
export function recorderOf(ctx: Ctx, transaction: Transaction): ChangeRecorder | null {
  let recorder = recorders.get(transaction);
  if (recorder === undefined) {
    recorder = ctx.get(changeRecording)?.(ctx, transaction) ?? null;
    recorders.set(transaction, recorder);
  }
  return recorder;
}

/** Records the changes of a transaction that isn't recorded otherwise. */
export function recordIn(transaction: Transaction, recorder: ChangeRecorder): void {
  recorders.set(transaction, recorder);
}

/**
 * Whether changes of a model's records are recorded: not of counters and models that opt out. Of trails, which only grow, deletions are
 * recorded: they disappear with the records they belong to.
 */
export function isRecorded({ volatile, options }: CompiledModel, { isDeletion = false } = {}): boolean {
  return !volatile && !options.coreTable && options.undo !== false && (isDeletion || !options.appendOnly);
}

/** Columns of a deleted record that are recorded: all but secrets, and those derived from others. */
export function recordedColumns(model: CompiledModel): string[] {
  return [...model.fields.values()].flatMap(({ column, secret }) => (column === null || secret ? [] : [column]));
}

/** Fields whose changes are recorded, by column: entered values, without secrets. */
export function recordedFields(model: CompiledModel): ReadonlyMap<string, CompiledField> {
  let fields = fieldsByModel.get(model);
  if (!fields) {
    const recorded = [...model.fields.values()].filter(
      ({ column, base, compute, secret, options }) =>
        column !== null && !base && !compute && !secret && options.undo !== false,
    );
    fields = new Map(recorded.map((field) => [field.column ?? '', field]));
    fieldsByModel.set(model, fields);
  }
  return fields;
}

const fieldsByModel = new WeakMap<CompiledModel, ReadonlyMap<string, CompiledField>>();

declare module '@pergola/core/part' {
  interface PartOptions {
    /** Records the changes that people make to records. At most one part may. */
    readonly recordChanges?: (host: PartHost) => StartRecording;
  }
}
