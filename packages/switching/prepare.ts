import type { Problem } from '@pergola/core';
import {
  type Addon,
  type Change,
  compareVersions,
  type Generation,
  type GenerationRecord,
  type PlanItem,
  type SwitchQuestion,
} from '@pergola/core';
import type { Database, SchemaPlan, SchemaStep, TableSpec } from '@pergola/db';
import { externalIdsFrom, groups, models, ownership, shipmentProblems, tablesOf } from '@pergola/orm';
import { type DataFile, type MigrationFile, readDataFiles, readMigrations } from './addon-files.ts';
import { type Afterwards, afterwards, wantsDemo } from './afterwards.ts';
import { laterItems, migrationItems, recordItems, type ShippedIds } from './consequences.ts';
import { type ModuleRow, readModules } from './module-store.ts';
import { removedFieldItem, removedFieldProblem, removedFields } from './removed-fields.ts';
import { schemaItems } from './schema-items.ts';
import { tableNames } from './table-names.ts';
import { translationItems } from './translation-items.ts';

/** The schema steps of a switch, by when they are done. */
export interface SwitchSteps {
  /** In the transaction, first: tables nobody else can be using yet. */
  readonly fresh: readonly SchemaStep[];
  /** In the transaction, as late as can be: columns of tables that others use. */
  readonly alters: readonly SchemaStep[];
  /** After it, without stopping anybody: indexes of such tables. */
  readonly later: readonly SchemaStep[];
}

/** A change with all that storing it takes, worked out before its transaction is opened. */
export interface Prepared extends Change {
  readonly items: readonly PlanItem[];
  readonly problems: readonly Problem[];
  /** What was stored of addons before. */
  readonly modules: ReadonlyMap<string, ModuleRow>;
  /** Which addon a table or column comes from. */
  readonly owners: ReadonlyMap<string, string>;
  readonly wanted: readonly TableSpec[];
  readonly steps: SwitchSteps;
  readonly later: Afterwards;
  readonly data: readonly DataFile[];
  readonly migrations: readonly MigrationFile[];
}

const nothing: SwitchSteps = { fresh: [], alters: [], later: [] };
const noneLater: Afterwards = { tasks: [], pendingFields: [] };

/** Works out what storing a change takes. Nothing is changed and no transaction is open. */
export async function prepareChange(database: Database, change: Change): Promise<Prepared> {
  const { question, generation, coming } = change;
  const modules = await readModules(database);
  const files = await readFiles(coming, modules, question);
  const changesSchema = coming.length > 0 || question.action === 'refresh';
  const schema = generation && changesSchema ? await planSchema(database, generation) : null;
  // What a plan cannot do, migrations do first; it is looked at again behind them.
  const migrating = new Set(files.migrations.map(({ addon }) => addon));
  const addons = new Set(coming.map(({ name }) => name));
  const removed = schema ? await removedFields(database, { addons, ...schema }) : [];
  const schemaFaults = migrating.size > 0 || !schema ? [] : schemaProblems(schema, schema.owners, removed);
  const unanswered = removed.filter(({ addon }) => !migrating.has(addon));
  const perhapsAnswered = removed.filter(({ addon }) => migrating.has(addon));
  const steps = schema?.steps ?? nothing;
  const later =
    generation && schema
      ? afterwards({ generation, coming, wanted: schema.wanted, question, modules }, steps)
      : noneLater;
  if (later.pendingFields.length > 0)
    generation?.replace(models, generation.get(models).withPending(later.pendingFields));
  const names = tableNames(generation?.get(models) ?? null);
  return {
    ...change,
    record: generation ? withPending(change.record, generation, later) : change.record,
    items: [
      ...migrationItems(files.migrations),
      ...perhapsAnswered.map((field) => removedFieldItem(field, names)),
      ...schemaItems([...steps.fresh, ...steps.alters, ...steps.later], schema?.owners ?? new Map(), names),
      ...recordItems(files.data, 'records', names, await shippedIds(database, files.data, 'data')),
      ...recordItems(files.demo, 'demo', names, await shippedIds(database, files.demo, 'demo')),
      ...laterItems(later.tasks, names),
      ...(generation && question.action !== 'refresh'
        ? await translationItems(coming, change.record.languages, generation)
        : []),
    ],
    problems: [
      ...files.problems,
      ...schemaFaults,
      ...(generation && files.problems.length === 0 ? await recordFaults(database, generation, coming, files) : []),
      ...unanswered.map((field) =>
        removedFieldProblem(field, { steps: schema?.steps.alters ?? [], addons: generation?.addons ?? [] }),
      ),
    ],
    modules,
    owners: schema?.owners ?? new Map(),
    wanted: schema?.wanted ?? [],
    steps,
    later,
    data: files.data,
    migrations: files.migrations,
  };
}

/** What earlier versions of these addons shipped in files of this folder, by addon. */
async function shippedIds(
  { reader }: Database,
  files: readonly DataFile[],
  folder: 'data' | 'demo',
): Promise<ReadonlyMap<string, ShippedIds>> {
  const addons = [...new Set(files.map(({ addon }) => addon))];
  const ids = await Promise.all(addons.map((addon) => externalIdsFrom(reader, `${addon}/${folder}`)));
  return new Map(addons.map((addon, index) => [addon, ids[index] ?? []]));
}

async function recordFaults(
  database: Database,
  generation: Generation,
  coming: readonly Addon[],
  { data, demo, migrations }: Pick<Awaited<ReturnType<typeof readFiles>>, 'data' | 'demo' | 'migrations'>,
): Promise<Problem[]> {
  const shipments = coming.flatMap(({ name: addon, folder }) => {
    const setsOf = (files: readonly DataFile[]) =>
      files.filter((file) => file.addon === addon).flatMap(({ file, sets }) => sets.map((set) => ({ ...set, file })));
    // Files of demo data are loaded on their own, and may add to each other's records.
    return [data, ...demo.map((file) => [file])].map((files) => ({ addon, folder, sets: setsOf(files) }));
  });
  const declared = generation.get(groups).keys();
  const isSettled = migrations.length === 0;
  return shipmentProblems(database.reader, shipments, { registry: generation.get(models), declared, isSettled });
}

/** The record with what is still to be worked out: of before, as far as it is there, and of this switch. */
export function withPending(
  record: GenerationRecord,
  generation: Generation,
  { pendingFields }: Afterwards,
): GenerationRecord {
  const registry = generation.get(models);
  const before = record.pendingFields.filter((path) => {
    const at = path.lastIndexOf('.');
    return registry.models.get(path.slice(0, at))?.fields.has(path.slice(at + 1));
  });
  return { ...record, pendingFields: [...new Set([...before, ...pendingFields])] };
}

async function readFiles(
  coming: readonly Addon[],
  modules: ReadonlyMap<string, ModuleRow>,
  question: SwitchQuestion,
): Promise<{ data: DataFile[]; demo: DataFile[]; migrations: MigrationFile[]; problems: Problem[] }> {
  const data: DataFile[] = [];
  const demo: DataFile[] = [];
  const migrations: MigrationFile[] = [];
  const problems: Problem[] = [];
  for (const addon of coming) {
    const row = modules.get(addon.name);
    const before = row?.version ?? null;
    const isNewer = before !== null && compareVersions(addon.definition.version, before) > 0;
    // Enabled again as it was: its records are all there.
    if (before !== null && !isNewer && !question.data) continue;
    data.push(...(await readDataFiles(addon, 'data', problems)));
    if (wantsDemo(addon, question, row)) demo.push(...(await readDataFiles(addon, 'demo', problems)));
    if (!isNewer) continue;
    const read = await readMigrations(addon, problems);
    migrations.push(...read.filter((one) => isDue(one, before, addon.definition.version, row?.migrations ?? [])));
  }
  return { data, demo, migrations, problems };
}

function isDue({ file, migration }: MigrationFile, from: string, to: string, ran: readonly string[]): boolean {
  return (
    !ran.includes(file) && compareVersions(migration.version, from) > 0 && compareVersions(migration.version, to) <= 0
  );
}

export interface PlannedSchema {
  readonly owners: ReadonlyMap<string, string>;
  readonly wanted: readonly TableSpec[];
  /** The tables as they are. */
  readonly current: readonly TableSpec[];
  readonly steps: SwitchSteps;
  readonly problems: SchemaPlan['problems'];
}

/** What the models of a generation want of the schema, and the steps that lead there. */
export async function planSchema(database: Database, generation: Generation): Promise<PlannedSchema> {
  const wanted = tablesOf(generation.get(models));
  const owners = ownership(generation.get(models));
  const current = await database.schema.introspect();
  const planned = database.schema.plan(wanted, current);
  return { owners, wanted, current, steps: sortSteps(planned), problems: planned.problems };
}

/** Sorts the steps of a plan by when a switch does them. */
export function sortSteps({ steps }: Pick<SchemaPlan, 'steps'>): SwitchSteps {
  const isFresh = (step: SchemaStep): boolean =>
    step.type === 'createTable' || (step.type === 'createIndex' && !step.shared);
  const isAlter = ({ type }: SchemaStep): boolean => type === 'addColumn' || type === 'changeReference';
  return {
    fresh: steps.filter(isFresh),
    alters: steps.filter(isAlter),
    later: steps.filter((step) => !isAlter(step) && !isFresh(step)),
  };
}

/**
 * What of a schema plan would not work, with the addon it comes from.
 *
 * @param reported columns of which the cause is reported: a field that was removed, or renamed by a migration alone
 */
export function schemaProblems(
  planned: Pick<SchemaPlan, 'problems'>,
  owners: ReadonlyMap<string, string>,
  reported: readonly { readonly table: string; readonly column: string | null }[] = [],
): Problem[] {
  const isReported = (table: string, column?: string): boolean =>
    reported.some((place) => place.table === table && place.column === column);
  return planned.problems
    .filter(({ level, table, column }) => level === 'error' && !isReported(table, column))
    .map(({ table, column, message }) => ({
      addon: owners.get(`${table}.${column}`) ?? owners.get(table) ?? 'core',
      message: `${column ? `${table}.${column}` : table}: ${message}`,
    }));
}
