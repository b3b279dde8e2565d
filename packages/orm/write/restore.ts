import { type Ctx, InvalidInput } from '@pergola/core';
import type { Row } from '@pergola/db';
import { requireRight } from '../access/rights.ts';
import { bindSudo, boundOf, hasOwn } from '../bind.ts';
import type { BoundModel, CompiledField, CompiledModel, ToMany } from '../compiled.ts';
import { restoreExternalIds } from '../data/external-ids.ts';
import type { Id } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import { type LinkedPair, recordedFields } from '../recording.ts';
import { modelRegistry } from '../registry-key.ts';
import { refuseFixed, refuseFixedLines, requireByState } from './conditions.ts';
import { operate, type WriteOperation } from './operation.ts';
import {
  asWritten,
  deletionOrder,
  type Restoration,
  refusingMethod,
  type StoredValues,
  sameValues,
} from './restoration.ts';
import { requireFieldsNamed, requireLimited } from './rights.ts';
import { deleteRows, insertLinks, insertRows, selectRows, updateEach } from './sql.ts';
import { columnValues, decodeValue } from './stored.ts';
import { rehearsed } from './trial.ts';

/**
 * Restores an earlier state of records with the caller's rights: values exactly as they were, without the hooks that react to changes,
 * because their effects on other records are restored as well. Hooks that refuse changes run first, computed values and full text
 * follow, and rights, record rules, conditions and `validate` hold for the result. All or nothing.
 *
 * ```
 * remove links ─▶ update ─▶ delete ─▶ insert, parents first ─▶ add links ─▶ computed values, full text ─▶ rights and validate
 * ```
 */
export async function restore(ctx: Ctx, restoration: Restoration): Promise<void> {
  const { inserted, updated, deleted, linked } = restoration;
  const models = [...inserted.keys(), ...updated.keys(), ...deleted.keys()];
  const name = models[0]?.name ?? [...linked.keys()][0]?.model;
  if (name === undefined) return;
  await operate(boundIn(ctx, name), 'undo', (operation) => new Restorer(operation, restoration).run());
}

function boundIn(ctx: Ctx, model: string): BoundModel {
  return boundOf(ctx.get(modelRegistry).bind(ctx, model));
}

class Restorer {
  readonly #operation: WriteOperation;
  readonly #restoration: Restoration;
  readonly #ctx: Ctx;
  /** Records that aren't inserted yet, by model name. */
  readonly #missing: Map<string, Set<Id>>;
  /** Values of existing records until now. */
  readonly #previous = new Map<CompiledModel, Map<Id, StoredValues>>();
  /** Values that refer to records inserted later. */
  readonly #later = new Map<CompiledModel, Map<Id, Map<CompiledField, unknown>>>();

  constructor(operation: WriteOperation, restoration: Restoration) {
    this.#operation = operation;
    this.#restoration = restoration;
    this.#ctx = operation.ctx;
    this.#missing = new Map([...restoration.inserted].map(([model, records]) => [model.name, new Set(records.keys())]));
  }

  async run(): Promise<void> {
    const { inserted, updated, linked, externalIds } = this.#restoration;
    for (const [model, records] of updated) await this.#requireWritable(model, records);
    await this.#rehearseLinks();
    for (const [field, { removed }] of linked) await this.#unlink(field, removed);
    const fixed = await this.#fixedRecords();
    const fixedLines = await this.#fixedLines();
    for (const [model, records] of updated) await this.#update(model, this.#available(model, records));
    await this.#delete();
    await this.#insertAll(inserted);
    for (const [model, records] of this.#later) await this.#update(model, records);
    for (const [field, { added }] of linked) await this.#link(field, added);
    await restoreExternalIds(this.#operation.transaction, externalIds);
    for (const [model, records] of updated) this.#checkUpdated(model, records, fixed.get(model) ?? new Set());
    for (const model of fixedLines) await this.#refuseLines(model);
  }

  #bound(model: CompiledModel | string): BoundModel {
    return boundIn(this.#ctx, typeof model === 'string' ? model : model.name);
  }

  async #requireWritable(model: CompiledModel, records: ReadonlyMap<Id, StoredValues>): Promise<void> {
    const bound = this.#bound(model);
    const fields = new Set([...records.values()].flatMap((values) => [...values.keys()]));
    requireRight(bound, 'write');
    requireFieldsNamed(
      bound,
      [...fields].map(({ name }) => name),
    );
    await requireLimited(bound, [...records.keys()], 'write');
    const method = refusingMethod(model);
    if (method === null) return;
    for (const [ids, values] of sameValues(records)) await this.#rehearse(bound, method, ids, values);
  }

  /** Lets the model refuse a change, without the changes it makes along with it. */
  async #rehearse(
    bound: BoundModel,
    method: 'write' | 'beforeWrite',
    ids: readonly Id[],
    values: AnyValues,
  ): Promise<void> {
    await rehearsed(this.#ctx, this.#operation.transaction, async () => {
      await bound.self[method](ids, values);
    });
  }

  async #rehearseLinks(): Promise<void> {
    for (const [field, { added, removed }] of this.#restoration.linked) {
      const model = this.#operation.registry.need(field.model);
      const bound = this.#bound(model);
      const ids = this.#operation.notDeleted(
        model,
        [...added, ...removed].map(([from]) => from).filter((id) => !this.#isPart(model, id)),
      );
      if (ids.length === 0) continue;
      requireRight(bound, 'write');
      requireFieldsNamed(bound, [field.name]);
      await requireLimited(bound, ids, 'write');
      const method = refusingMethod(model);
      if (method === null || field.relation?.kind !== 'many2many') continue;
      for (const id of ids) {
        const links = new Set(await this.#linksOf(field.relation, id));
        for (const [from, to] of added)
          if (from === id && !this.#missing.get(field.relation.to)?.has(to)) links.add(to);
        for (const [from, to] of removed) if (from === id) links.delete(to);
        await this.#rehearse(bound, method, [id], { [field.name]: [...links] });
      }
    }
  }

  /** Whether the restoration inserts or deletes a record: its links are part of it. */
  #isPart(model: CompiledModel, id: Id): boolean {
    const { inserted, deleted } = this.#restoration;
    return Boolean(inserted.get(model)?.has(id) || deleted.get(model)?.includes(id));
  }

  async #linksOf({ table, from, toColumn }: ToMany, id: Id): Promise<Id[]> {
    const rows = await selectRows(this.#operation.transaction, table, [from, toColumn], { column: from, ids: [id] });
    return rows.map((row) => Number(row[toColumn]));
  }

  async #unlink(field: CompiledField, pairs: readonly LinkedPair[]): Promise<void> {
    if (pairs.length === 0 || field.relation?.kind !== 'many2many') return;
    const { table, from, toColumn } = field.relation;
    for (const [to, samePairs] of Map.groupBy(pairs, ([, to]) => to)) {
      const ids = samePairs.map(([id]) => id);
      await deleteRows(this.#operation.transaction, table, [
        { column: from, ids },
        { column: toColumn, ids: [to] },
      ]);
    }
    await this.#linksChanged(field, field.relation, [], pairs);
  }

  async #link(field: CompiledField, pairs: readonly LinkedPair[]): Promise<void> {
    if (pairs.length === 0 || field.relation?.kind !== 'many2many') return;
    const { table, from, toColumn, to } = field.relation;
    const { registry, transaction } = this.#operation;
    const tables = [registry.need(field.model).table, registry.need(to).table] as const;
    await insertLinks(transaction, table, [from, toColumn], tables, pairs);
    await this.#linksChanged(field, field.relation, pairs, []);
  }

  async #linksChanged(
    field: CompiledField,
    relation: ToMany,
    added: readonly LinkedPair[],
    removed: readonly LinkedPair[],
  ): Promise<void> {
    const { registry, recomputation } = this.#operation;
    const model = registry.need(field.model);
    this.#operation.recorder(model)?.linked(field, added, removed);
    this.#operation.touchLinks(model, relation.table);
    const pairs = [...added, ...removed];
    const ids = [...new Set(pairs.map(([from]) => from))];
    await recomputation.changed(model, [field.name], ids);
    const target = registry.need(relation.to);
    const targetIds = [...new Set(pairs.map(([, to]) => to))];
    for (const { name, relation: reverse } of target.fields.values())
      if (reverse?.kind === 'many2many' && reverse.table === relation.table && reverse.from === relation.toColumn)
        await recomputation.changed(target, [name], targetIds);
    const bound = this.#bound(model);
    this.#operation.check(() => this.#operation.validate(bound, this.#operation.notDeleted(model, ids), [field.name]));
  }

  /** Returns the records with values that their present state makes read-only. */
  async #fixedRecords(): Promise<ReadonlyMap<CompiledModel, ReadonlySet<Id>>> {
    const fixed = new Map<CompiledModel, Set<Id>>();
    for (const [model, records] of this.#restoration.updated) {
      const ids = new Set<Id>();
      for (const [group, values] of sameValues(records)) {
        const isFree = await this.#isFree(model, group, [values]);
        if (!isFree) for (const id of group) ids.add(id);
      }
      fixed.set(model, ids);
    }
    return fixed;
  }

  /** Returns the models of deleted lines whose present parents accept no lines. */
  async #fixedLines(): Promise<readonly CompiledModel[]> {
    const fixed: CompiledModel[] = [];
    for (const model of this.#restoration.inserted.keys())
      if (!(await this.#isFree(model, [], this.#lineValues(model)))) fixed.push(model);
    return fixed;
  }

  async #refuseLines(model: CompiledModel): Promise<void> {
    await refuseFixedLines(this.#operation, this.#bound(model), [], this.#lineValues(model));
  }

  /** Returns the values of records to insert, except lines of other restored records. */
  #lineValues(model: CompiledModel): readonly AnyValues[] {
    const dependents = this.#restoration.dependents.get(model);
    const records = [...(this.#restoration.inserted.get(model) ?? [])];
    return records.filter(([id]) => !dependents?.has(id)).map(([, values]) => asWritten(values));
  }

  async #isFree(model: CompiledModel, ids: readonly Id[], records: readonly AnyValues[]): Promise<boolean> {
    const bound = this.#bound(model);
    try {
      await refuseFixedLines(this.#operation, bound, ids, records);
      for (const values of records) await refuseFixed(this.#operation, bound, ids, values);
      return true;
    } catch (error) {
      if (error instanceof InvalidInput) return false;
      throw error;
    }
  }

  /** Returns the values except references to records not inserted yet. */
  #available(model: CompiledModel, records: ReadonlyMap<Id, StoredValues>): ReadonlyMap<Id, StoredValues> {
    if (this.#missing.size === 0) return records;
    const available = new Map<Id, Map<CompiledField, unknown>>();
    for (const [id, values] of records) {
      const present = new Map(values);
      for (const [field, value] of values) {
        if (!this.#isMissing(field, value)) continue;
        this.#postpone(model, id, field, value);
        if (field.required) present.delete(field);
        else present.set(field, null);
      }
      available.set(id, present);
    }
    return available;
  }

  #isMissing({ relation }: CompiledField, value: unknown): boolean {
    return relation?.kind === 'many2one' && Boolean(this.#missing.get(relation.to)?.has(Number(value)));
  }

  #postpone(model: CompiledModel, id: Id, field: CompiledField, value: unknown): void {
    const records = this.#later.get(model) ?? new Map<Id, Map<CompiledField, unknown>>();
    this.#later.set(model, records.set(id, (records.get(id) ?? new Map()).set(field, value)));
  }

  async #update(model: CompiledModel, records: ReadonlyMap<Id, StoredValues>): Promise<void> {
    const { transaction, codec, recomputation } = this.#operation;
    const byFields = Map.groupBy(records, ([, values]) => [...values.keys()].map(({ name }) => name).join());
    const stamps = this.#stamps(model);
    for (const group of byFields.values()) {
      const fields = [...(group[0]?.[1].keys() ?? [])];
      if (fields.length === 0) continue;
      const ids = group.map(([id]) => id);
      const names = fields.map(({ name }) => name);
      const columns = ['id', ...fields.map(({ column }) => column ?? '')];
      await recomputation.changing(model, names, ids);
      const before = await selectRows(transaction, model.table, columns, { column: 'id', ids });
      const updates = new Map(
        group.map(([id, values]) => {
          const encoded = [...stamps, ...values].flatMap(([field, value]) => columnValues(codec, field, value));
          return [id, new Map(encoded)];
        }),
      );
      this.#rememberPrevious(model, fields, before);
      this.#operation.recorder(model)?.updated(model, before, (id) => updates.get(id) ?? new Map());
      this.#operation.attempt = { model, rows: [...updates.values()], ids };
      await updateEach(transaction, model.table, updates, { kinds: this.#operation.kindsOf(model) });
      this.#operation.touch(model, fields);
      await recomputation.changed(model, names, ids);
      this.#operation.search(model, ids);
    }
  }

  #rememberPrevious(model: CompiledModel, fields: readonly CompiledField[], rows: readonly Row[]): void {
    const { codec } = this.#operation;
    const records = this.#previous.get(model) ?? new Map<Id, StoredValues>();
    this.#previous.set(model, records);
    for (const row of rows) {
      const id = Number(row.id);
      const values = fields.map((field) => [field, decodeValue(codec, field, row[field.column ?? ''])] as const);
      // Values postponed and written twice keep the first one.
      if (!records.has(id)) records.set(id, new Map(values));
    }
  }

  #stamps(model: CompiledModel): [CompiledField, unknown][] {
    const values: Readonly<Record<string, unknown>> = { write_date: this.#ctx.now(), write_uid: this.#ctx.user.id };
    return Object.entries(values).flatMap(([name, value]): [CompiledField, unknown][] => {
      const field = model.fields.get(name);
      return field && field.column !== null ? [[field, value]] : [];
    });
  }

  async #delete(): Promise<void> {
    const { deleted } = this.#restoration;
    for (const model of deletionOrder([...deleted.keys()])) {
      const ids = deleted.get(model) ?? [];
      const { table } = model;
      const rows = await selectRows(this.#operation.transaction, table, ['id'], { column: 'id', ids });
      // Others are deleted as part of a record deleted before.
      const present = rows.map(({ id }) => Number(id));
      if (present.length > 0) await this.#bound(model).self.unlink(present);
    }
  }

  async #insertAll(inserted: Restoration['inserted']): Promise<void> {
    const pending = new Map([...inserted].map(([model, records]) => [model, new Map(records)]));
    for (let isStuck = false; [...pending.values()].some(({ size }) => size > 0); ) {
      let progress = 0;
      for (const [model, records] of pending) {
        const ready = new Map<Id, StoredValues>();
        for (const [id, values] of records) {
          const waits = [...values].some(([field, value]) => field.required && this.#isMissing(field, value));
          if (!waits || isStuck) ready.set(id, values);
        }
        if (ready.size === 0) continue;
        await this.#insert(model, ready);
        for (const id of ready.keys()) {
          records.delete(id);
          this.#missing.get(model.name)?.delete(id);
        }
        progress += ready.size;
      }
      isStuck = progress === 0;
    }
  }

  async #insert(model: CompiledModel, records: ReadonlyMap<Id, StoredValues>): Promise<void> {
    const operation = this.#operation;
    const { transaction, codec, recomputation } = operation;
    const dependents = this.#restoration.dependents.get(model);
    const ownIds = [...records.keys()].filter((id) => !dependents?.has(id));
    const bound = this.#bound(model);
    if (ownIds.length > 0) await this.#requireCreatable(bound, ownIds, records);
    const stamps = this.#stamps(model);
    const ids = [...records.keys()].sort((a, b) => a - b);
    const rows = ids.map((id) => {
      const values = new Map([...(records.get(id) ?? []), ...stamps]);
      for (const [field, value] of values) {
        if (!this.#isMissing(field, value)) continue;
        values.set(field, null);
        this.#postpone(model, id, field, value);
      }
      const row = new Map<string, unknown>([['id', id]]);
      for (const field of model.fields.values()) {
        if (field.name === 'id') continue;
        const value = values.get(field) ?? (field.type === 'boolean' ? false : null);
        for (const [column, encoded] of columnValues(codec, field, value)) row.set(column, encoded);
      }
      return row;
    });
    const columns = [...(rows[0]?.keys() ?? [])];
    const encoded = rows.map((row) => columns.map((column) => row.get(column) ?? null));
    operation.attempt = { model, rows, ids: [] };
    await insertRows(transaction, model.table, columns, encoded);
    await followIds(operation, model);
    operation.recorder(model)?.created(model, ids, columns, encoded);
    operation.created(model, ids);
    operation.touch(model);
    operation.search(model, ids);
    await recomputation.created(model, ids);
    const names = [...recordedFields(model).values()].map(({ name }) => name);
    const checked = (ownBound: BoundModel, checkedIds: readonly Id[]) =>
      operation.check(async () => {
        if (checkedIds.length === 0) return;
        await requireByState(operation, ownBound, checkedIds);
        await requireLimited(ownBound, checkedIds, 'create');
        await operation.validate(ownBound, checkedIds, names);
      });
    checked(bound, ownIds);
    checked(
      bindSudo(bound),
      ids.filter((id) => dependents?.has(id)),
    );
  }

  async #requireCreatable(
    bound: BoundModel,
    ids: readonly Id[],
    records: ReadonlyMap<Id, StoredValues>,
  ): Promise<void> {
    requireRight(bound, 'create');
    if (!hasOwn(bound.compiled, 'beforeCreate')) return;
    const values = ids.map((id) => asWritten(records.get(id) ?? new Map()));
    await rehearsed(this.#ctx, this.#operation.transaction, async () => {
      await bound.self.beforeCreate(values);
    });
  }

  #checkUpdated(model: CompiledModel, records: ReadonlyMap<Id, StoredValues>, fixed: ReadonlySet<Id>): void {
    const operation = this.#operation;
    const bound = this.#bound(model);
    operation.check(async () => {
      for (const [group, values] of sameValues(records)) {
        const ids = operation.notDeleted(model, group);
        if (ids.length === 0) continue;
        await requireByState(operation, bound, ids);
        await requireLimited(bound, ids, 'write');
        await operation.validate(bound, ids, Object.keys(values));
      }
      // The restored state may allow what the state before it refused.
      const previous = [...(this.#previous.get(model) ?? [])].filter(([id]) => fixed.has(id));
      for (const [ids, values] of sameValues(new Map(previous))) {
        await refuseFixedLines(operation, bound, ids, []);
        await refuseFixed(operation, bound, ids, values);
      }
    });
  }
}

/** Keeps new ids of PostgreSQL above restored ones, which a backup may have been made without. */
async function followIds({ transaction }: WriteOperation, { table }: CompiledModel): Promise<void> {
  if (transaction.dialect === 'sqlite') return;
  const sql = `select setval(s.name, greatest((select max(id) from "${table}"), (select last_value from pg_sequences where format('%I.%I', schemaname, sequencename)::regclass = s.name::regclass)))
    from (select pg_get_serial_sequence($1, 'id') as name) as s`;
  await transaction.query({ sql, bindings: [`"${table}"`], changesNothing: true });
}
