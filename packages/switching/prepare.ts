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
import {
  externalIdsFrom,
  groups,
  models,
  ownership,
  pendingFieldsOf,
  shipmentProblems,
  tablesOf,
  withPendingFields,
} from '@pergola/orm';
import { languagesOf } from '@pergola/texts';
import { type DataFile, type MigrationFile, readDataFiles, readMigrations } from './addon-files.ts';
import { type Afterwards, afterwards, wantsDemo } from './afterwards.ts';
import { type ModuleRow, readModules } from './module-store.ts';
import { laterItems, migrationItems, recordItems, type ShippedIds } from './record-items.ts';
import { answers, removedFieldItem, removedFieldProblem, removedFields, renamesTo } from './removed-fields.ts';
import { schemaItems } from './schema-items.ts';
import { tableNames } from './table-names.ts';
import { translationItems } from './translation-items.ts';
import { unfitItems, unfitProblems, unfitValues } from './unfit-values.ts';

/** Schema steps of a switch, by phase. */
export interface SwitchSteps {
  /** In the transaction, first: new tables, not in use yet. */
  readonly fresh: readonly SchemaStep[];
  /** In the transaction, as late as possible: columns of tables in use. */
  readonly alters: readonly SchemaStep[];
  /** After the transaction, without blocking writers: indexes of such tables. */
  readonly later: readonly SchemaStep[];
}

/** A change with everything needed to store it, calculated before its transaction. */
export interface Prepared extends Change {
  readonly items: readonly PlanItem[];
  readonly problems: readonly Problem[];
  /** Previously stored state of addons. */
  readonly modules: ReadonlyMap<string, ModuleRow>;
  /** Owning addon of each table or column. */
  readonly owners: ReadonlyMap<string, string>;
  readonly targetTables: readonly TableSpec[];
  readonly steps: SwitchSteps;
  readonly later: Afterwards;
  readonly data: readonly DataFile[];
  readonly migrations: readonly MigrationFile[];
  /** Whether migrations or shipped records may change stored values that don't fit the new code: they are checked afterwards. */
  readonly mayFitLater: boolean;
}

const noSteps: SwitchSteps = { fresh: [], alters: [], later: [] };
const noneLater: Afterwards = { tasks: [], pendingFields: [] };

/** Calculates everything needed to store a change, without changing anything or opening a transaction. */
export async function prepareChange(database: Database, change: Change): Promise<Prepared> {
  const { question, generation, coming } = change;
  const modules = await readModules(database);
  const files = await readFiles(coming, modules, question);
  const changesSchema = coming.length > 0 || question.action === 'refresh';
  const schema = generation && changesSchema ? await planSchema(database, generation) : null;
  // Migrations run first and may resolve these problems; the schema is checked again afterwards.
  const migrating = new Set(files.migrations.map(({ addon }) => addon));
  const addons = new Set(coming.map(({ name }) => name));
  const removed = schema ? await removedFields(database, { addons, ...schema }) : [];
  const schemaFaults = migrating.size > 0 || !schema ? [] : schemaProblems(schema, schema.owners, removed);
  const unanswered = removed.filter(({ addon }) => !migrating.has(addon));
  const perhapsAnswered = removed.filter(({ addon }) => migrating.has(addon));
  const steps = schema?.steps ?? noSteps;
  const unfit =
    generation && schema
      ? await unfitValues(database, { generation, addons, current: schema.current, steps: steps.later })
      : [];
  const shipped = new Set(files.data.flatMap(({ sets }) => sets.map(({ model }) => model)));
  const staysUnfit = unfit.filter(({ addon, model }) => !migrating.has(addon) && !shipped.has(model.name));
  const later =
    generation && schema
      ? afterwards({ generation, coming, targetTables: schema.targetTables, question, modules }, steps)
      : noneLater;
  if (later.pendingFields.length > 0)
    generation?.replace(models, generation.get(models).withPending(later.pendingFields));
  const names = tableNames(generation?.get(models) ?? null);
  return {
    ...change,
    record: generation ? withPending(change.record, generation, later) : change.record,
    items: [
      ...migrationItems(files.migrations),
      ...perhapsAnswered
        .filter((field) => !files.migrations.some((file) => answers(file, field)))
        .map((field) => removedFieldItem(field, names)),
      ...unfitItems(staysUnfit, names),
      ...schemaItems(
        [...steps.fresh, ...steps.alters, ...steps.later],
        schema?.owners ?? new Map(),
        names,
        (table, column) => files.migrations.some((file) => renamesTo(file, table, column)),
      ),
      ...recordItems(files.data, 'records', names, await shippedIds(database, files.data, 'data')),
      ...recordItems(files.demo, 'demo', names, await shippedIds(database, files.demo, 'demo')),
      ...laterItems(later.tasks, names),
      ...(generation && question.action !== 'refresh'
        ? await translationItems(coming, languagesOf(change.record), generation)
        : []),
    ],
    problems: [
      ...files.problems,
      ...schemaFaults,
      ...(generation && files.problems.length === 0 ? await recordFaults(database, generation, coming, files) : []),
      ...unanswered.map((field) =>
        removedFieldProblem(field, { steps: schema?.steps.alters ?? [], addons: generation?.addons ?? [] }),
      ),
      ...unfitProblems(staysUnfit, generation?.addons ?? []),
    ],
    modules,
    owners: schema?.owners ?? new Map(),
    targetTables: schema?.targetTables ?? [],
    steps,
    later,
    data: files.data,
    migrations: files.migrations,
    mayFitLater: files.migrations.length > 0 || staysUnfit.length < unfit.length,
  };
}

/** Records shipped earlier by these addons in files of this folder, by addon. */
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
    // Each demo file is loaded separately and may extend records of the others.
    return [data, ...demo.map((file) => [file])].map((files) => ({ addon, folder, sets: setsOf(files) }));
  });
  const declared = generation.get(groups).keys();
  const isSettled = migrations.length === 0;
  return shipmentProblems(database.reader, shipments, { registry: generation.get(models), declared, isSettled });
}

/** The generation record with pending work: earlier work that is still relevant, and that of this switch. */
export function withPending(
  record: GenerationRecord,
  generation: Generation,
  { pendingFields }: Afterwards,
): GenerationRecord {
  const registry = generation.get(models);
  const stillPending = pendingFieldsOf(record).filter((path) => {
    const dotIndex = path.lastIndexOf('.');
    return registry.models.get(path.slice(0, dotIndex))?.fields.has(path.slice(dotIndex + 1));
  });
  return withPendingFields(record, [...new Set([...stillPending, ...pendingFields])]);
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
    const previousVersion = row?.version ?? null;
    const isNewer = previousVersion !== null && compareVersions(addon.definition.version, previousVersion) > 0;
    // Enabled again in the same version: all its records exist.
    if (previousVersion !== null && !isNewer && !question.data) continue;
    data.push(...(await readDataFiles(addon, 'data', problems)));
    if (wantsDemo(addon, question, row)) demo.push(...(await readDataFiles(addon, 'demo', problems)));
    if (!isNewer) continue;
    const read = await readMigrations(addon, problems);
    migrations.push(
      ...read.filter((candidate) => isDue(candidate, previousVersion, addon.definition.version, row?.migrations ?? [])),
    );
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
  readonly targetTables: readonly TableSpec[];
  /** Existing tables. */
  readonly current: readonly TableSpec[];
  readonly steps: SwitchSteps;
  readonly problems: SchemaPlan['problems'];
}

/** Required schema of a generation's models, and the steps to get there. */
export async function planSchema(database: Database, generation: Generation): Promise<PlannedSchema> {
  const targetTables = tablesOf(generation.get(models));
  const owners = ownership(generation.get(models));
  const current = await database.schema.introspect();
  const planned = database.schema.plan(targetTables, current);
  return { owners, targetTables, current, steps: sortSteps(planned), problems: planned.problems };
}

/** Sorts the steps of a plan by phase. */
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
 * Problems of a schema plan, with the addon that causes them.
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
