import type { Connection, Row } from '@pergola/db';
import type { BoundModel, CompiledField, CompiledModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import { refuseCircle } from '../write/circles.ts';
import type { WriteOperation } from '../write/operation.ts';
import { isSearched } from '../write/search.ts';
import { batches, selectIds, selectRows, updateEach } from '../write/sql.ts';
import { columnValues, decodeValue, sameValue } from '../write/stored.ts';
import { type ComputeNode, type DependencyGraph, dependencyGraph, type Trigger } from './graph.ts';
import { distinct } from './graph-builder.ts';
import { computeBatch, computeValues } from './values.ts';

/** Limit on rounds, deeper than any tree. */
const maxRounds = 500;

/** The dependency graph of a registry, built once. */
function graphOf(bound: Pick<BoundModel, 'registry'>): DependencyGraph {
  return bound.registry.memo('dependency-graph', () => dependencyGraph(bound.registry));
}

/**
 * Stored computed values that an operation made stale. Collects every change and recalculates the values together, node by node in
 * dependency order, each record once (records that depend on their own kind, as in a tree, until nothing changes).
 */
export class Recomputation {
  readonly #operation: WriteOperation;
  readonly #graph: DependencyGraph;
  readonly #pending = new Map<ComputeNode, Set<Id>>();
  readonly #rounds = new Map<ComputeNode, number>();

  constructor(operation: WriteOperation) {
    this.#operation = operation;
    this.#graph = graphOf(operation);
  }

  /** Schedules all values of new records, and values of the records that now have them as lines. */
  async created(model: CompiledModel, ids: readonly Id[]): Promise<void> {
    for (const node of this.#graph.nodesOf(model.name)) this.#add(node, ids);
    // Many2one fields and links that point to a new record are written later and trigger then.
    await this.#addAll(
      this.#graph.triggersOf(model.name).filter(({ route }) => linesBy(route)),
      ids,
    );
  }

  /** Called before fields change: schedules the records that lose these as lines. */
  async changing(model: CompiledModel, fields: Iterable<string>, ids: readonly Id[]): Promise<void> {
    for (const field of fields) {
      const losers = this.#graph.triggers(model.name, field).filter(({ route }) => linesBy(route) === field);
      await this.#addAll(losers, ids);
    }
  }

  /** Called after fields changed. */
  async changed(model: CompiledModel, fields: Iterable<string>, ids: readonly Id[]): Promise<void> {
    for (const field of this.#graph.climbs(model.name, fields)) await refuseCircle(this.#operation, model, field, ids);
    await this.#addAll(this.#triggers(model, fields), ids);
  }

  /** Called before records are deleted: schedules values that depend on them. */
  async deleting(model: CompiledModel, ids: readonly Id[]): Promise<void> {
    const triggers = this.#graph.triggersOf(model.name).filter(({ route }) => route.length > 0);
    await this.#addAll(triggers, ids);
  }

  /** Schedules named fields of records, and everything that depends on them. */
  request(model: CompiledModel, fields: Iterable<string>, ids: readonly Id[]): void {
    for (const field of fields) {
      const node = this.#graph.nodeOf(model.name, field);
      if (node) this.#add(node, ids);
    }
  }

  /** Recalculates all stale values. */
  async run(): Promise<void> {
    for (let node = this.#next(); node; node = this.#next()) {
      const ids = [...(this.#pending.get(node) ?? [])].sort((a, b) => a - b);
      this.#pending.delete(node);
      this.#countRound(node);
      for (const batch of batches(ids, computeBatch)) await this.#renew(node, batch);
    }
  }

  #triggers(model: CompiledModel, fields: Iterable<string>): Trigger[] {
    return distinct([...fields].flatMap((field) => this.#graph.triggers(model.name, field)));
  }

  async #addAll(triggers: readonly Trigger[], ids: readonly Id[]): Promise<void> {
    const { transaction, registry } = this.#operation;
    for (const { node, route } of triggers) {
      this.#add(node, await walkBack(transaction, registry.models, route, ids));
    }
  }

  #add(node: ComputeNode, ids: readonly Id[]): void {
    if (ids.length === 0) return;
    const pending = this.#pending.get(node) ?? new Set();
    for (const id of ids) pending.add(id);
    this.#pending.set(node, pending);
  }

  #next(): ComputeNode | undefined {
    let next: ComputeNode | undefined;
    for (const node of this.#pending.keys()) {
      if (!next || node.rank < next.rank) next = node;
    }
    return next;
  }

  /** Only reached if a method returns a different value on each call. */
  #countRound(node: ComputeNode): void {
    const rounds = (this.#rounds.get(node) ?? 0) + 1;
    this.#rounds.set(node, rounds);
    if (rounds > maxRounds)
      throw new Error(`“${node.key}” does not come to rest: its values change each time they are worked out.`);
  }

  async #renew(node: ComputeNode, ids: readonly Id[]): Promise<void> {
    const { transaction, codec } = this.#operation;
    const bound = this.#operation.system(node.model);
    const { compiled } = bound;
    const columns = ['id', ...node.fields.map(({ column }) => column ?? '')];
    const rows = await selectRows(transaction, compiled.table, columns, { column: 'id', ids });
    // Records deleted since then need no value.
    const old = new Map(rows.map((row) => [Number(row.id), row]));
    const existingIds = [...old.keys()].sort((a, b) => a - b);
    if (existingIds.length === 0) return;
    const fresh = await computeValues(bound, node.method, node.fields, existingIds, node.shared);
    const updates = new Map<Id, Map<string, unknown>>();
    const changed = new Map<CompiledField, Id[]>();
    for (const field of node.fields) {
      const values = fresh.get(field.name) ?? new Map<Id, unknown>();
      for (const id of this.#different(compiled, field, old, values)) {
        changed.set(field, [...(changed.get(field) ?? []), id]);
        const update = updates.get(id) ?? new Map<string, unknown>();
        for (const [column, encoded] of columnValues(codec, field, values.get(id))) update.set(column, encoded);
        updates.set(id, update);
      }
    }
    await updateEach(transaction, compiled.table, updates, {
      kinds: this.#operation.kindsOf(compiled),
      isAhead: node.neverRefused,
    });
    // Fields that changed on the same records, as most do, are followed together.
    const byIds = Map.groupBy(changed, ([, changedIds]) => changedIds.join(','));
    for (const group of byIds.values()) {
      const [, changedIds] = group[0] ?? [null, []];
      await this.#tell(
        compiled,
        group.map(([field]) => field),
        changedIds,
      );
    }
  }

  /** Returns the records whose value has changed. */
  #different(
    model: CompiledModel,
    field: CompiledField,
    old: ReadonlyMap<Id, Row>,
    values: ReadonlyMap<Id, unknown>,
  ): Id[] {
    const operation = this.#operation;
    const different: Id[] = [];
    for (const [id, row] of old) {
      const before = decodeValue(operation.codec, field, row[field.column ?? '']);
      const after = values.get(id) ?? null;
      if (sameValue(before, after)) continue;
      different.push(id);
      if (field.options.tracked && !operation.isNew(model, id)) operation.track(model, field, id, before, after);
    }
    return different;
  }

  async #tell(model: CompiledModel, fields: readonly CompiledField[], ids: readonly Id[]): Promise<void> {
    const names = fields.map(({ name }) => name);
    this.#operation.touch(model);
    for (const name of names) this.#operation.renewed(model, name, ids);
    if (isSearched(model, names)) this.#operation.search(model, ids);
    await this.changed(model, names, ids);
  }
}

/** Returns the many2one that makes the changed records lines of others, if the route ends in lines. */
function linesBy(route: Trigger['route']): string | null {
  const relation = route.at(-1)?.relation;
  return relation?.kind === 'one2many' ? relation.inverse : null;
}

/**
 * Returns the records from which a route of relations leads to any of `ids`, ignoring access rights: one query per relation. An empty route
 * returns the ids themselves.
 */
async function walkBack(
  connection: Connection,
  models: ReadonlyMap<string, CompiledModel>,
  route: readonly CompiledField[],
  ids: readonly Id[],
): Promise<readonly Id[]> {
  let currentIds = ids;
  for (const field of route.toReversed()) {
    if (currentIds.length === 0) return currentIds;
    currentIds = await stepBack(connection, models, field, currentIds);
  }
  return currentIds;
}

async function stepBack(
  connection: Connection,
  models: ReadonlyMap<string, CompiledModel>,
  field: CompiledField,
  ids: readonly Id[],
): Promise<Id[]> {
  const { relation } = field;
  const tableOf = (model: string): string => models.get(model)?.table ?? '';
  switch (relation?.kind) {
    case 'many2one':
      return selectIds(connection, tableOf(field.model), 'id', { column: field.column ?? '', ids });
    case 'one2many':
      return selectIds(connection, tableOf(relation.to), relation.inverseColumn, { column: 'id', ids });
    case 'many2many':
      return selectIds(connection, relation.table, relation.from, { column: relation.toColumn, ids });
    default:
      return [];
  }
}
