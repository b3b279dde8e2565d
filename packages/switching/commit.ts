import type { HeldLease } from '@pergola/cluster';
import type { Ctx } from '@pergola/core';
import { BrokenAddons, type Commitment, dependencyClosure, type Generation } from '@pergola/core';
import { RolledBack, type SchemaStep, type Transaction } from '@pergola/db';
import { type DataSet, loadData, type ModelRegistry, models } from '@pergola/orm';
import { siteZoneOf } from '@pergola/texts';
import type { DataFile } from './addon-files.ts';
import { declaredOf } from './declared.ts';
import type { InstallHost } from './host.ts';
import { runMigrations } from './migrate.ts';
import { reflect } from './points.ts';
import { type Prepared, type SwitchSteps, schemaProblems, sortSteps } from './prepare.ts';
import type { Outcome } from './record-items.ts';
import { recordSwitch } from './record-switch.ts';
import { removedFieldProblem, removedFields } from './removed-fields.ts';
import { isRenamed, renameProblem, undeclaredRenames } from './renames.ts';
import { rehearseDemo } from './task-runner.ts';
import { type UnfitValues, unfitProblems, unfitValues } from './unfit-values.ts';

/** Input of a switch's transaction. */
export interface Writing extends Commitment {
  readonly prepared: Prepared;
  readonly generation: Generation;
  /** Null in a rehearsal, whose transaction is rolled back. */
  readonly lease: HeldLease | null;
  /** The first start: no other process uses the database, so lock timeouts don't matter and indexes are created at once. */
  readonly alone: boolean;
}

/**
 * The single short transaction of a switch, all or nothing.
 *
 * ```
 * migrations ─▶ new tables ─▶ their records ─▶ columns of shared tables ─▶ other records ─▶ states, ledger, generation, follow-up tasks
 * ```
 *
 * Columns of tables in use are added as late as possible: from there until the commit, PostgreSQL blocks all access to those tables. The
 * transaction waits at most 50 ms for each of them, so that other sessions don't queue up behind it, and retries after a pause.
 *
 * @returns what a rehearsal found out
 */
export async function commitChange(host: InstallHost, writing: Writing): Promise<Outcome> {
  const { plan, alone: isFirstStart } = writing;
  let outcome: Outcome = { added: new Map(), unfit: [] };
  const work = async (transaction: Transaction): Promise<void> => {
    outcome = await inTransaction(host, writing, transaction);
    if (writing.lease === null) throw new RolledBack();
  };
  const options = {
    label: `${plan.action} ${plan.names.join(', ')}`,
    deadlineMs: 60_000,
    timeoutMs: isFirstStart ? 0 : 30_000,
    lockTimeoutMs: isFirstStart ? 5000 : 50,
  };
  await host.database.write(work, options).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return outcome;
}

async function inTransaction(host: InstallHost, writing: Writing, transaction: Transaction): Promise<Outcome> {
  const { database } = host;
  const { prepared, generation, lease, alone: isFirstStart } = writing;
  await lease?.assert(transaction);
  const steps = await migrated(host, writing, transaction);
  const system = host.context(generation, transaction);
  try {
    await database.schema.apply(transaction, steps.fresh);
    let altered = false;
    const alter = async (): Promise<void> => {
      if (!altered)
        await database.schema.apply(transaction, isFirstStart ? [...steps.alters, ...steps.later] : steps.alters);
      altered = true;
    };
    if (isFirstStart) await alter();
    const registry = generation.get(models);
    const late = lateTables(steps.alters, registry);
    for (const load of await loadsOf(system.ctx, generation, prepared)) {
      if (load.sets.some(({ model }) => late === 'all' || reaches(model, late, registry))) await alter();
      // Determined each time, since the site may be part of the data just loaded.
      const zone = await siteZoneOf(system.ctx);
      const ctx = system.ctx.as({ timezone: zone, siteTimezone: zone });
      await loadData(ctx, load.addon, load.sets, { mode: load.mode, kind: load.kind });
    }
    await alter();
    const unfit = prepared.mayFitLater ? await remainingUnfit(host, writing, steps, transaction) : [];
    await recordSwitch(host.database, writing, system.ctx, isFirstStart ? { ...steps, alters: [], later: [] } : steps);
    return { added: lease === null ? await rehearseDemo(system.ctx) : new Map(), unfit };
  } finally {
    await system.dispose();
  }
}

/** Names of the addons that a switch enables or upgrades. */
function namesOf({ coming }: Prepared): ReadonlySet<string> {
  return new Set(coming.map(({ name }) => name));
}

/**
 * Values that don't fit the new code after migrations and shipped records.
 *
 * @throws BrokenAddons if the code can't run with some of them
 */
async function remainingUnfit(
  { database }: InstallHost,
  { prepared, generation }: Writing,
  steps: SwitchSteps,
  transaction: Transaction,
): Promise<UnfitValues[]> {
  const current = await database.schema.introspect(transaction);
  const compared = { generation, addons: namesOf(prepared), current, steps: steps.later };
  const unfit = await unfitValues(database, compared, transaction);
  const problems = unfitProblems(unfit, generation.addons);
  if (problems.length > 0) throw new BrokenAddons(problems);
  return unfit;
}

/** Schema steps to run; recalculated after migrations, which change the schema the switch was prepared for. */
async function migrated(
  { database, log }: InstallHost,
  { prepared, generation }: Writing,
  transaction: Transaction,
): Promise<SwitchSteps> {
  if (prepared.migrations.length === 0) return prepared.steps;
  const { migrations, steps } = prepared;
  const work = { migrations, planned: steps.alters };
  const renames = await runMigrations(database, transaction, work, (text) => log.info(text));
  const current = await database.schema.introspect(transaction);
  const planned = database.schema.plan(prepared.targetTables, current);
  const removed = await removedFields(
    database,
    { addons: namesOf(prepared), targetTables: prepared.targetTables, current },
    transaction,
  );
  const unfinished = undeclaredRenames(renames.list, { targetTables: prepared.targetTables, removed });
  const unanswered = removed.filter((field) => !unfinished.some((rename) => isRenamed(rename, field)));
  const problems = [
    ...schemaProblems(planned, prepared.owners, [
      ...removed,
      ...unfinished.map(({ table, to }) => ({ table, column: to })),
    ]),
    ...unfinished.map((rename) => renameProblem(rename, generation)),
    ...unanswered.map((field) => removedFieldProblem(field, { steps: planned.steps, addons: generation.addons })),
  ];
  if (problems.length > 0) throw new BrokenAddons(problems);
  return sortSteps(planned);
}

/**
 * Models whose records can only be written once the shared tables have their columns; `all` if a stored computed value of such a table
 * depends on other tables.
 */
function lateTables(alters: readonly SchemaStep[], registry: ModelRegistry): ReadonlySet<string> | 'all' {
  const late = new Set<string>();
  for (const step of alters) {
    if (step.type !== 'addColumn') return 'all';
    const model = [...registry.models.values()].find(({ table }) => table === step.table);
    if (!model) continue;
    late.add(model.name);
    const field = [...model.fields.values()].find(({ column }) => column === step.column.name);
    if (field?.compute) return 'all';
  }
  return late;
}

/**
 * Whether creating records of a model may write to one of these models: its own records, or records it refers to, as creating a user also
 * creates a contact.
 */
function reaches(name: string, late: ReadonlySet<string>, { models }: ModelRegistry): boolean {
  if (late.has(name)) return true;
  const fields = [...(models.get(name)?.fields.values() ?? [])];
  return fields.some(({ relation }) => relation !== null && late.has(relation.to));
}

interface Load {
  readonly addon: string;
  readonly sets: readonly DataSet[];
  readonly mode: 'install' | 'upgrade';
  readonly kind: 'data' | 'reflect';
}

/** Data to load, in order: records about the declarations of all enabled addons, then the data of new and updated ones. */
async function loadsOf(ctx: Ctx, generation: Generation, { data, modules }: Prepared): Promise<Load[]> {
  const loads: Load[] = [];
  const declared = declaredOf(generation);
  for (const { addon, value: reflected } of generation.get(reflect)) {
    const sets = await reflected(ctx, declared);
    if (sets.length > 0) loads.push({ addon: addon.name, sets, mode: 'install', kind: 'reflect' });
  }
  for (const { name } of generation.addons) {
    const files = data.filter(({ addon }) => addon === name);
    if (files.length === 0) continue;
    const sets = files.flatMap(({ file, sets: fileSets }) => fileSets.map((set) => ({ ...set, file })));
    loads.push({ addon: name, sets, mode: modules.get(name)?.version ? 'upgrade' : 'install', kind: 'data' });
  }
  return loads;
}

/**
 * Prepares shipped data (images, dates) before the transaction, to keep that short. A set that can't be prepared yet, because it reads data
 * added by the switch itself, stays a function and is evaluated inside.
 */
export async function readyData(
  host: InstallHost,
  generation: Generation,
  files: readonly DataFile[],
): Promise<DataFile[]> {
  const byName = new Map(generation.addons.map((addon) => [addon.name, addon]));
  const bringing = new Set(files.map(({ addon }) => addon));
  const system = host.context(generation, host.database.reader);
  try {
    // Unknown if the switch itself creates the site.
    const zone = await siteZoneOf(system.ctx).catch(() => null);
    const ctx = zone === null ? null : system.ctx.as({ timezone: zone, siteTimezone: zone });
    const ready: DataFile[] = [];
    for (const file of files) {
      const needsOthers = [...dependencyClosure(file.addon, byName)].some((name) => bringing.has(name));
      const sets = [];
      for (const set of file.sets) {
        if (typeof set.records !== 'function' || needsOthers || ctx === null) {
          sets.push(set);
          continue;
        }
        const records = await set.records(ctx).catch((error: unknown) => {
          host.log.debug(
            { err: error, addon: file.addon, file: file.file },
            'Shipped records are made in the transaction of the switch',
          );
          return set.records;
        });
        sets.push({ ...set, records });
      }
      ready.push({ ...file, sets });
    }
    return ready;
  } finally {
    await system.dispose();
  }
}
