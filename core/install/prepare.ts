import type { Problem } from '../base/errors.ts';
import type { SchemaPlan, SchemaStep, TableSpec } from '../db/types.ts';
import type { Addon } from '../kernel/addon.ts';
import { missingProblem } from '../kernel/follow.ts';
import type { Generation } from '../kernel/generation.ts';
import type { LifecycleHost } from '../kernel/host.ts';
import type { Plan, PlanItem, SwitchAction } from '../kernel/plan.ts';
import { sentence } from '../kernel/sentence.ts';
import type { Target, World } from '../kernel/target.ts';
import { compareVersions } from '../kernel/versions.ts';
import { buildable } from '../kernel/world.ts';
import { models } from '../model/points.ts';
import { ownership, tablesOf } from '../model/schema.ts';
import { type DataFile, type MigrationFile, readDataFiles, readMigrations } from './addon-files.ts';
import { type Afterwards, afterwards } from './afterwards.ts';
import { laterItems, migrationItems, recordItems, surfaceItems } from './consequences.ts';
import { type GenerationRecord, latestGeneration } from './generation-store.ts';
import type { ModuleRow } from './module-store.ts';
import { schemaItems } from './schema-items.ts';
import { tableNames } from './table-names.ts';

/** The schema steps of a switch, by when they are done. */
export interface SwitchSteps {
  /** In the transaction, first: tables nobody else can be using yet. */
  readonly fresh: readonly SchemaStep[];
  /** In the transaction, as late as can be: columns of tables that others use. */
  readonly alters: readonly SchemaStep[];
  /** After it, without stopping anybody: indexes of such tables. */
  readonly later: readonly SchemaStep[];
}

/** Everything a switch needs, worked out before its transaction is opened. */
export interface Prepared {
  readonly plan: Plan;
  readonly record: GenerationRecord;
  /** Null when something is wrong; the plan's problems say what. */
  readonly generation: Generation | null;
  /** Addons that become enabled or newer, in dependency order. */
  readonly coming: readonly Addon[];
  /** Which addon a table or column comes from. */
  readonly owners: ReadonlyMap<string, string>;
  readonly wanted: readonly TableSpec[];
  readonly steps: SwitchSteps;
  readonly later: Afterwards;
  readonly data: readonly DataFile[];
  readonly migrations: readonly MigrationFile[];
}

export interface SwitchQuestion {
  readonly action: SwitchAction;
  readonly names: readonly string[];
  readonly demo: boolean;
  /** A refresh that also brings shipped records up to date: of all addons, or of these. */
  readonly data?: boolean | ReadonlySet<string>;
}

const nothing: SwitchSteps = { fresh: [], alters: [], later: [] };
const noneLater: Afterwards = { tasks: [], pendingFields: [] };

/** Builds, checks and plans a switch that enables, upgrades or disables. Nothing is changed and no transaction is open. */
export async function prepareSwitch(
  host: LifecycleHost,
  world: World,
  target: Target,
  question: SwitchQuestion,
): Promise<Prepared> {
  const record = await nextRecord(host, world, target);
  const hindrances = [...target.problems, ...otherVersions(record, world)];
  const built =
    hindrances.length > 0 ? { problems: hindrances } : await host.build(record, buildable(target.enabled, world));
  const generation = built.generation ?? null;
  const coming = comingOf(target, question, generation, world);
  const files = await readFiles(coming, world, question);
  const changesSchema = coming.length > 0 || question.action === 'refresh';
  const schema = generation && changesSchema ? await planSchema(host, generation) : null;
  // What a plan cannot do, migrations do first; it is looked at again behind them.
  const schemaFaults = files.migrations.length > 0 ? [] : (schema?.problems ?? []);
  const problems = [...built.problems, ...files.problems, ...schemaFaults];
  const steps = schema?.steps ?? nothing;
  const later =
    generation && schema ? laterOf({ generation, coming, wanted: schema.wanted, question, world }, steps) : noneLater;
  const names = tableNames(generation?.get(models) ?? null);
  const items = [
    ...migrationItems(files.migrations),
    ...schemaItems([...steps.fresh, ...steps.alters, ...steps.later], schema?.owners ?? new Map(), names),
    ...recordItems(files.data, 'records', names),
    ...recordItems(files.demo, 'demo', names),
    ...laterItems(later.tasks, names),
    ...surface(host, world, target, generation, question.action),
  ];
  return {
    plan: withProblems(plan(question, target, items), problems),
    record: generation ? withPending(record, generation, later) : record,
    generation: generation && problems.length === 0 ? pending(generation, later) : null,
    coming,
    owners: schema?.owners ?? new Map(),
    wanted: schema?.wanted ?? [],
    steps,
    later,
    data: files.data,
    migrations: files.migrations,
  };
}

/** What is left for afterwards when these steps are done. */
export function laterOf(
  about: {
    readonly generation: Generation;
    readonly coming: readonly Addon[];
    readonly wanted: readonly TableSpec[];
    readonly question: Pick<SwitchQuestion, 'action' | 'demo'>;
    readonly world: World;
  },
  steps: SwitchSteps,
): Afterwards {
  const { generation, wanted, question, world } = about;
  // A refresh brings nobody back: only what is new in the schema is looked after.
  const coming = question.action === 'refresh' ? [] : about.coming;
  return afterwards({
    registry: generation.get(models),
    wanted,
    steps,
    coming: coming.map(({ name, definition, files }) => {
      const before = world.modules.get(name);
      return { name, before, demo: wantsDemo(question, definition.version, before) && (files.demo ?? []).length > 0 };
    }),
  });
}

/** An addon that comes for the first time has demo data where that is wanted; one that came so gets what newer versions ship of it. */
function wantsDemo({ demo }: Pick<SwitchQuestion, 'demo'>, version: string, row: ModuleRow | undefined): boolean {
  return row?.version ? row.demo && compareVersions(version, row.version) > 0 : demo;
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

function pending(generation: Generation, { pendingFields }: Afterwards): Generation {
  if (pendingFields.length > 0) generation.replace(models, generation.get(models).withPending(pendingFields));
  return generation;
}

function comingOf(
  target: Target,
  question: SwitchQuestion,
  generation: Generation | null,
  world: World,
): readonly Addon[] {
  if (question.action === 'refresh') {
    const { data = false } = question;
    return (generation?.addons ?? []).filter(({ name }) => (typeof data === 'boolean' ? data : data.has(name)));
  }
  return target.addons.filter(({ to }) => to === 'enabled').flatMap(({ name }) => world.addons.get(name) ?? []);
}

/** The plan of a switch, before its consequences are known. */
export function plan(
  { action, names }: Pick<SwitchQuestion, 'action' | 'names'>,
  target: Target,
  items: readonly PlanItem[],
): Plan {
  const othersGo = target.addons.some(({ reason }) => reason === 'dependant');
  const confirm = action === 'uninstall' && target.addons.length > 0 ? (names[0] ?? null) : null;
  return { action, names, addons: target.addons, items, problems: target.problems, needsYes: othersGo, confirm };
}

/** The same plan with these problems. */
export function withProblems(made: Plan, problems: readonly Problem[]): Plan {
  return { ...made, problems };
}

async function nextRecord(host: LifecycleHost, world: World, target: Target): Promise<GenerationRecord> {
  const latest = await latestGeneration(host.database);
  const versionOf = (name: string): string =>
    target.addons.find((addon) => addon.name === name)?.toVersion ??
    world.modules.get(name)?.version ??
    world.addons.get(name)?.definition.version ??
    '0.0.0';
  const languages = latest ? await host.languages(host.database.reader) : null;
  return {
    number: (latest?.number ?? 0) + 1,
    addons: Object.fromEntries([...target.enabled].sort().map((name) => [name, versionOf(name)])),
    languages: languages ?? latest?.languages ?? ['en_US'],
    pendingFields: latest?.pendingFields ?? [],
  };
}

/** Addons that are to be served as another version than this process has loaded. Those left out are not served here anyway. */
function otherVersions(record: GenerationRecord, { addons, leftOut }: World): Problem[] {
  return Object.entries(record.addons).flatMap(([addon, version]): Problem[] => {
    const loaded = addons.get(addon)?.definition.version ?? null;
    return loaded === version || leftOut.has(addon) ? [] : [missingProblem({ addon, version, loaded })];
  });
}

async function readFiles(
  coming: readonly Addon[],
  { modules }: World,
  question: SwitchQuestion,
): Promise<{ data: DataFile[]; demo: DataFile[]; migrations: MigrationFile[]; problems: Problem[] }> {
  const found = {
    data: [] as DataFile[],
    demo: [] as DataFile[],
    migrations: [] as MigrationFile[],
    problems: [] as Problem[],
  };
  for (const addon of coming) {
    const row = modules.get(addon.name);
    const before = row?.version ?? null;
    const isNewer = before !== null && compareVersions(addon.definition.version, before) > 0;
    // Enabled again as it was: its records are all there.
    if (before !== null && !isNewer && !question.data) continue;
    const data = await readDataFiles(addon, 'data');
    found.data.push(...data.files);
    found.problems.push(...data.problems);
    if (wantsDemo(question, addon.definition.version, row)) {
      const demo = await readDataFiles(addon, 'demo');
      found.demo.push(...demo.files);
      found.problems.push(...demo.problems);
    }
    if (!isNewer) continue;
    const read = await readMigrations(addon);
    found.problems.push(...read.problems);
    found.migrations.push(
      ...read.migrations.filter((one) => isDue(one, before, addon.definition.version, row?.migrations ?? [])),
    );
  }
  return found;
}

function isDue({ file, migration }: MigrationFile, from: string, to: string, ran: readonly string[]): boolean {
  return (
    !ran.includes(file) && compareVersions(migration.version, from) > 0 && compareVersions(migration.version, to) <= 0
  );
}

export interface PlannedSchema {
  readonly owners: ReadonlyMap<string, string>;
  readonly wanted: readonly TableSpec[];
  readonly steps: SwitchSteps;
  readonly problems: readonly Problem[];
}

export async function planSchema(
  { database }: Pick<LifecycleHost, 'database'>,
  generation: Generation,
): Promise<PlannedSchema> {
  const wanted = tablesOf(generation.get(models));
  const owners = ownership(generation.get(models));
  const planned = database.schema.plan(wanted, await database.schema.introspect());
  return { owners, wanted, steps: sortSteps(planned), problems: schemaProblems(planned, owners) };
}

/** Sorts the steps of a plan by when a switch does them. */
export function sortSteps({ steps }: Pick<SchemaPlan, 'steps'>): SwitchSteps {
  const isIndex = (step: SchemaStep): boolean => step.type === 'createIndex' || step.type === 'dropIndex';
  return {
    fresh: steps.filter((step) => !step.onSharedTable),
    alters: steps.filter((step) => step.onSharedTable && !isIndex(step)),
    later: steps.filter((step) => step.onSharedTable && isIndex(step)),
  };
}

/** What of a schema plan would not work, with the addon it comes from. */
export function schemaProblems(planned: SchemaPlan, owners: ReadonlyMap<string, string>): Problem[] {
  return planned.problems
    .filter(({ level }) => level === 'error')
    .map(({ table, column, message }) => ({
      addon: owners.get(`${table}.${column}`) ?? owners.get(table) ?? 'core',
      message: `${column ? `${table}.${column}` : table}: ${message}`,
    }));
}

function surface(
  host: LifecycleHost,
  world: World,
  target: Target,
  next: Generation | null,
  action: SwitchAction,
): PlanItem[] {
  const changing = target.addons.filter(({ from, to }) => from !== to);
  const loaded = changing.flatMap(({ name }) => world.addons.get(name) ?? []);
  if (action !== 'disable' && action !== 'uninstall') return next ? surfaceItems(loaded, next, true) : [];
  const gone = host.holder.ready ? surfaceItems(loaded, host.holder.current, false) : [];
  if (action === 'uninstall') return gone;
  const kept = changing.map(({ name: addon, title }): PlanItem => {
    const said = sentence(
      'The data of {title} stays and is there again when it is enabled.',
      {},
      { title: [{ addon, text: title }] },
    );
    return { topic: 'note', addon, sentence: said, data: said.params };
  });
  return [...kept, ...gone];
}
