import { rowsOf } from '../db/run.ts';
import type { Database, TableSpec } from '../db/types.ts';
import type { Owned } from './ledger.ts';
import { type PlanItem, sentence } from './plan.ts';
import type { Removal } from './uninstall.ts';

/** What people should know before they say yes: how many rows go. */
export async function removalItems(
  database: Database,
  { addons, owned, ledger, current, steps }: Removal,
): Promise<PlanItem[]> {
  const ownerOf = (table: string, column?: string): string =>
    owned.find((thing) => thing.table === table && (column === undefined || ('name' in thing && thing.name === column)))
      ?.addon ??
    addons[0] ??
    '';
  const dropped = new Set(steps.flatMap((step) => (step.type === 'dropTable' ? [step.table] : [])));
  const items: PlanItem[] = [];
  for (const step of steps) {
    if (step.type === 'dropTable') {
      const rows = await countRows(database, step.table);
      const said = sentence('Removes the table {table} with {rows} rows.', { table: step.table, rows });
      items.push({ topic: 'rows', addon: ownerOf(step.table), sentence: said, data: said.params });
    }
    if (step.type === 'dropColumn' && !dropped.has(step.table)) {
      const { table, column } = step;
      const rows = await countRows(database, table, column);
      const said = sentence('Removes the column {column} of the table {table}, filled in {rows} rows.', {
        table,
        column,
        rows,
      });
      items.push({ topic: 'rows', addon: ownerOf(table, column), sentence: said, data: said.params });
    }
  }
  return [
    ...items,
    ...(await choiceItems(database, owned, current)),
    ...(await attachedItems(database, addons, owned, ledger, current)),
  ];
}

async function choiceItems(
  { knex, reader }: Database,
  owned: readonly Owned[],
  current: readonly TableSpec[],
): Promise<PlanItem[]> {
  const items: PlanItem[] = [];
  for (const thing of owned) {
    if (thing.kind !== 'choice' || !current.some(({ name }) => name === thing.table)) continue;
    const { table, column, value, becomes, addon } = thing;
    const [row] = await rowsOf(
      reader,
      knex(table)
        .count({ rows: '*' })
        .where({ [column]: value }),
    );
    const rows = Number(row?.rows ?? 0);
    const said = sentence('{rows} rows of {table} have “{value}” as {column} and get “{becomes}”.', {
      rows,
      table,
      value,
      column,
      becomes: becomes ?? '',
    });
    if (rows > 0) items.push({ topic: 'rows', addon, sentence: said, data: said.params });
  }
  return items;
}

/** Shipped records, and attachments and the like of their models, in tables that stay. */
async function attachedItems(
  { knex, reader }: Database,
  addons: readonly string[],
  owned: readonly Owned[],
  ledger: readonly Owned[],
  current: readonly TableSpec[],
): Promise<PlanItem[]> {
  const models = owned.flatMap((thing) => (thing.kind === 'model' ? [thing.name] : []));
  const items: PlanItem[] = [];
  const shipped = knex('core_external_id')
    .select('model')
    .count({ rows: '*' })
    .whereIn('addon', [...addons])
    .whereNotIn('model', models);
  for (const row of await rowsOf(reader, shipped.whereNotNull('record_id').groupBy('model').orderBy('model'))) {
    const text =
      Number(row.rows) === 1
        ? 'Removes 1 record of {model} that came with it, unless others use it.'
        : 'Removes {rows} records of {model} that came with it, unless others use them.';
    const said = sentence(text, { rows: Number(row.rows), model: String(row.model) });
    items.push({ topic: 'records', addon: addons[0] ?? '', sentence: said, data: said.params });
  }
  for (const thing of ledger) {
    if (thing.kind !== 'pair' || addons.includes(thing.addon) || !current.some(({ name }) => name === thing.table))
      continue;
    const [row] = await rowsOf(reader, knex(thing.table).count({ rows: '*' }).whereIn(thing.model, models));
    const said = sentence('Removes {rows} rows of {table} that are about its records.', {
      rows: Number(row?.rows ?? 0),
      table: thing.table,
    });
    if (Number(row?.rows) > 0) items.push({ topic: 'rows', addon: addons[0] ?? '', sentence: said, data: said.params });
  }
  return items;
}

async function countRows({ knex, reader }: Database, table: string, column?: string): Promise<number> {
  const query = knex(table).count({ rows: '*' });
  const [row] = await rowsOf(reader, column === undefined ? query : query.whereNotNull(column));
  return Number(row?.rows ?? 0);
}
