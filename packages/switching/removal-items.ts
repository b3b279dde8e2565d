import { type PlanItem, type Sentence, sentence, type Word } from '@pergola/core';
import { type Binding, type Database, rowsOf, type TableSpec } from '@pergola/db';
import type { CompiledField, ModelRegistry } from '@pergola/orm';
import type { Knex } from 'knex';
import type { LedgerEntry } from './ledger.ts';
import { fieldWord, type TableNames, tableNames } from './table-names.ts';
import type { Removal } from './uninstall.ts';

/** An object to be removed, with its labels. */
interface Loss {
  readonly addon: string;
  readonly table: string;
  readonly column?: string;
  readonly model: Word;
  /** Null: the records are removed. */
  readonly field: Word | null;
  /** Number of affected records. */
  count(): Promise<number>;
}

/** Lists data losses for confirmation. `served`: currently served models, used if the models of all addons are unavailable. */
export async function removalItems(
  database: Database,
  removal: Removal,
  served: ModelRegistry | null,
): Promise<PlanItem[]> {
  const names = tableNames(removal.schemas?.registry ?? served);
  const items: PlanItem[] = [];
  const nothingIn: Loss[] = [];
  for (const loss of lossesOf(database, removal, names)) {
    const { addon, table, column, model, field, count } = loss;
    const rows = await count();
    const data = {
      table,
      ...(column === undefined ? {} : { column }),
      rows,
      model: names.modelOn(table)?.name ?? null,
    };
    if (rows === 0) nothingIn.push(loss);
    else if (field) items.push({ topic: 'rows', addon, sentence: fieldGoes(rows, model, field), data });
    else items.push({ topic: 'rows', addon, sentence: recordsGo(rows, model), data });
  }
  return [
    ...items,
    ...(await choiceItems(database, removal, names)),
    ...(await attachedItems(database, removal, names)),
    ...withoutLoss(nothingIn),
  ];
}

function recordsGo(rows: number, model: Word): Sentence {
  return sentence(
    rows === 1 ? 'Deletes 1 record of “{model}”.' : 'Deletes {rows} records of “{model}”.',
    { rows },
    { model: [model] },
  );
}

function fieldGoes(rows: number, model: Word, field: Word): Sentence {
  return sentence(
    rows === 1
      ? 'Deletes the field “{field}” from 1 record of “{model}”.'
      : 'Deletes the field “{field}” from {rows} records of “{model}”.',
    { rows },
    { model: [model], field: [field] },
  );
}

/** A single sentence for all objects without data. */
function withoutLoss(losses: readonly Loss[]): PlanItem[] {
  const [first] = losses;
  if (!first) return [];
  const count = losses.length;
  const text = sentence(
    count === 1
      ? 'Deletes 1 more field or record type, which is empty.'
      : 'Deletes {count} more fields and record types, which are empty.',
    { count },
  );
  const columns = losses.flatMap(({ table, column }) => (column === undefined ? [] : [`${table}.${column}`]));
  const tables = losses.flatMap(({ table, column }) => (column === undefined ? [table] : []));
  return [{ topic: 'rows', addon: first.addon, sentence: text, data: { count, tables, columns } }];
}

/** Losses that users would notice: without search columns and values calculated from other fields. */
function lossesOf(database: Database, { addons, ownedEntries, steps }: Removal, names: TableNames): Loss[] {
  const ownerOf = (table: string, column?: string): string =>
    ownedEntries.find(
      (entry) => entry.table === table && (column === undefined || ('name' in entry && entry.name === column)),
    )?.addon ??
    addons[0] ??
    '';
  const dropped = new Set(steps.flatMap((step) => (step.type === 'dropTable' ? [step.table] : [])));
  return steps.flatMap((step): Loss[] => {
    if (step.type === 'dropTable') {
      const { table } = step;
      const addon = ownerOf(table);
      const link = names.linkIn(table, dropped);
      if (link) {
        const { field, from } = link;
        const model = names.wordOf(field.model);
        return [
          {
            addon,
            table,
            model,
            field: fieldWord(field),
            count: () => countOf(database, database.knex(database.knex(table).distinct(from).as('one'))),
          },
        ];
      }
      // Links are removed together with their records.
      if (!names.modelOn(table) && names.linkIn(table)) return [];
      return [
        { addon, table, model: names.wordOn(table), field: null, count: () => countOf(database, database.knex(table)) },
      ];
    }
    if (step.type !== 'dropColumn' || dropped.has(step.table)) return [];
    const { table, column } = step;
    const field = names.fieldIn(table, column);
    if (field?.compute || names.isHelper(table, column)) return [];
    const word = field ? fieldWord(field) : { addon: '', text: column };
    const count = (): Promise<number> => countFilled(database, table, column, field);
    return [{ addon: ownerOf(table, column), table, column, model: names.wordOn(table), field: word, count }];
  });
}

async function choiceItems(
  database: Database,
  { ownedEntries, current }: Pick<Removal, 'ownedEntries' | 'current'>,
  names: TableNames,
): Promise<PlanItem[]> {
  const items: PlanItem[] = [];
  for (const entry of ownedEntries) {
    if (entry.kind !== 'choice' || !current.some(({ name }) => name === entry.table)) continue;
    const { table, column, value, becomes, addon } = entry;
    const rows = await countOf(database, database.knex(table).where({ [column]: value }));
    if (rows === 0) continue;
    const field = names.fieldIn(table, column);
    const choice = (value: string): Word => {
      const definition = field?.choices?.get(value);
      return { addon: definition?.addon ?? '', text: definition?.label ?? value };
    };
    const words = {
      model: [names.wordOn(table)],
      field: [field ? fieldWord(field) : { addon: '', text: column }],
      value: [choice(value)],
      becomes: becomes === null ? [] : [choice(becomes)],
    };
    const text = sentence(
      becomes === null
        ? 'Clears “{field}” (now “{value}”) in records of “{model}”: {rows}.'
        : 'Changes “{field}” from “{value}” to “{becomes}” in records of “{model}”: {rows}.',
      { rows },
      words,
    );
    items.push({ topic: 'rows', addon, sentence: text, data: { table, column, value, becomes, rows } });
  }
  return items;
}

/** Shipped records, and attachments and similar rows of their models, in remaining tables. */
async function attachedItems(
  database: Database,
  { addons, ownedEntries, ledger, current }: Removal,
  names: TableNames,
): Promise<PlanItem[]> {
  const { knex, reader } = database;
  const models = ownedEntries.flatMap((entry) => (entry.kind === 'model' ? [entry.name] : []));
  const addon = addons[0] ?? '';
  const items: PlanItem[] = [];
  const shipped = knex('core_external_id')
    .select('model')
    .count({ rows: '*' })
    .whereIn('addon', [...addons])
    .whereNotIn('model', models);
  for (const row of await rowsOf(reader, shipped.whereNotNull('record_id').groupBy('model').orderBy('model'))) {
    const [rows, model] = [Number(row.rows), String(row.model)];
    const text = sentence(
      rows === 1
        ? 'Deletes 1 shipped record of “{model}”, unless it’s in use.'
        : 'Deletes {rows} shipped records of “{model}”, unless they’re in use.',
      { rows },
      { model: [names.wordOf(model)] },
    );
    items.push({ topic: 'records', addon, sentence: text, data: { rows, model } });
  }
  for (const { table, model } of attachedTables(ledger, addons, current)) {
    const rows = await countOf(database, knex(table).whereIn(model, models));
    const text = sentence(
      rows === 1
        ? 'Deletes 1 record of “{model}” linked to deleted data.'
        : 'Deletes {rows} records of “{model}” linked to deleted data.',
      { rows },
      { model: [names.wordOn(table)] },
    );
    if (rows > 0) items.push({ topic: 'rows', addon, sentence: text, data: { table, rows } });
  }
  return items;
}

/** Remaining tables whose rows refer to a model by name. */
function attachedTables(ledger: readonly LedgerEntry[], addons: readonly string[], current: readonly TableSpec[]) {
  const staying = new Set(current.map(({ name }) => name));
  return ledger.flatMap((entry) =>
    entry.kind === 'pair' && !addons.includes(entry.addon) && staying.has(entry.table) ? [entry] : [],
  );
}

async function countOf({ reader }: Database, query: Knex.QueryBuilder): Promise<number> {
  const [row] = await rowsOf(reader, query.count({ rows: '*' }));
  return Number(row?.rows ?? 0);
}

/** Counts rows in which a field differs from its default. */
async function countFilled(
  database: Database,
  table: string,
  column: string,
  field: CompiledField | null,
): Promise<number> {
  const query = database.knex(table).whereNotNull(column);
  const byItself = field && ownValue(field);
  if (field?.kind && byItself !== undefined && byItself !== null) {
    const bound: Binding = database.codec.encode(field.kind, field.toColumn(byItself));
    query.whereNot({ [column]: bound });
  }
  return countOf(database, query);
}

/** Constant default of a field in new records; undefined without a default, or if code calculates it. */
function ownValue({ type, kind, translated, relation, options }: CompiledField): unknown {
  const { default: defaultValue } = options;
  if (type === 'boolean') return defaultValue === true;
  if (typeof defaultValue === 'function' || translated || relation || kind === 'json') return undefined;
  return defaultValue;
}
