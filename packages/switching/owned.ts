import type { TableSpec } from '@pergola/db';
import type { CompiledModel, ModelRegistry } from '@pergola/orm';
import type { LedgerEntry } from './ledger.ts';
import type { SwitchSteps } from './prepare.ts';

/**
 * Database objects of these addons, derived from the models of a generation that includes them: tables, columns, indexes, values of other
 * addons' selections, and references to their models.
 */
export function ownedBy(
  addons: ReadonlySet<string>,
  registry: ModelRegistry,
  schema: { readonly targetTables: readonly TableSpec[]; readonly owners: ReadonlyMap<string, string> },
): LedgerEntry[] {
  const models = [...registry.models.values()].filter(({ options }) => !options.coreTable);
  const modelTables = new Set(models.map(({ table }) => table));
  return [
    ...schema.targetTables.flatMap((table) => ofTable(table, modelTables.has(table.name), schema.owners)),
    ...models.flatMap(ofModel),
    ...models.flatMap(choicesOf),
  ].filter(({ addon }) => addons.has(addon));
}

/**
 * Columns and indexes on existing tables that belong to other addons' fields but are needed by these addons: folded texts for a new sort
 * order, a text search, an index. Attributed to the last of the new addons.
 */
export function broughtAlong(
  addons: readonly string[],
  steps: SwitchSteps,
  owners: ReadonlyMap<string, string>,
): LedgerEntry[] {
  const last = addons.at(-1);
  if (last === undefined) return [];
  const isTheirs = (table: string, column: string): boolean =>
    addons.includes(owners.get(`${table}.${column}`) ?? owners.get(table) ?? '');
  return [...steps.alters, ...steps.later].flatMap((step): LedgerEntry[] => {
    if (step.type === 'addColumn' && !isTheirs(step.table, step.column.name)) {
      return [{ kind: 'column', addon: last, table: step.table, name: step.column.name }];
    }
    if (step.type === 'createIndex' && !step.index.columns.some((column) => isTheirs(step.table, column))) {
      return [{ kind: 'index', addon: last, table: step.table, name: step.index.name }];
    }
    return [];
  });
}

function ofTable(
  { name, columns, indexes }: TableSpec,
  isModel: boolean,
  owners: ReadonlyMap<string, string>,
): LedgerEntry[] {
  const owner = owners.get(name) ?? '';
  const ownerOf = (column: string | undefined): string => owners.get(`${name}.${column}`) ?? owner;
  return [
    { kind: isModel ? 'table' : 'link', addon: owner, table: name },
    ...columns
      .filter((column) => ownerOf(column.name) !== owner)
      .map((column): LedgerEntry => ({ kind: 'column', addon: ownerOf(column.name), table: name, name: column.name })),
    ...indexes.flatMap((index): LedgerEntry[] => {
      const foreign = index.columns.map(ownerOf).find((addon) => addon !== owner);
      return foreign === undefined ? [] : [{ kind: 'index', addon: foreign, table: name, name: index.name }];
    }),
  ];
}

function ofModel({ name, addon, table, options }: CompiledModel): LedgerEntry[] {
  const model: LedgerEntry = { kind: 'model', addon, table, name };
  const pair = options.attachedTo;
  return pair ? [model, { kind: 'pair', addon, table, model: pair.model, id: pair.id }] : [model];
}

/** Values that extensions added to selections of other addons' models. */
function choicesOf({ table, fields }: CompiledModel): LedgerEntry[] {
  return [...fields.values()].flatMap(({ column, choices, addon: owner }) => {
    if (column === null || choices === null) return [];
    return [...choices]
      .filter(([, { addon }]) => addon !== owner)
      .map(
        ([value, { addon, onUninstall }]): LedgerEntry => ({
          kind: 'choice',
          addon,
          table,
          column,
          value,
          becomes: onUninstall,
        }),
      );
  });
}
