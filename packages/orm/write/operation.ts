import type { Ctx } from '@pergola/core';
import { type ColumnKind, DatabaseMisuse, databaseSession, type Transaction } from '@pergola/db';
import { forgetGuards } from '../access/guard.ts';
import { changedKeys } from '../apart.ts';
import { type TrackedChange, tellAudit } from '../audit.ts';
import { boundOf, hasOwn, systemContext } from '../bind.ts';
import type { BoundModel, CompiledField, CompiledModel } from '../compiled.ts';
import { Recomputation } from '../compute/recomputation.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import { type ChangeRecorder, isRecorded, recordedFields, recorderOf } from '../recording.ts';
import type { ModelRegistry } from '../registry.ts';
import type { SealingCodec } from '../sealed.ts';
import { explainConflict } from './conflicts.ts';
import { createIn, type ThroughField } from './create.ts';
import { refreshSearch } from './search.ts';
import { selectRows } from './sql.ts';
import { columnKinds } from './stored.ts';
import { type Trial, trialIn } from './trial.ts';
import { writeIn } from './write.ts';

/** Rows about to be written, for explaining errors of the database. */
export interface Attempt {
  readonly model: CompiledModel;
  /** Encoded values by column. */
  readonly rows: readonly ReadonlyMap<string, unknown>[];
  /** The records being changed or deleted; empty for new ones. */
  readonly ids: readonly Id[];
}

/**
 * One create, write, unlink or copy with all its consequences: lines written through x2many fields, stored computed values, final checks,
 * hooks, and the audit trail.
 *
 * ```
 * rows and links of all records ─▶ computed values ─▶ searched texts ─▶ rights and validate ─▶ after… hooks ─▶ audit
 * ```
 */
export class WriteOperation {
  readonly ctx: Ctx;
  readonly registry: ModelRegistry;
  readonly codec: SealingCodec;
  readonly transaction: Transaction;
  readonly recomputation: Recomputation;
  /** For previews: collects objections to the record and continues. */
  readonly trial: Trial | null;
  readonly #recorder: ChangeRecorder | null;
  attempt: Attempt | null = null;
  readonly #checks: (() => Promise<void>)[] = [];
  readonly #after: (() => Promise<void>)[] = [];
  readonly #tracked: TrackedChange[] = [];
  readonly #searched = new IdsByModel();
  /** Computed fields with new values, by model. */
  readonly #renewed = new Map<CompiledModel, Map<string, Set<Id>>>();
  readonly #validated = new IdsByModel();
  readonly #created = new IdsByModel();
  readonly #deleted = new IdsByModel();
  #system: Ctx | null = null;

  constructor({ ctx, registry, codec }: BoundModel, transaction: Transaction) {
    this.ctx = ctx;
    this.registry = registry;
    this.codec = codec;
    this.transaction = transaction;
    this.trial = trialIn(ctx);
    this.#recorder = this.trial ? null : recorderOf(ctx, transaction);
    this.recomputation = new Recomputation(this);
  }

  /** Returns a model with system access, for stored computed values. */
  system(model: string): BoundModel {
    this.#system ??= systemContext(this.ctx, this.registry);
    return boundOf(this.registry.bind(this.#system, model));
  }

  /** Notes that records of a model changed: all fields, or only these. */
  touch(model: CompiledModel, fields: readonly CompiledField[] = []): void {
    if (!model.volatile) for (const name of changedKeys(model, fields)) this.transaction.touch(name);
  }

  /** Notes that links of a model's records changed. */
  touchLinks({ volatile }: CompiledModel, table: string): void {
    if (!volatile) this.transaction.touch(table);
  }

  /** Returns the recorder of changes to a model's records, or null. */
  recorder(model: CompiledModel, details?: { readonly isDeletion: boolean }): ChangeRecorder | null {
    return this.#recorder && isRecorded(model, details) ? this.#recorder : null;
  }

  /** Records new values of these columns, which are the same in all records. To be called before they are written. */
  async recordUpdate(model: CompiledModel, ids: readonly Id[], values: ReadonlyMap<string, unknown>): Promise<void> {
    const recorder = this.recorder(model);
    if (!recorder) return;
    const recorded = recordedFields(model);
    const columns = [...values.keys()].filter((column) => recorded.has(column));
    if (columns.length === 0 || (await recorder.updating(model, ids, columns, values))) return;
    const before = await selectRows(this.transaction, model.table, ['id', ...columns], { column: 'id', ids });
    recorder.updated(model, before, () => values);
  }

  /** Returns the kinds of a model's columns. */
  kindsOf(model: CompiledModel): ReadonlyMap<string, ColumnKind> {
    return this.registry.memo(`column-kinds:${model.name}`, () => columnKinds(model));
  }

  /** Collects a change for the audit trail. */
  track(model: CompiledModel, field: CompiledField, id: Id, before: unknown, after: unknown): void {
    // The trail shows that a password changed, but neither the old nor the new one.
    const mask = (value: unknown) => (field.secret && value !== null ? '***' : value);
    this.#tracked.push({ model: model.name, id, field: field.name, old: mask(before), new: mask(after) });
  }

  /** Schedules an update of the records' full text. */
  search(model: CompiledModel, ids: readonly Id[]): void {
    this.#searched.add(model, ids);
  }

  /** Notes that a computed field of these records has a new value. */
  renewed(model: CompiledModel, field: string, ids: readonly Id[]): void {
    const fields = this.#renewed.get(model) ?? new Map<string, Set<Id>>();
    this.#renewed.set(model, fields.set(field, new Set([...(fields.get(field) ?? []), ...ids])));
  }

  created(model: CompiledModel, ids: readonly Id[]): void {
    this.#created.add(model, ids);
    this.trial?.created(model.name, ids);
  }

  /** Whether this operation created the record: its first values aren't changes. */
  isNew(model: CompiledModel, id: Id): boolean {
    return this.#created.get(model)?.has(id) ?? false;
  }

  deleted(model: CompiledModel, ids: readonly Id[]): void {
    this.#deleted.add(model, ids);
  }

  /** Returns distinct ids without the records that this operation deletes. */
  notDeleted(model: CompiledModel, ids: readonly Id[]): Id[] {
    const deleted = this.#deleted.get(model);
    return [...new Set(ids)].filter((id) => !deleted?.has(id));
  }

  /** Calls the model's `validate` with the written fields and the computed fields that changed with them. */
  async validate(bound: BoundModel, ids: readonly Id[], writtenFields: Iterable<string>): Promise<void> {
    const { compiled, self } = bound;
    // Most models don't override it.
    if (!hasOwn(compiled, 'validate')) return;
    this.#validated.add(compiled, ids);
    const fields = [...(this.#renewed.get(compiled) ?? [])];
    const computed = fields.filter(([, renewed]) => ids.some((id) => renewed.has(id))).map(([name]) => name);
    const changed = new Set([...writtenFields, ...computed]);
    if (this.trial) await this.trial.noting(this.ctx, () => self.validate(ids, changed));
    else await self.validate(ids, changed);
  }

  /** Validates records that only changed through computed values. */
  async #validateRenewed(): Promise<void> {
    for (const [model, fields] of this.#renewed) {
      const seen = this.#validated.get(model);
      const ids = this.notDeleted(
        model,
        [...fields.values()].flatMap((renewed) => [...renewed]),
      );
      const unvalidated = ids.filter((id) => !seen?.has(id));
      if (unvalidated.length > 0) await this.validate(this.system(model.name), unvalidated, []);
    }
  }

  /** Schedules a check for when everything is written and computed. */
  check(work: () => Promise<void>): void {
    this.#checks.push(work);
  }

  /**
   * Creates other records as part of this operation. Nested writes go through here, so that the files of create and write don't import each
   * other.
   */
  create(bound: BoundModel, values: readonly AnyValues[], origin?: ThroughField): Promise<Id[]> {
    return createIn(this, bound, values, origin);
  }

  /** Writes other records as part of this operation. */
  write(bound: BoundModel, ids: readonly Id[], values: AnyValues, origin?: ThroughField): Promise<void> {
    return writeIn(this, bound, ids, values, origin);
  }

  /** Schedules work for after all checks. */
  after(work: () => Promise<void>): void {
    this.#after.push(work);
  }

  /** Runs everything that follows the writes. */
  async finish(): Promise<void> {
    await this.recomputation.run();
    for (const [model, ids] of this.#searched) await refreshSearch(this, model, [...ids]);
    // Rules may depend on the written records.
    forgetGuards(this.ctx);
    for (const check of this.#checks) await check();
    await this.#validateRenewed();
    for (const work of this.#after) await work();
    await tellAudit(this.ctx, this.#tracked);
  }
}

class IdsByModel extends Map<CompiledModel, Set<Id>> {
  add(model: CompiledModel, ids: readonly Id[]): void {
    const existing = this.get(model) ?? new Set();
    for (const id of ids) existing.add(id);
    this.set(model, existing);
  }
}

/** Runs a write as a unit: if it fails, it is rolled back completely, and the transaction can continue. */
export async function operate<T>(
  bound: BoundModel,
  name: string,
  work: (operation: WriteOperation) => Promise<T>,
): Promise<T> {
  const operation = new WriteOperation(bound, writeTransaction(bound, name));
  try {
    return await operation.transaction.savepoint(async () => {
      const result = await work(operation);
      await operation.finish();
      return result;
    });
  } catch (error) {
    throw await explainConflict(operation, error);
  }
}

/**
 * Returns the open transaction.
 *
 * @throws DatabaseMisuse if the context may not write
 */
export function writeTransaction({ ctx, compiled }: BoundModel, name: string): Transaction {
  const { transaction } = ctx.get(databaseSession);
  if (transaction && ctx.writes) return transaction;
  throw new DatabaseMisuse(
    `${name} of “${compiled.name}” was called where nothing may be written. Pages, blocks and fragments only read: write in an action, a form or a job. Other routes and public methods declare “writes: true”.`,
  );
}
