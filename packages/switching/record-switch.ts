import type { Ctx, PlannedAddon } from '@pergola/core';
import { type Database, rowsOf, type Transaction, transactionOf } from '@pergola/db';
import { jobs } from '@pergola/jobs';
import { models, type TrackedChange, tellAudit } from '@pergola/orm';
import { afterwards } from './afterwards.ts';
import type { Writing } from './commit.ts';
import { addGeneration } from './generation-store.ts';
import { ADDON_TASKS_KEY, addonTasks } from './jobs.ts';
import { enterLedger, forgetKept, readLedger } from './ledger.ts';
import { writeModule } from './module-store.ts';
import { broughtAlong, ownedBy } from './owned.ts';
import { type SwitchSteps, withPending } from './prepare.ts';
import { enterSwitchLog } from './switch-log.ts';
import { addTasks } from './tasks.ts';

/** Number of plan sentences stored in the switch log. */
const maxSentences = 500;

/**
 * Records the results of a switch in its transaction: states of addons, their database objects, the generation for all nodes to load,
 * follow-up tasks, and the user. `steps` are the schema steps whose rows need follow-up work.
 */
export async function recordSwitch(database: Database, writing: Writing, ctx: Ctx, steps: SwitchSteps): Promise<void> {
  const { plan, prepared, generation, by: user } = writing;
  const { record } = prepared;
  const transaction = transactionOf(ctx);
  // Migrations have changed the schema since planning.
  const replanned = prepared.migrations.length > 0;
  const later = replanned ? afterwards({ ...prepared, generation }, steps) : prepared.later;
  const names = new Set(prepared.coming.map(({ name }) => name));
  const addedEntries = plan.action === 'refresh' ? [] : broughtAlong([...names], prepared.steps, prepared.owners);
  if (names.size > 0) {
    await enterLedger(database, transaction, [...addedEntries, ...ownedBy(names, generation.get(models), prepared)]);
    await forgetKept(database, transaction, prepared.targetTables);
  }
  for (const addon of plan.addons) await recordState(database, transaction, writing, addon);
  const newest = replanned ? withPending(record, generation, later) : record;
  // The initial setup of a site isn't logged as a switch.
  if (!writing.alone)
    await tellAudit(
      ctx,
      plan.addons.map((addon) => switched(addon, user)),
    );
  await addGeneration(database, transaction, newest, `${plan.action} ${plan.names.join(', ')}`.trim());
  await addTasks(database, transaction, record.number, later.tasks);
  if (later.tasks.length > 0) await ctx.jobs.enqueue(addonTasks, {}, { key: ADDON_TASKS_KEY });
  for (const job of generation.get(jobs)) {
    if (job.whenSwitchedOn && names.has(job.name.split('.', 1)[0] ?? '')) await ctx.jobs.enqueue(job, {});
  }
  await enterSwitchLog(database, transaction, {
    action: plan.action,
    addons: plan.addons.map(({ name }) => name),
    result: 'done',
    summary: plan.items.slice(0, maxSentences).map(({ sentence }) => sentence),
    problems: [],
    durationMs: performance.now() - writing.began,
    by: user,
  });
}

function switched({ name, from, to, fromVersion, toVersion }: PlannedAddon, user: string): TrackedChange {
  const text = (state: string, version: string | null) => (version === null ? state : `${state} ${version}`);
  return { model: 'core.addon', id: 0, field: name, old: text(from, fromVersion), new: text(to, toVersion), by: user };
}

async function recordState(
  database: Database,
  transaction: Transaction,
  { prepared, by: user }: Writing,
  { name, to, toVersion }: PlannedAddon,
): Promise<void> {
  const row = prepared.modules.get(name);
  const ran = prepared.migrations.filter((migration) => migration.addon === name).map(({ file }) => file);
  await writeModule(database, transaction, name, {
    state: to,
    version: toVersion,
    demo: row?.version ? row.demo : prepared.question.demo === true,
    migrations: [...(row?.migrations ?? []), ...ran],
    watermarks: to === 'disabled' ? await watermarks(database, transaction, name) : {},
    lastError: null,
    changedBy: user,
  });
}

/** Highest id of each table that a disabled addon has added columns to. */
async function watermarks(
  database: Database,
  transaction: Transaction,
  addon: string,
): Promise<Record<string, number>> {
  const ownedEntries = await readLedger(database, [addon], transaction);
  const tables = new Set(ownedEntries.filter(({ kind }) => kind === 'column').map(({ table }) => table));
  const highestIds: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await rowsOf(transaction, database.knex(table).max({ last: 'id' }));
    highestIds[table] = Number(row?.last ?? 0);
  }
  return highestIds;
}
