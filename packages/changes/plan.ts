import { isDeepStrictEqual } from 'node:util';
import { type Ctx, neverKept } from '@pergola/core';
import { databaseSession, type Row, transactionOf } from '@pergola/db';
import {
  type BoundModel,
  boundOf,
  type CompiledField,
  type CompiledModel,
  type ExternalId,
  type Id,
  isRecorded,
  type LinkedPair,
  type ModelRegistry,
  modelRegistry,
  type Restoration,
  recordedFields,
  referencesTo,
  type StoredValues,
  selectIds,
  selectRows,
} from '@pergola/orm';
import { t } from '@pergola/texts';
import { type Image, imageOfRow, imageValue, normalValue, storedValue, storedValues } from './image.ts';
import { recordName } from './names.ts';
import type { ChangeKind, ChangeRow, RecordChange } from './store.ts';

/** A value that can't be restored, because it changed since. */
export interface UndoConflict {
  readonly model: string;
  /** Null if the change as a whole is refused. */
  readonly id: Id | null;
  readonly name: string;
  /** Null for the record itself. */
  readonly field: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly now: unknown;
  /** Why, if the values don't show it. */
  readonly message?: string;
}

/** Options of an undo. */
export interface UndoOptions {
  /** Only these records. */
  readonly records?: readonly { readonly model: string; readonly id: Id }[];
  /** Only these fields; records created or deleted stay. */
  readonly fields?: readonly string[];
  /** Undoes what isn't in conflict. Otherwise nothing is undone if anything is. */
  readonly isPartial?: boolean;
  /** Changes nothing. */
  readonly isDryRun?: boolean;
}

interface Entry {
  readonly model: CompiledModel;
  readonly change: RecordChange;
}

/** Compares a change set with the present state, and determines what to restore. */
export class UndoPlan {
  readonly #ctx: Ctx;
  readonly #registry: ModelRegistry;
  readonly #rows: readonly ChangeRow[];
  readonly #options: UndoOptions;
  readonly conflicts: UndoConflict[] = [];
  readonly irreversibleModels = new Set<CompiledModel>();
  readonly secretFields = new Set<CompiledField>();
  /** Records restored so far, as `model id`. */
  readonly #restored = new Set<string>();
  readonly #inserted = new Map<CompiledModel, Map<Id, StoredValues>>();
  readonly #dependents = new Map<CompiledModel, Set<Id>>();
  readonly #updated = new Map<CompiledModel, Map<Id, StoredValues>>();
  readonly #deleted = new Map<CompiledModel, Id[]>();
  readonly #linked = new Map<CompiledField, { added: LinkedPair[]; removed: LinkedPair[] }>();
  readonly #externalIds: ExternalId[] = [];

  constructor(ctx: Ctx, rows: readonly ChangeRow[], options: UndoOptions) {
    this.#ctx = ctx;
    this.#registry = ctx.get(modelRegistry);
    this.#rows = rows;
    this.#options = options;
  }

  get count(): number {
    return this.#restored.size;
  }

  /** Whether only part of the set is selected. */
  get isSelection(): boolean {
    return this.#options.records !== undefined || this.#options.fields !== undefined;
  }

  get restoration(): Restoration {
    return {
      inserted: this.#inserted,
      dependents: this.#dependents,
      updated: this.#updated,
      deleted: this.#deleted,
      linked: this.#linked,
      externalIds: this.#externalIds,
    };
  }

  async make(): Promise<this> {
    // A page that shows this isn't cached, since it depends on rows of any model.
    neverKept(this.#ctx, 'it compares changes with the present state');
    const byKind = (kind: ChangeKind) => this.#entries(kind);
    const [deleted, updated, created, linked] = [byKind('unlink'), byKind('write'), byKind('create'), byKind('link')];
    for (const [model, changes] of deleted)
      await this.#planInserts(model, changes.map(withValuesBefore(updated.get(model) ?? [])));
    for (const [model, changes] of updated) {
      const ids = new Set(deleted.get(model)?.map(({ id }) => id));
      await this.#planUpdates(
        model,
        changes.filter(({ id }) => !ids.has(id)),
      );
    }
    await this.#checkReferences();
    for (const [model, changes] of created) await this.#planDeletes(model, changes);
    await this.#checkReferrers();
    for (const [model, changes] of linked) await this.#planLinks(model, changes);
    return this;
  }

  /** Selected changes of one kind, by model. */
  #entries(kind: ChangeKind): Map<CompiledModel, readonly RecordChange[]> {
    const entries: Entry[] = [];
    const { records: selected, fields } = this.#options;
    const keys = selected && new Set(selected.map(({ model, id }) => `${model} ${id}`));
    for (const { model: name, records } of this.#rows.filter((row) => row.kind === kind)) {
      if (fields && kind !== 'write' && kind !== 'link') continue;
      const model = this.#registry.get(name);
      if (!model || !isRecorded(model, { isDeletion: true })) {
        this.#addMissingModel(name, records);
        continue;
      }
      for (const change of records) if (!keys || keys.has(`${name} ${change.id}`)) entries.push({ model, change });
    }
    for (const { model } of entries) if (model.options.irreversible) this.irreversibleModels.add(model);
    const reversible = entries.filter(({ model }) => !model.options.irreversible);
    const groups = Map.groupBy(reversible, ({ model }) => model);
    return new Map(
      [...groups].map(([model, group]) => [model, kind === 'link' ? changesOf(group) : merged(changesOf(group))]),
    );
  }

  #addMissingModel(model: string, records: readonly RecordChange[]): void {
    const message = t(this.#ctx, 'The app of “{model}” isn’t enabled.', { model });
    for (const { id } of records)
      this.conflicts.push({
        model,
        id,
        name: `${model} ${id}`,
        field: null,
        before: null,
        after: null,
        now: null,
        message,
      });
  }

  async #planInserts(model: CompiledModel, changes: readonly RecordChange[]): Promise<void> {
    const present = await this.#present(model, changes, ['id']);
    for (const change of changes) {
      const { id, before = {}, isDependent, externalIds = [] } = change;
      if (present.has(id)) {
        await this.#conflict(model, change, null, { before: null, after: null, now: id });
        continue;
      }
      for (const field of model.fields.values())
        if (field.secret && field.column !== null) this.secretFields.add(field);
      into(this.#inserted, model).set(id, storedValues(model, before));
      if (isDependent) this.#dependents.set(model, (this.#dependents.get(model) ?? new Set()).add(id));
      this.#externalIds.push(...externalIds);
      this.#restored.add(`${model.name} ${id}`);
    }
  }

  async #planUpdates(model: CompiledModel, changes: readonly RecordChange[]): Promise<void> {
    const { fields: selected } = this.#options;
    const recorded = recordedFields(model);
    const columns = new Set(changes.flatMap(({ before = {} }) => Object.keys(before)));
    const known = [...columns].filter((column) => recorded.has(column));
    const present = await this.#present(model, changes, ['id', ...known]);
    for (const change of changes) {
      const { id, before = {}, after = {} } = change;
      const row = present.get(id);
      if (!row) {
        await this.#conflict(model, change, null, { before, after, now: null });
        continue;
      }
      const values = new Map<CompiledField, unknown>();
      for (const column of Object.keys(before)) {
        const field = recorded.get(column);
        if (!field || (selected && !selected.includes(field.name))) continue;
        const now = this.#valueOf(field, row[column]);
        const previous = normalValue(field.kind, before[column]);
        const written = normalValue(field.kind, after[column]);
        if (isDeepStrictEqual(now, previous)) continue;
        if (isDeepStrictEqual(now, written)) values.set(field, storedValue(field, previous));
        else await this.#conflict(model, change, field, { before: previous, after: written, now });
      }
      if (values.size === 0) continue;
      into(this.#updated, model).set(id, values);
      this.#restored.add(`${model.name} ${id}`);
    }
  }

  /** Restored values that refer to records which exist neither now nor after the undo are conflicts. */
  async #checkReferences(): Promise<void> {
    for (const restored of [this.#inserted, this.#updated]) {
      for (const [model, records] of restored) {
        for (const field of model.fields.values()) {
          const { relation, base } = field;
          if (relation?.kind !== 'many2one' || base || field.column === null) continue;
          const targets = new Map<Id, Id[]>();
          for (const [id, values] of records) {
            const target = values.get(field);
            if (typeof target === 'number') targets.set(target, [...(targets.get(target) ?? []), id]);
          }
          if (targets.size === 0) continue;
          const existing = await this.#existing(relation.to, [...targets.keys()]);
          for (const [target, ids] of targets) {
            if (existing.has(target)) continue;
            for (const id of ids) await this.#dropMissing(model, id, field, target, restored === this.#inserted);
          }
        }
      }
    }
  }

  async #dropMissing(model: CompiledModel, id: Id, field: CompiledField, target: Id, isInsert: boolean): Promise<void> {
    await this.#conflict(model, { id }, field, { before: target, after: null, now: null });
    const records = isInsert ? this.#inserted.get(model) : this.#updated.get(model);
    const remaining = new Map(records?.get(id));
    remaining.delete(field);
    if (isInsert || remaining.size === 0) {
      records?.delete(id);
      this.#restored.delete(`${model.name} ${id}`);
    } else records?.set(id, remaining);
  }

  /** Returns the ids that exist now, or will. */
  async #existing(name: string, ids: readonly Id[]): Promise<Set<Id>> {
    const model = this.#registry.need(name);
    const present = await selectIds(transactionOf(this.#ctx), model.table, 'id', { column: 'id', ids });
    return new Set([...present, ...(this.#inserted.get(model)?.keys() ?? [])]);
  }

  async #planDeletes(model: CompiledModel, changes: readonly RecordChange[]): Promise<void> {
    const recorded = recordedFields(model);
    const present = await this.#present(model, changes, ['id', ...recorded.keys()]);
    for (const change of changes) {
      const { id, after = {} } = change;
      const row = present.get(id);
      // Deleted since.
      if (!row) continue;
      const now = imageOfRow(this.#codec, recorded, row);
      const changed = [...recorded].filter(
        ([column]) => !isDeepStrictEqual(now[column] ?? null, after[column] ?? null),
      );
      for (const [column, field] of changed)
        await this.#conflict(model, change, field, {
          before: null,
          after: after[column] ?? null,
          now: now[column] ?? null,
        });
      if (changed.length > 0) continue;
      this.#deleted.set(model, [...(this.#deleted.get(model) ?? []), id]);
      this.#restored.add(`${model.name} ${id}`);
    }
  }

  /** Records that others refer to by now are kept. */
  async #checkReferrers(): Promise<void> {
    for (let isSettled = false; !isSettled; ) {
      isSettled = true;
      for (const [model, ids] of this.#deleted) {
        const used = await this.#usedBy(model, ids);
        if (used.size === 0) continue;
        isSettled = false;
        for (const [id, [field, user]] of used) {
          const now = await this.#nameOf(this.#registry.need(field.model), user);
          await this.#conflict(model, { id }, null, {
            before: null,
            after: null,
            now: `${field.model}.${field.name}: ${now}`,
          });
          this.#restored.delete(`${model.name} ${id}`);
        }
        this.#deleted.set(
          model,
          ids.filter((id) => !used.has(id)),
        );
      }
    }
  }

  /** Returns a record that refers to each of these, beyond those that are deleted or changed along with them. */
  async #usedBy(model: CompiledModel, ids: readonly Id[]): Promise<Map<Id, [CompiledField, Id]>> {
    const used = new Map<Id, [CompiledField, Id]>();
    const transaction = transactionOf(this.#ctx);
    for (const { field, isLink, table, from, to } of referencesTo(this.#registry, model.name)) {
      const source = this.#registry.need(field.model);
      // Links, counters and trails go with the record.
      if (isLink || !isRecorded(source)) continue;
      const rows = await selectRows(transaction, table, [from, to], { column: to, ids });
      const deleted = new Set(this.#deleted.get(source));
      const updated = this.#updated.get(source);
      for (const row of rows) {
        const user = Number(row[from]);
        if (deleted.has(user) || updated?.get(user)?.has(field)) continue;
        used.set(Number(row[to]), [field, user]);
      }
    }
    return used;
  }

  async #planLinks(model: CompiledModel, changes: readonly RecordChange[]): Promise<void> {
    const { fields: selected } = this.#options;
    for (const [name, group] of Map.groupBy(changes, ({ field = '' }) => field)) {
      const field = model.fields.get(name);
      if (field?.relation?.kind !== 'many2many' || (selected && !selected.includes(name))) continue;
      const { to, table, from, toColumn } = field.relation;
      const ids = group.map(({ id }) => id);
      const rows = await selectRows(transactionOf(this.#ctx), table, [from, toColumn], { column: from, ids });
      const links = new Set(rows.map((row) => `${row[from]} ${row[toColumn]}`));
      const sources = await this.#existing(model.name, ids);
      const targets = await this.#existing(to, [...new Set(group.flatMap(({ removed = [] }) => removed))]);
      const plan = { added: [] as LinkedPair[], removed: [] as LinkedPair[] };
      for (const { id, added = [], removed = [] } of group) {
        for (const target of added)
          if (links.has(`${id} ${target}`) && !this.#isDeleted(model, id)) plan.removed.push([id, target]);
        for (const target of removed) {
          if (links.has(`${id} ${target}`)) continue;
          // Of a record that stays deleted, the record itself is the conflict.
          if (!sources.has(id)) continue;
          if (targets.has(target)) plan.added.push([id, target]);
          else await this.#conflict(model, { id }, field, { before: target, after: null, now: null });
        }
      }
      if (plan.added.length + plan.removed.length === 0) continue;
      this.#linked.set(field, plan);
      for (const [id] of [...plan.added, ...plan.removed]) this.#restored.add(`${model.name} ${id}`);
    }
  }

  /** Deleting a record removes its links. */
  #isDeleted(model: CompiledModel, id: Id): boolean {
    return this.#deleted.get(model)?.includes(id) ?? false;
  }

  get #codec() {
    return this.#ctx.get(databaseSession).database.codec;
  }

  #valueOf(field: CompiledField, raw: unknown): unknown {
    return imageValue(this.#codec, field.kind, raw);
  }

  async #present(
    model: CompiledModel,
    changes: readonly RecordChange[],
    columns: readonly string[],
  ): Promise<Map<Id, Row>> {
    const ids = changes.map(({ id }) => id);
    const rows = await selectRows(transactionOf(this.#ctx), model.table, columns, { column: 'id', ids });
    return new Map(rows.map((row) => [Number(row.id), row]));
  }

  async #conflict(
    model: CompiledModel,
    change: { readonly id: Id; readonly before?: Image },
    field: CompiledField | null,
    values: Pick<UndoConflict, 'before' | 'after' | 'now'>,
  ): Promise<void> {
    const name = await this.#nameOf(model, change.id, change.before);
    this.conflicts.push({ model: model.name, id: change.id, name, field: field?.name ?? null, ...values });
  }

  #nameOf(model: CompiledModel, id: Id, image?: Image): Promise<string> {
    return recordName(this.#bound(model), id, image);
  }

  #bound(model: CompiledModel): BoundModel {
    return boundOf(this.#registry.bind(this.#ctx, model.name));
  }
}

function changesOf(entries: readonly Entry[]): RecordChange[] {
  return entries.map(({ change }) => change);
}

/** Returns a deletion with the values that the record had before it was changed, since changes of many records are stored by themselves. */
function withValuesBefore(updates: readonly RecordChange[]): (deletion: RecordChange) => RecordChange {
  const byId = new Map(updates.map((update) => [update.id, update]));
  return (deletion) => ({ ...deletion, before: { ...deletion.before, ...byId.get(deletion.id)?.before } });
}

/** Combines changes of the same record: the first value before, and the last one after. */
function merged(changes: readonly RecordChange[]): RecordChange[] {
  const records = new Map<Id, RecordChange>();
  for (const change of changes) {
    const earlier = records.get(change.id);
    records.set(
      change.id,
      earlier
        ? { ...change, before: { ...change.before, ...earlier.before }, after: { ...earlier.after, ...change.after } }
        : change,
    );
  }
  return [...records.values()];
}

function into<V>(records: Map<CompiledModel, Map<Id, V>>, model: CompiledModel): Map<Id, V> {
  const existing = records.get(model) ?? new Map<Id, V>();
  records.set(model, existing);
  return existing;
}
