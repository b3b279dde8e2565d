import type { HeldLease } from '../cluster/lease.ts';
import { rowsOf } from '../db/run.ts';
import type { Database, SchemaStep, TableSpec } from '../db/types.ts';
import { archiveAddons } from './archive.ts';
import { latestGeneration } from './generation-store.ts';
import { clearLedger, type Owned, readLedger } from './ledger.ts';
import type { LifecycleHost } from './lifecycle-host.ts';
import { writeModule } from './module-store.ts';
import { type Plan, type PlanItem, sentence } from './plan.ts';
import { removalSteps, type WantedSchemas, wantedSchemas } from './removal.ts';
import { removeRows } from './remove-rows.ts';
import { enterSwitchLog } from './switch-log.ts';
import type { World } from './targets.ts';
import { removeTasks } from './tasks.ts';

/** What has to go with addons that leave. */
export interface Removal {
  readonly addons: readonly string[];
  readonly owned: readonly Owned[];
  readonly ledger: readonly Owned[];
  readonly current: readonly TableSpec[];
  readonly wanted: WantedSchemas | null;
  readonly steps: readonly SchemaStep[];
}

/** Works out what has to go. Nothing is changed. */
export async function prepareRemoval(
  { database }: Pick<LifecycleHost, 'database'>,
  world: World,
  addons: readonly string[],
): Promise<Removal> {
  const ledger = await readLedger(database, null);
  const going = new Set(addons);
  const owned = ledger.filter(({ addon }) => going.has(addon));
  const current = await database.schema.introspect();
  const installed = [...world.modules.values()].filter(({ version }) => version !== null).map(({ name }) => name);
  const languages = (await latestGeneration(database))?.languages ?? ['en_US'];
  const wanted = wantedSchemas(installed, going, world.addons, languages);
  return { addons, owned, ledger, current, wanted, steps: removalSteps(database.schema, current, owned, wanted) };
}

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
  const items: PlanItem[] = [];
  for (const step of steps) {
    if (step.type === 'dropTable') {
      const rows = await countRows(database, step.table);
      const said = sentence('Removes the table {table} with {rows} rows.', { table: step.table, rows });
      items.push({ topic: 'rows', addon: ownerOf(step.table), sentence: said, data: said.params });
    }
    if (step.type === 'dropColumn') {
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
    const said = sentence('Removes {rows} records of {model} that came with it, unless others use them.', {
      rows: Number(row.rows),
      model: String(row.model),
    });
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

export interface RemovalOptions {
  readonly plan: Plan;
  readonly world: World;
  readonly lease: HeldLease;
  readonly by: string;
  readonly began: number;
  readonly onArchived: (folder: string) => void;
}

/**
 * Archives what addons brought and takes it out of the database, in one transaction: their tables, their columns and rows elsewhere. They are
 * disabled already, and nobody is on a generation that had them. Afterwards the schema is the one of a site that never had them.
 */
export async function removeAddons(host: LifecycleHost, removal: Removal, options: RemovalOptions): Promise<void> {
  const { database, config, holder } = host;
  const { addons, current, owned, wanted } = removal;
  const versions = Object.fromEntries(addons.map((name) => [name, options.world.modules.get(name)?.version ?? null]));
  options.onArchived(await archiveAddons({ database, addons: versions, owned, current, dataDir: config.dataDir }));
  const stay = holder.acquire();
  try {
    await database.write(
      async (transaction) => {
        await options.lease.assert(transaction);
        const context = host.context(stay.generation, transaction);
        try {
          const { kept } = await removeRows(context.ctx, removal);
          await database.schema.apply(transaction, removal.steps);
          if (wanted)
            await database.schema.apply(
              transaction,
              await indexesLeft(database, wanted.after, await database.schema.introspect(transaction)),
            );
          await clearLedger(database, transaction, addons);
          await removeTasks(database, transaction, { addons });
          for (const name of addons) {
            await writeModule(database, transaction, name, {
              state: 'uninstalled',
              version: null,
              demo: false,
              migrations: [],
              watermarks: {},
              lastError: null,
              changedBy: options.by,
            });
          }
          await enterSwitchLog(database, transaction, {
            action: 'uninstall',
            addons,
            result: 'done',
            summary: [
              ...options.plan.items.map((item) => item.sentence),
              ...(kept > 0
                ? [sentence('{kept} records that came with it are used by others and stay.', { kept })]
                : []),
            ],
            problems: [],
            durationMs: performance.now() - options.began,
            by: options.by,
          });
          for (const step of removal.steps) if (step.type === 'dropColumn') transaction.touch(step.table);
        } finally {
          await context.dispose();
        }
      },
      { label: `uninstall ${addons.join(', ')}`, deadlineMs: 60_000, timeoutMs: 120_000, lockTimeoutMs: 50 },
    );
  } finally {
    stay.release();
  }
}

/** Indexes of tables that stay which looked different while the addons were there. */
async function indexesLeft(
  { schema }: Database,
  wanted: readonly TableSpec[],
  current: readonly TableSpec[],
): Promise<SchemaStep[]> {
  const present = new Set(current.map(({ name }) => name));
  const { steps } = schema.plan(
    wanted.filter(({ name }) => present.has(name)),
    current,
  );
  return steps.filter(({ type }) => type === 'createIndex' || type === 'dropIndex');
}
