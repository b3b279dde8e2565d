import type { Ctx } from '@pergola/core';
import { type ColumnKind, DatabaseMisuse, databaseSession, type Transaction } from '@pergola/db';
import { forgetGuards } from '../access/guard.ts';
import { changedBy } from '../apart.ts';
import { type TrackedChange, tellAudit } from '../audit.ts';
import { boundOf, hasOwn, systemContext } from '../bind.ts';
import type { BoundModel, CompiledField, CompiledModel } from '../compiled.ts';
import { Recomputation } from '../compute/recomputation.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import type { ModelRegistry } from '../registry.ts';
import type { SealingCodec } from '../sealed.ts';
import { explainConflict } from './conflicts.ts';
import { createIn, type ThroughField } from './create.ts';
import { refreshSearch } from './search.ts';
import { columnKinds } from './stored.ts';
import { type Trial, trialIn } from './trial.ts';
import { writeIn } from './write.ts';

/** Rows that a statement is about to write, kept to explain what the database refuses. */
export interface Attempt {
  readonly model: CompiledModel;
  /** Encoded values by column. */
  readonly rows: readonly ReadonlyMap<string, unknown>[];
  /** The records that are changed or deleted; none for new ones. */
  readonly ids: readonly Id[];
}

/**
 * One create, write, unlink or copy with everything that follows from it: lines written through x2many fields, stored computed values, what is
 * checked at the end, the hooks after it, the audit trail.
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
  /** What is only tried out keeps what speaks against it, and goes on. */
  readonly trial: Trial | null;
  attempt: Attempt | null = null;
  readonly #checks: (() => Promise<void>)[] = [];
  readonly #after: (() => Promise<void>)[] = [];
  readonly #tracked: TrackedChange[] = [];
  readonly #searched = new IdsByModel();
  /** Computed fields that got another value, by model. */
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
    this.recomputation = new Recomputation(this);
  }

  /** A model as the system sees it, for kept computed values. */
  system(model: string): BoundModel {
    this.#system ??= systemContext(this.ctx, this.registry);
    return boundOf(this.registry.bind(this.#system, model));
  }

  /** Records of a model changed: any field of theirs, or only these. */
  touch(model: CompiledModel, fields: readonly CompiledField[] = []): void {
    if (!model.volatile) for (const name of changedBy(model, fields)) this.transaction.touch(name);
  }

  /** Links of a model's records changed. */
  touchLinks({ volatile }: CompiledModel, table: string): void {
    if (!volatile) this.transaction.touch(table);
  }

  /** The kinds of a model's columns. */
  kindsOf(model: CompiledModel): ReadonlyMap<string, ColumnKind> {
    return this.registry.memo(`column-kinds:${model.name}`, () => columnKinds(model));
  }

  /** Keeps a change for the audit trail. */
  track(model: CompiledModel, field: CompiledField, id: Id, before: unknown, after: unknown): void {
    // That a password changed belongs in the trail, and neither the old nor the new one.
    const shown = (value: unknown) => (field.secret && value !== null ? '***' : value);
    this.#tracked.push({ model: model.name, id, field: field.name, old: shown(before), new: shown(after) });
  }

  /** The full text of these records has to be made anew. */
  search(model: CompiledModel, ids: readonly Id[]): void {
    this.#searched.add(model, ids);
  }

  /** A computed field of these records got another value. */
  renewed(model: CompiledModel, field: string, ids: readonly Id[]): void {
    const fields = this.#renewed.get(model) ?? new Map<string, Set<Id>>();
    this.#renewed.set(model, fields.set(field, new Set([...(fields.get(field) ?? []), ...ids])));
  }

  created(model: CompiledModel, ids: readonly Id[]): void {
    this.#created.add(model, ids);
    this.trial?.created(model.name, ids);
  }

  /** Whether this operation made the record: its first values are no changes. */
  isNew(model: CompiledModel, id: Id): boolean {
    return this.#created.get(model)?.has(id) ?? false;
  }

  deleted(model: CompiledModel, ids: readonly Id[]): void {
    this.#deleted.add(model, ids);
  }

  /** Each id once, without the records that this operation deletes. */
  notDeleted(model: CompiledModel, ids: readonly Id[]): Id[] {
    const deleted = this.#deleted.get(model);
    return [...new Set(ids)].filter((id) => !deleted?.has(id));
  }

  /** Lets the model refuse what its records have become: the fields that were given and the computed ones that changed with them. */
  async validate(bound: BoundModel, ids: readonly Id[], given: Iterable<string>): Promise<void> {
    const { compiled, self } = bound;
    // Most models have nothing to say.
    if (!hasOwn(compiled, 'validate')) return;
    this.#validated.add(compiled, ids);
    const fields = [...(this.#renewed.get(compiled) ?? [])];
    const computed = fields.filter(([, renewed]) => ids.some((id) => renewed.has(id))).map(([name]) => name);
    const changed = new Set([...given, ...computed]);
    if (this.trial) await this.trial.noting(this.ctx, () => self.validate(ids, changed));
    else await self.validate(ids, changed);
  }

  /** Records that only changed because others did may have become wrong too. */
  async #validateRenewed(): Promise<void> {
    for (const [model, fields] of this.#renewed) {
      const seen = this.#validated.get(model);
      const ids = this.notDeleted(
        model,
        [...fields.values()].flatMap((renewed) => [...renewed]),
      );
      const others = ids.filter((id) => !seen?.has(id));
      if (others.length > 0) await this.validate(this.system(model.name), others, []);
    }
  }

  /** Checked when everything is written and computed. */
  check(work: () => Promise<void>): void {
    this.#checks.push(work);
  }

  /** Creates other records as a part of this operation. Writes that follow from a write come back here, not to each other's files. */
  create(bound: BoundModel, values: readonly AnyValues[], through?: ThroughField): Promise<Id[]> {
    return createIn(this, bound, values, through);
  }

  /** Writes other records as a part of this operation. */
  write(bound: BoundModel, ids: readonly Id[], values: AnyValues, through?: ThroughField): Promise<void> {
    return writeIn(this, bound, ids, values, through);
  }

  /** Done after all checks. */
  after(work: () => Promise<void>): void {
    this.#after.push(work);
  }

  /** Everything that follows once the rows are written. */
  async finish(): Promise<void> {
    await this.recomputation.run();
    for (const [model, ids] of this.#searched) await refreshSearch(this, model, [...ids]);
    // Rules may depend on what was just written.
    forgetGuards(this.ctx);
    for (const check of this.#checks) await check();
    await this.#validateRenewed();
    for (const work of this.#after) await work();
    await tellAudit(this.ctx, this.#tracked);
  }
}

class IdsByModel extends Map<CompiledModel, Set<Id>> {
  add(model: CompiledModel, ids: readonly Id[]): void {
    const known = this.get(model) ?? new Set();
    for (const id of ids) known.add(id);
    this.set(model, known);
  }
}

/** Runs a write as a whole: when it fails, nothing of it stays, and the transaction may go on. */
export async function operate<T>(
  bound: BoundModel,
  what: string,
  work: (operation: WriteOperation) => Promise<T>,
): Promise<T> {
  const operation = new WriteOperation(bound, writeTransaction(bound, what));
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

/** The open transaction. @throws DatabaseMisuse where nothing may be written */
export function writeTransaction({ ctx, compiled }: BoundModel, what: string): Transaction {
  const { transaction } = ctx.get(databaseSession);
  if (transaction && ctx.writes) return transaction;
  throw new DatabaseMisuse(
    `${what} of “${compiled.name}” was called where nothing may be written. Pages, blocks and fragments only read: write in an action, a form or a job. Other routes and public methods declare “writes: true”.`,
  );
}
