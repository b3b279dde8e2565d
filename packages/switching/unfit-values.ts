import { type Addon, type Generation, type PlanItem, type Problem, sentence } from '@pergola/core';
import { type Connection, type Database, rowsOf, type SchemaStep, type TableSpec } from '@pergola/db';
import { type CompiledField, type CompiledModel, models, placeProblems } from '@pergola/orm';
import { readLedger } from './ledger.ts';
import { fieldWord, type TableNames } from './table-names.ts';

/**
 * Stored values that don't fit the declarations of the new code.
 *
 * - `choice`: not an option of the selection
 * - `unique`: groups of records with the same values, for which no unique index can be created
 * - `required`, `size`, `min`, `max`: kept, but refused the next time someone edits the record
 */
export interface UnfitValues {
  readonly kind: 'choice' | 'unique' | 'required' | 'size' | 'min' | 'max';
  readonly addon: string;
  readonly model: CompiledModel;
  readonly fields: readonly CompiledField[];
  /** Number of records, or of groups of records with the same values. */
  readonly count: number;
  /** The options with their number of records, or an example of the same values. */
  readonly examples: readonly { readonly value: string; readonly count: number }[];
  /** Declared limit, or 0. */
  readonly limit: number;
}

/** Input of the comparison. */
interface Compared {
  /** The new code. */
  readonly generation: Generation;
  /** Addons whose fields are checked. */
  readonly addons: ReadonlySet<string>;
  readonly current: readonly TableSpec[];
  /** Schema steps of the switch, for new unique indexes. */
  readonly steps: readonly SchemaStep[];
}

/** Finds stored values that don't fit the code of these addons. Reads each of their tables once. */
export async function unfitValues(
  database: Database,
  compared: Compared,
  connection: Connection = database.reader,
): Promise<UnfitValues[]> {
  const { generation, addons, current, steps } = compared;
  const tables = new Map(current.map((table) => [table.name, table]));
  const ledger = await readLedger(database, null, connection);
  const owners = new Map(
    ledger.flatMap((entry) =>
      entry.kind === 'choice' ? [[`${entry.table}.${entry.column}=${entry.value}`, entry.addon] as const] : [],
    ),
  );
  const extendedColumns = new Set(
    ledger.flatMap((entry) =>
      entry.kind === 'choice' && addons.has(entry.addon) ? [`${entry.table}.${entry.column}`] : [],
    ),
  );
  const unfit: UnfitValues[] = [];
  for (const model of generation.get(models).models.values()) {
    const table = model.options.coreTable ? undefined : tables.get(model.table);
    if (!table) continue;
    const rules = [...model.fields.values()].flatMap((field) => {
      if (addons.has(field.addon)) return rulesOf(field, table);
      return extendedColumns.has(`${table.name}.${field.column}`) ? choiceRule(field) : [];
    });
    for (const { rule, count } of await countUnfit(database, connection, table.name, rules)) {
      const { kind, field, limit } = rule;
      const found = { kind, model, fields: [field], limit };
      if (kind !== 'choice') {
        unfit.push({ ...found, addon: field.addon, count, examples: [] });
        continue;
      }
      // Values of disabled addons stay for when they are enabled again.
      const values = (await unknownChoices(database, connection, field, table.name)).map((choice) => ({
        ...choice,
        addon: owners.get(`${table.name}.${field.column}=${choice.value}`) ?? field.addon,
      }));
      for (const addon of addons) {
        const examples = values.filter((choice) => choice.addon === addon);
        const records = examples.reduce((sum, example) => sum + example.count, 0);
        if (records > 0) unfit.push({ ...found, addon, count: records, examples });
      }
    }
    unfit.push(...(await repeatedValues(database, connection, { model, table, addons, steps })));
  }
  return unfit;
}

/** A condition for values that don't fit, as SQL about a field's column. */
interface Rule {
  readonly kind: Exclude<UnfitValues['kind'], 'unique'>;
  readonly field: CompiledField;
  readonly sql: string;
  readonly bindings: readonly string[];
  readonly limit: number;
}

/** Longest text of a field that declares no size. */
const CHAR_SIZE = 255;

function rulesOf(field: CompiledField, table: TableSpec): Rule[] {
  const { column, type, options, required } = field;
  if (column === null || field.base || field.compute !== null || field.related !== null) return [];
  const stored = table.columns.find(({ name }) => name === column);
  const rules: Rule[] = [];
  const add = (kind: Rule['kind'], sql: string, limit = 0): void => {
    rules.push({ kind, field, sql, bindings: [column], limit });
  };
  // A default fills the records in a task after the switch.
  if (required && !stored?.notNull && options.default === undefined) add('required', stored ? '?? is null' : '1 = 1');
  if (!stored || field.translated || field.sealedFor !== null || field.declared.custom) return rules;
  const size = options.size ?? (type === 'char' ? CHAR_SIZE : undefined);
  if (stored.kind === 'text' && size !== undefined) add('size', `length(??) > ${size}`, size);
  const isNumber = type === 'integer' || type === 'float';
  if (isNumber && options.min !== undefined) add('min', `?? < ${options.min}`, options.min);
  if (isNumber && options.max !== undefined) add('max', `?? > ${options.max}`, options.max);
  return [...rules, ...choiceRule(field)];
}

function choiceRule(field: CompiledField): Rule[] {
  const { column, choices } = field;
  if (column === null || !choices || choices.size === 0 || field.compute !== null) return [];
  const values = [...choices.keys()];
  const sql = `?? not in (${values.map(() => '?').join(', ')})`;
  return [{ kind: 'choice', field, sql, bindings: [column, ...values], limit: 0 }];
}

/** Counts the records against each rule in one query; returns the rules that some records break. */
async function countUnfit(
  { knex }: Database,
  connection: Connection,
  table: string,
  rules: readonly Rule[],
): Promise<{ rule: Rule; count: number }[]> {
  if (rules.length === 0) return [];
  const sums = rules.map(({ sql, bindings }, index) =>
    knex.raw(`sum(case when ${sql} then 1 else 0 end) as n${index}`, sql === '1 = 1' ? [] : bindings),
  );
  const [row] = await rowsOf(connection, knex(table).select(sums));
  return rules.flatMap((rule, index) => {
    const count = Number(row?.[`n${index}`] ?? 0);
    return count > 0 ? [{ rule, count }] : [];
  });
}

async function unknownChoices(
  { knex }: Database,
  connection: Connection,
  { column, choices }: CompiledField,
  table: string,
): Promise<UnfitValues['examples']> {
  if (column === null) return [];
  const query = knex(table)
    .select({ value: column })
    .count({ count: '*' })
    .whereNotIn(column, [...(choices?.keys() ?? [])])
    .groupBy(column)
    .orderBy(column);
  return (await rowsOf(connection, query)).map(({ value, count }) => ({ value: String(value), count: Number(count) }));
}

/** Values that occur more than once, for each new unique index. */
async function repeatedValues(
  { knex }: Database,
  connection: Connection,
  {
    model,
    table,
    addons,
    steps,
  }: Pick<Compared, 'addons' | 'steps'> & { readonly model: CompiledModel; readonly table: TableSpec },
): Promise<UnfitValues[]> {
  const repeated: UnfitValues[] = [];
  const created = new Set(steps.flatMap((step) => (step.type === 'createIndex' ? [step.index.name] : [])));
  for (const { name, columns, where } of model.unique) {
    const fields = columns.flatMap(
      (column) => [...model.fields.values()].find((field) => field.column === column) ?? [],
    );
    const addon = [...fields.map((field) => field.addon), model.addon, ...model.extensions].find((owner) =>
      addons.has(owner),
    );
    const isStored = columns.every((column) => table.columns.some((stored) => stored.name === column));
    if (addon === undefined || !created.has(name) || !isStored) continue;
    const groups = knex(table.name)
      .select([...columns])
      .count({ records: '*' })
      .groupBy([...columns])
      .havingRaw('count(*) > 1');
    for (const column of columns) void groups.whereNotNull(column);
    if (where !== null) void groups.whereRaw(where);
    const rows = await rowsOf(connection, groups.orderBy([...columns]));
    const [row] = rows;
    if (!row) continue;
    const value = columns.map((column) => String(row[column])).join(', ');
    const examples = [{ value, count: Number(row.records) }];
    repeated.push({ kind: 'unique', addon, model, fields, count: rows.length, examples, limit: 0 });
  }
  return repeated;
}

/** Reports values with which the new code can't run, with the line of the model. */
export function unfitProblems(unfit: readonly UnfitValues[], addons: readonly Addon[]): Problem[] {
  const refused = unfit.filter(({ kind }) => kind === 'choice' || kind === 'unique');
  return placeProblems(refused.map(unfitProblem), addons);
}

function unfitProblem({ kind, addon, model, fields, count, examples }: UnfitValues): Problem {
  const names = fields.map(({ name }) => `“${name}”`).join(' and ');
  if (kind === 'unique') {
    const [example] = examples;
    return {
      addon,
      message: `“${model.name}”: ${names} must be unique, but ${count === 1 ? '1 value occurs' : `${count} values occur`} more than once, such as “${example?.value}” in ${example?.count} records.`,
      remedy: 'Correct the records before the upgrade, or in a migration: npx pergola make migration <name>',
    };
  }
  const values = examples.map((choice) => `“${choice.value}” (${recordsText(choice.count)})`).join(', ');
  const [{ value = '' } = {}] = examples;
  const [column = ''] = fields.map((field) => field.column ?? '');
  return {
    addon,
    message: `“${model.name}”: the selection ${names} doesn’t offer these stored values: ${values}.`,
    remedy: `Change them in a migration (npx pergola make migration <name> --addon ${addon}): await db('${model.table}').where({ ${column}: '${value}' }).update({ ${column}: '…' }). Or declare the value again.`,
  };
}

function recordsText(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}

/** Notes of a plan about values that stay, although the new code no longer accepts them. */
export function unfitItems(unfit: readonly UnfitValues[], names: TableNames): PlanItem[] {
  return unfit.flatMap(({ kind, addon, model, fields, count, limit }) => {
    if (kind === 'choice' || kind === 'unique') return [];
    const words = { model: [names.wordOf(model.name)], field: fields.map(fieldWord) };
    const text = {
      required: sentence('Records of “{model}” without “{field}”, which is required: {count}.', { count }, words),
      size: sentence(
        'Records of “{model}” whose “{field}” is longer than {limit} characters: {count}.',
        { count, limit },
        words,
      ),
      min: sentence('Records of “{model}” whose “{field}” is less than {limit}: {count}.', { count, limit }, words),
      max: sentence('Records of “{model}” whose “{field}” is more than {limit}: {count}.', { count, limit }, words),
    }[kind];
    return [{ topic: 'note', addon, sentence: text, data: { table: model.table, kind, count } }];
  });
}
