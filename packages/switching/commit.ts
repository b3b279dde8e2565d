import type { HeldLease } from '@pergola/cluster';
import type { Ctx } from '@pergola/core';
import { BrokenAddons, type Commitment, dependencyClosure, type Generation } from '@pergola/core';
import { RolledBack, type SchemaStep, type Transaction } from '@pergola/db';
import { type DataSet, loadData, type ModelRegistry, models } from '@pergola/orm';
import { siteZoneOf } from '@pergola/texts';
import type { DataFile } from './addon-files.ts';
import type { AddedRecords } from './consequences.ts';
import { declaredOf } from './declared.ts';
import type { InstallHost } from './host.ts';
import { runMigrations } from './migrate.ts';
import { reflect } from './points.ts';
import { type Prepared, type SwitchSteps, schemaProblems, sortSteps } from './prepare.ts';
import { recordSwitch } from './record-switch.ts';
import { removedFieldProblem, removedFields } from './removed-fields.ts';
import { isRenamed, renameProblem, undeclaredRenames } from './renames.ts';
import { rehearseDemo } from './task-runner.ts';

/** What the transaction of a switch is given. */
export interface Writing extends Commitment {
  readonly prepared: Prepared;
  readonly generation: Generation;
  /** Null in a rehearsal, whose transaction is rolled back. */
  readonly lease: HeldLease | null;
  /** The first start: nobody waits for the lock, and indexes are made at once. */
  readonly alone: boolean;
}

/**
 * The one short transaction of a switch: all of it, or nothing.
 *
 * ```
 * migrations ─▶ new tables ─▶ records for them ─▶ columns of shared tables ─▶ the other records ─▶ states, ledger, generation, what is left for later
 * ```
 *
 * Columns of tables that others use come as late as can be: from there until the commit PostgreSQL lets nobody else at those tables. It waits for
 * each of them 50 ms at most, so that nobody queues up behind it, and starts again after a pause.
 *
 * @returns the demo records that a rehearsal added
 */
export async function commitChange(host: InstallHost, writing: Writing): Promise<AddedRecords> {
  const { plan, alone } = writing;
  let added: AddedRecords = new Map();
  const work = async (transaction: Transaction): Promise<void> => {
    added = await inTransaction(host, writing, transaction);
    if (writing.lease === null) throw new RolledBack();
  };
  const options = {
    label: `${plan.action} ${plan.names.join(', ')}`,
    deadlineMs: 60_000,
    timeoutMs: alone ? 0 : 30_000,
    lockTimeoutMs: alone ? 5000 : 50,
  };
  await host.database.write(work, options).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return added;
}

async function inTransaction(host: InstallHost, writing: Writing, transaction: Transaction): Promise<AddedRecords> {
  const { database } = host;
  const { prepared, generation, lease, alone } = writing;
  await lease?.assert(transaction);
  const steps = await migrated(host, writing, transaction);
  const owned = host.context(generation, transaction);
  try {
    await database.schema.apply(transaction, steps.fresh);
    let altered = false;
    const alter = async (): Promise<void> => {
      if (!altered) await database.schema.apply(transaction, alone ? [...steps.alters, ...steps.later] : steps.alters);
      altered = true;
    };
    if (alone) await alter();
    const late = lateTables(steps.alters, generation.get(models));
    for (const load of await loadsOf(owned.ctx, generation, prepared)) {
      if (load.sets.some(({ model }) => late === 'all' || late.has(model))) await alter();
      // Each time anew: the site may be part of what was just loaded.
      const zone = await siteZoneOf(owned.ctx);
      const ctx = owned.ctx.as({ timezone: zone, siteTimezone: zone });
      await loadData(ctx, load.addon, load.sets, { mode: load.mode, kind: load.kind });
    }
    await alter();
    await recordSwitch(host.database, writing, owned.ctx, alone ? { ...steps, alters: [], later: [] } : steps);
    return lease === null ? await rehearseDemo(owned.ctx) : new Map();
  } finally {
    await owned.dispose();
  }
}

/** The steps to do; after migrations the schema is another one than when the switch was prepared. */
async function migrated(
  { database, log }: InstallHost,
  { prepared, generation }: Writing,
  transaction: Transaction,
): Promise<SwitchSteps> {
  if (prepared.migrations.length === 0) return prepared.steps;
  const renames = await runMigrations(database, transaction, prepared.migrations, (text) => log.info(text));
  const current = await database.schema.introspect(transaction);
  const planned = database.schema.plan(prepared.wanted, current);
  const addons = new Set(prepared.coming.map(({ name }) => name));
  const removed = await removedFields(database, { addons, wanted: prepared.wanted, current }, transaction);
  const unfinished = undeclaredRenames(renames.list, { wanted: prepared.wanted, removed });
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

/** Models whose records can only be written once the shared tables have their columns; `all` where a kept value of such a table follows others. */
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

interface Load {
  readonly addon: string;
  readonly sets: readonly DataSet[];
  readonly mode: 'install' | 'upgrade';
  readonly kind: 'data' | 'reflect';
}

/** What is to be loaded, in order: records about what all enabled addons declare, then what comes with those that are new or newer. */
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
    const sets = files.flatMap(({ file, sets: own }) => own.map((set) => ({ ...set, file })));
    loads.push({ addon: name, sets, mode: modules.get(name)?.version ? 'upgrade' : 'install', kind: 'data' });
  }
  return loads;
}

/**
 * Makes what shipped data has to make (pictures, dates) before the transaction that writes it, so that nobody waits for that. A set that cannot be
 * made yet, because it reads what the switch itself brings, stays a function and is asked inside.
 */
export async function readyData(
  host: InstallHost,
  generation: Generation,
  files: readonly DataFile[],
): Promise<DataFile[]> {
  const byName = new Map(generation.addons.map((addon) => [addon.name, addon]));
  const bringing = new Set(files.map(({ addon }) => addon));
  const owned = host.context(generation, host.database.reader);
  try {
    // Unknown while the switch brings the site itself.
    const zone = await siteZoneOf(owned.ctx).catch(() => null);
    const ctx = zone === null ? null : owned.ctx.as({ timezone: zone, siteTimezone: zone });
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
    await owned.dispose();
  }
}
