import type { HeldLease } from '@pergola/cluster';
import { type Addon, type Commitment, sentence } from '@pergola/core';
import type { Database, SchemaStep, TableSpec, Transaction } from '@pergola/db';
import { languagesOf } from '@pergola/texts';
import { archiveAddons } from './archive.ts';
import { latestGeneration } from './generation-store.ts';
import type { InstallHost } from './host.ts';
import { clearLedger, type LedgerEntry, readLedger } from './ledger.ts';
import { type ModuleRow, readModules, writeModule } from './module-store.ts';
import { removalSteps, tablesLeft, type WantedSchemas, wantedSchemas } from './removal.ts';
import { removeRows } from './remove-rows.ts';
import { enterSwitchLog } from './switch-log.ts';
import { removeTasks } from './tasks.ts';

/** Everything removed with addons. */
export interface Removal {
  readonly addons: readonly string[];
  /** Previously stored state of addons. */
  readonly modules: ReadonlyMap<string, ModuleRow>;
  readonly ownedEntries: readonly LedgerEntry[];
  readonly ledger: readonly LedgerEntry[];
  readonly current: readonly TableSpec[];
  readonly schemas: WantedSchemas | null;
  readonly steps: readonly SchemaStep[];
}

/** Determines what has to be removed, without changing anything. */
export async function planRemoval(
  database: Database,
  addons: readonly string[],
  onDisk: ReadonlyMap<string, Addon>,
): Promise<Removal> {
  const modules = await readModules(database);
  const ledger = await readLedger(database, null);
  const going = new Set(addons);
  const ownedEntries = ledger.filter(({ addon }) => going.has(addon));
  const current = await database.schema.introspect();
  const installed = [...modules.values()].filter(({ version }) => version !== null).map(({ name }) => name);
  const latest = await latestGeneration(database);
  const schemas = wantedSchemas(installed, going, onDisk, latest ? languagesOf(latest) : ['en_US']);
  return {
    addons,
    modules,
    ownedEntries,
    ledger,
    current,
    schemas,
    steps: removalSteps(current, ownedEntries, schemas),
  };
}

/** Input of a removal's transaction. */
export interface RemovalWriting extends Commitment {
  readonly lease: HeldLease;
  readonly onArchived: (folder: string) => void;
}

/**
 * Archives the objects of addons and removes them from the database in one transaction: their tables, and their columns and rows in other
 * tables. The addons are already disabled, and no node is on a generation that includes them. Afterwards the schema is that which a site
 * without the addons has.
 */
export async function removeAddons(host: InstallHost, removal: Removal, options: RemovalWriting): Promise<void> {
  const { database, dataDir } = host;
  const { addons, current, ownedEntries } = removal;
  const versions = Object.fromEntries(addons.map((name) => [name, removal.modules.get(name)?.version ?? null]));
  options.onArchived(await archiveAddons({ database, addons: versions, ownedEntries, current, dataDir }));
  await database.write((transaction) => remove(host, removal, options, transaction), {
    label: `uninstall ${addons.join(', ')}`,
    deadlineMs: 60_000,
    timeoutMs: 120_000,
    lockTimeoutMs: 50,
  });
}

async function remove(
  host: InstallHost,
  removal: Removal,
  options: RemovalWriting,
  transaction: Transaction,
): Promise<void> {
  const { database, holder } = host;
  const { addons, steps, schemas } = removal;
  await options.lease.assert(transaction);
  const stay = holder.acquire();
  const context = host.context(stay.generation, transaction);
  try {
    // Their tables are dropped first, so that they no longer reference rows to be removed.
    await database.schema.apply(transaction, steps);
    const remainingTables = tablesLeft(removal.current, steps);
    const { keptCount } = await removeRows(context.ctx, { ...removal, current: remainingTables });
    await database.schema.apply(
      transaction,
      schemas ? changedIndexes(database.schema.plan(schemas.after, remainingTables).steps, remainingTables) : [],
    );
    await clearLedger(database, transaction, addons);
    await removeTasks(database, transaction, { addons });
    await recordRemoval(host, options, transaction, addons, keptCount);
    for (const step of steps) if (step.type === 'dropColumn') transaction.touch(step.table);
  } finally {
    await context.dispose();
    stay.release();
  }
}

/** Indexes of remaining tables that the addons had changed. */
function changedIndexes(steps: readonly SchemaStep[], remainingTables: readonly TableSpec[]): SchemaStep[] {
  const present = new Set(remainingTables.map(({ name }) => name));
  return steps.filter((step) => (step.type === 'createIndex' || step.type === 'dropIndex') && present.has(step.table));
}

async function recordRemoval(
  { database }: InstallHost,
  { plan, by: user, began: startedAt }: RemovalWriting,
  transaction: Transaction,
  addons: readonly string[],
  keptCount: number,
): Promise<void> {
  const emptyState = {
    state: 'uninstalled',
    version: null,
    demo: false,
    migrations: [],
    watermarks: {},
    lastError: null,
    changedBy: user,
  } as const;
  for (const name of addons) await writeModule(database, transaction, name, emptyState);
  const stays =
    keptCount > 0 ? [sentence('{kept} shipped records are still in use and are kept.', { kept: keptCount })] : [];
  await enterSwitchLog(database, transaction, {
    action: 'uninstall',
    addons,
    result: 'done',
    summary: [...plan.items.map((item) => item.sentence), ...stays],
    problems: [],
    durationMs: performance.now() - startedAt,
    by: user,
  });
}
