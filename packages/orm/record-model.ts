import type { Ctx } from '@pergola/core';
import { databaseSession } from '@pergola/db';
import { allowedIds } from './access/allowed.ts';
import { BOUND, makeBound } from './bind.ts';
import type { BoundModel } from './compiled.ts';
import { localDaysOf } from './compute/local-days.ts';
import type { Fields, Id, Ids } from './fields.ts';
import { displayNamesOf, readLinked, readRecords } from './read/complete.ts';
import { countRecords, findRecords, searchIds } from './read/find.ts';
import { groupRecords } from './read/group.ts';
import { needRecord } from './read/need.ts';
import type { PlainRow, SelectSpec } from './read/select.ts';
import { modelRegistry } from './registry-key.ts';
import type { CountOptions, FindOptions, GroupOptions, GroupRow, ModelName, ModelRef, RawDomain } from './types.ts';
import { copyIn } from './write/copy.ts';
import { defaultValues } from './write/defaults.ts';
import { operate, type WriteOperation, writeTransaction } from './write/operation.ts';
import { tryOut } from './write/trial.ts';
import { unlinkIn } from './write/unlink.ts';

/** Values by field name, for any model. */
export type AnyValues = Readonly<Record<string, unknown>>;
type AnySelect = { readonly select: SelectSpec };

/**
 * Base of every model class: the record operations of {@link Model}, typed loosely here and by the fields in each model's declaration. An
 * instance holds only its context until it is used, so extensions can be applied to it in any registry.
 */
export class RecordModel {
  static readonly modelName: string = '';
  readonly ctx: Ctx;
  readonly [BOUND]: BoundModel;

  constructor(ctx: Ctx) {
    this.ctx = ctx;
    this[BOUND] = makeBound(this, ctx.get(modelRegistry).need(new.target.modelName));
  }

  get modelName(): string {
    return this[BOUND].compiled.name;
  }
  get fields(): Fields {
    return this[BOUND].compiled.declared;
  }

  find(domain: RawDomain, options: FindOptions<SelectSpec>): Promise<PlainRow[]> {
    return this.#counted('find', () => findRecords(this[BOUND], domain, options));
  }
  async first(domain: RawDomain, options: FindOptions<SelectSpec>): Promise<PlainRow | null> {
    const [row] = await this.#counted('first', () => findRecords(this[BOUND], domain, { ...options, limit: 1 }));
    return row ?? null;
  }
  get(id: Id, options: AnySelect): Promise<PlainRow> {
    return this.#counted('get', () => needRecord(this[BOUND], id, options.select));
  }
  read(ids: Ids, options: AnySelect): Promise<PlainRow[]> {
    return this.#counted('read', () => readRecords(this[BOUND], ids, options.select));
  }
  linked(ids: Ids, field: string, domain: RawDomain, { limit }: { readonly limit: number }): Promise<Map<Id, Id[]>> {
    return this.#counted('linked', () => readLinked(this[BOUND], ids, field, { domain, limit }));
  }
  search(domain: RawDomain, options: Omit<FindOptions<never>, 'select'> = {}): Promise<Id[]> {
    return this.#counted('search', () => searchIds(this[BOUND], domain, options));
  }
  count(domain: RawDomain, options: CountOptions = {}): Promise<number> {
    return this.#counted('count', () => countRecords(this[BOUND], domain, options));
  }
  async invariant<T>(lock: ModelRef | ModelName, ids: Ids, count: () => Promise<T>): Promise<T> {
    await this.ctx.lock(lock, ids);
    return count();
  }
  // biome-ignore lint/suspicious/noExplicitAny: groups of any model's fields
  group(domain: RawDomain, options: GroupOptions<any>): Promise<GroupRow[]> {
    return this.#counted('group', () => groupRecords(this[BOUND], domain, options));
  }

  /**
   * All or nothing, like every write: completes defaults, rights, values, lines, computed fields and the model's `validate`, or changes
   * nothing.
   *
   * @throws InvalidInput with a text per field, NotAllowed if access lists, field groups or record rules forbid it, NotFound for records
   * that don't exist or are hidden, Conflict if values clash with other records or a record is still in use. After any of them the
   * transaction is unchanged and can continue.
   */
  create(values: AnyValues): Promise<Id>;
  create(values: readonly AnyValues[]): Promise<Id[]>;
  async create(values: AnyValues | readonly AnyValues[]): Promise<Id | Id[]> {
    const records: readonly AnyValues[] = Array.isArray(values) ? values : [values];
    if (records.length === 0) return [];
    const ids = await this.#operate('create', (operation) => operation.create(this[BOUND], records));
    if (Array.isArray(values)) return ids;
    const [id] = ids;
    if (id === undefined) throw new Error(`create of ${this.modelName} answered no id`);
    return id;
  }
  write(ids: Id | Ids, values: AnyValues): Promise<void> {
    return this.#operate('write', (operation) => operation.write(this[BOUND], asList(ids), values));
  }
  /**
   * Previews a record with these values, new (`null`) or changed: creates or writes it with the usual code and rights, calls `read`, and
   * rolls everything back. The record may be incomplete: a missing required text or number counts as empty, and the model's complaints are
   * recorded (`trialIn`) instead of thrown. Numbers from sequences aren't consumed (`isPreview`).
   */
  preview<T>(id: Id | null, values: AnyValues, read: (id: Id) => Promise<T>): Promise<T> {
    return tryOut(this[BOUND], writeTransaction(this[BOUND], 'preview'), { id, values }, read);
  }
  async unlink(ids: Id | Ids): Promise<void> {
    const list = asList(ids);
    if (list.length > 0) await this.#operate('unlink', (operation) => unlinkIn(operation, this[BOUND], list));
  }
  copy(id: Id, values: AnyValues = {}): Promise<Id> {
    return this.#operate('copy', (operation) => copyIn(operation, this[BOUND], id, values));
  }
  #operate<T>(name: string, work: (operation: WriteOperation) => Promise<T>): Promise<T> {
    return this.#counted(name, () => operate(this[BOUND], name, work));
  }
  /** Registers a running operation with the transaction, so that one without `await` doesn't go unnoticed when the transaction ends. */
  #counted<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { transaction } = this.ctx.get(databaseSession);
    return transaction ? transaction.operation(`${name} of ${this.modelName}`, work) : work();
  }
  defaults(names: readonly string[]): Promise<AnyValues> {
    return defaultValues(this[BOUND], names);
  }

  allowed(ids: Ids, operation: 'read' | 'write' | 'unlink'): Promise<Id[]> {
    return allowedIds(this[BOUND], ids, operation);
  }

  /** Values of the fields declared with `f.localDay`. */
  computeLocalDays(ids: Ids): Promise<Map<Id, unknown>> {
    return localDaysOf(this[BOUND], ids);
  }
  async beforeCreate(values: readonly AnyValues[]): Promise<readonly AnyValues[]> {
    return values;
  }
  async afterCreate(_ids: Ids, _values: readonly AnyValues[]): Promise<void> {}
  async beforeWrite(_ids: Ids, values: AnyValues): Promise<AnyValues> {
    return values;
  }
  async afterWrite(_ids: Ids, _values: AnyValues): Promise<void> {}
  async beforeUnlink(_ids: Ids): Promise<void> {}
  async afterUnlink(_ids: Ids): Promise<void> {}
  async validate(_ids: Ids, _changed: ReadonlySet<string>): Promise<void> {}
  displayNames(ids: Ids): Promise<Map<Id, string>> {
    return displayNamesOf(this[BOUND], ids);
  }
}

function asList(ids: Id | Ids): Ids {
  return typeof ids === 'number' ? [ids] : ids;
}
