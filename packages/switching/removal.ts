import { type Addon, order } from '@pergola/core';
import type { SchemaStep, TableSpec } from '@pergola/db';
import { buildRegistry, type ModelRegistry, tablesOf } from '@pergola/orm';
import type { LedgerEntry } from './ledger.ts';

/** Schemas required by the models of all installed addons, and of the remaining ones. */
export interface WantedSchemas {
  /** Models of all installed addons. */
  readonly registry: ModelRegistry;
  readonly before: readonly TableSpec[];
  readonly after: readonly TableSpec[];
}

/**
 * Tables required by all installed addons, with and without those being removed: the difference has to be dropped, even on tables of other
 * addons. Null if the code of an addon is missing or doesn't build: then only the ledger decides.
 */
export function wantedSchemas(
  installed: readonly string[],
  going: ReadonlySet<string>,
  addons: ReadonlyMap<string, Addon>,
  languages: readonly string[],
): WantedSchemas | null {
  const available = installed.flatMap((name) => addons.get(name) ?? []);
  if (available.length < installed.length) return null;
  const { ordered, problems } = order(available);
  if (problems.length > 0) return null;
  const modelsOf = (selected: readonly Addon[]): ModelRegistry | null => {
    const built = buildRegistry(
      selected.map(({ name, definition }) => ({ name, models: definition.models })),
      { languages },
    );
    return built.problems.length > 0 ? null : built.registry;
  };
  const registry = modelsOf(ordered);
  const staying = modelsOf(ordered.filter(({ name }) => !going.has(name)));
  return registry && staying ? { registry, before: tablesOf(registry), after: tablesOf(staying) } : null;
}

/** Steps that remove the addons' objects from the schema: indexes, then columns, then tables. */
export function removalSteps(
  current: readonly TableSpec[],
  ownedEntries: readonly LedgerEntry[],
  schemas: WantedSchemas | null,
): SchemaStep[] {
  const before = new Map(schemas?.before.map((table) => [table.name, table]));
  const after = new Map(schemas?.after.map((table) => [table.name, table]));
  const tables = new Set(
    ownedEntries.filter(({ kind }) => kind === 'table' || kind === 'link').map(({ table }) => table),
  );
  for (const name of before.keys()) if (!after.has(name)) tables.add(name);
  const indexes: SchemaStep[] = [];
  const columns: SchemaStep[] = [];
  for (const table of current.filter(({ name }) => !tables.has(name))) {
    const [previous, stays] = [before.get(table.name), after.get(table.name)];
    const isMine = (kind: LedgerEntry['kind'], name: string): boolean =>
      ownedEntries.some(
        (entry) => entry.kind === kind && entry.table === table.name && 'name' in entry && entry.name === name,
      );
    const onlyBefore = (part: 'columns' | 'indexes', name: string): boolean =>
      has(previous?.[part], name) && !has(stays?.[part], name);
    const droppedColumns = new Set(
      table.columns.map(({ name }) => name).filter((name) => isMine('column', name) || onlyBefore('columns', name)),
    );
    for (const index of table.indexes) {
      const goes =
        isMine('index', index.name) ||
        onlyBefore('indexes', index.name) ||
        index.columns.some((column) => droppedColumns.has(column));
      if (goes) indexes.push({ type: 'dropIndex', table: table.name, index: index.name });
    }
    for (const column of droppedColumns) columns.push({ type: 'dropColumn', table: table.name, column });
  }
  const doomed = dropOrder(current.filter(({ name }) => tables.has(name)));
  return [
    ...indexes,
    ...columns,
    ...doomed.cuts,
    ...doomed.order.map((table): SchemaStep => ({ type: 'dropTable', table })),
  ];
}

/**
 * Order in which tables can be dropped: referencing tables first, since SQLite checks references when it drops a referenced table. For
 * circular references, `cut` lists columns to drop first.
 */
export function dropOrder(tables: readonly TableSpec[]): {
  order: string[];
  cuts: SchemaStep[];
} {
  const remaining = new Map(tables.map((table) => [table.name, table]));
  const references = tables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name: column, references: to }) =>
      to && to.table !== table && remaining.has(to.table) ? [{ table, column, to: to.table }] : [],
    ),
  );
  const isCut = new Set<string>();
  const leadingTo = (name: string) =>
    references.filter(
      ({ table, column, to }) => to === name && remaining.has(table) && !isCut.has(`${table}.${column}`),
    );
  const order: string[] = [];
  const cuts: SchemaStep[] = [];
  while (remaining.size > 0) {
    const candidates = [...remaining.keys()].map((name) => ({ name, leading: leadingTo(name) }));
    const [next] = candidates.sort((a, b) => a.leading.length - b.leading.length);
    if (!next) break;
    for (const { table, column } of next.leading) {
      isCut.add(`${table}.${column}`);
      cuts.push({ type: 'dropColumn', table, column });
    }
    order.push(next.name);
    remaining.delete(next.name);
  }
  return { order, cuts };
}

/** Remaining tables after these steps. */
export function tablesLeft(current: readonly TableSpec[], steps: readonly SchemaStep[]): TableSpec[] {
  const isDropped = (type: SchemaStep['type'], table: string, name?: string): boolean =>
    steps.some((step) => {
      if (step.type !== type || step.type === 'createTable' || step.table !== table) return false;
      return (
        name === undefined ||
        ('column' in step && step.column === name) ||
        (step.type === 'dropIndex' && step.index === name)
      );
    });
  return current
    .filter(({ name }) => !isDropped('dropTable', name))
    .map((table) => ({
      ...table,
      columns: table.columns.filter(({ name }) => !isDropped('dropColumn', table.name, name)),
      indexes: table.indexes.filter(({ name }) => !isDropped('dropIndex', table.name, name)),
    }));
}

function has(list: readonly { readonly name: string }[] | undefined, name: string): boolean {
  return list?.some((item) => item.name === name) ?? false;
}
