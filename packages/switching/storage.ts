import { type HeldLease, SWITCH_LEASE } from '@pergola/cluster';
import type {
  Addon,
  AddonStorage,
  Change,
  CodeReview,
  Ctx,
  FailedSwitch,
  Generation,
  GenerationRecord,
  ListedAddon,
  LockHolder,
  OwnedContext,
  PastSwitch,
  Plan,
  PlanItem,
  PreparedChange,
  PreparedRemoval,
  Problem,
} from '@pergola/core';
import type { Transaction } from '@pergola/db';
import { models } from '@pergola/orm';
import { siteZoneOf } from '@pergola/texts';
import { commitChange, readyData, type Writing } from './commit.ts';
import { addConsents, reviewsOf } from './consents.ts';
import { consequencesOf } from './consequences.ts';
import { fingerprint } from './fingerprint.ts';
import { GENERATION_TABLE, latestGeneration } from './generation-store.ts';
import type { InstallHost } from './host.ts';
import { misfits } from './misfits.ts';
import { type ModuleRow, readModules, writeModule } from './module-store.ts';
import { type Prepared, prepareChange, type SwitchSteps } from './prepare.ts';
import { type Outcome, rehearsedItems } from './record-items.ts';
import { removalItems } from './removal-items.ts';
import { enterSwitchLog, readSwitchLog } from './switch-log.ts';
import { tableNames } from './table-names.ts';
import { runTasks } from './task-runner.ts';
import { planRemoval, removeAddons } from './uninstall.ts';

/** Stores the state of addons and their data in the database shared by all processes of a site. */
export class DatabaseAddonStorage implements AddonStorage {
  readonly #host: InstallHost;
  #lease: HeldLease | null = null;

  constructor(host: InstallHost) {
    this.#host = host;
  }

  consequences(plan: Plan): Promise<readonly PlanItem[]> {
    return consequencesOf(this.#host, plan);
  }

  fingerprint(plan: Plan): Promise<string> {
    return fingerprint(this.#host, plan);
  }

  newest(): Promise<GenerationRecord | null> {
    return latestGeneration(this.#host.database);
  }

  subscribe(listener: () => void): () => void {
    return this.#host.database.changes.subscribe((tables) => {
      if (tables === 'all' || tables.has(GENERATION_TABLE)) listener();
    });
  }

  addons(): Promise<ReadonlyMap<string, ModuleRow>> {
    return readModules(this.#host.database);
  }

  async lock(note: string): Promise<(() => Promise<void>) | null> {
    const lease = await this.#host.leases.acquire(SWITCH_LEASE, { ttlMs: 30_000, note });
    if (!lease) return null;
    this.#lease = lease;
    return async () => {
      this.#lease = null;
      await lease.release();
    };
  }

  lockHolder(): Promise<LockHolder | null> {
    return this.#host.leases.holder(SWITCH_LEASE);
  }

  misfits(generation: Generation): Promise<readonly Problem[]> {
    return misfits(this.#host.database, generation);
  }

  reviews(addons: readonly ListedAddon[]): Promise<readonly CodeReview[]> {
    return reviewsOf(this.#host.database, addons, this.#host.discovery);
  }

  addConsents(reviews: readonly CodeReview[], by: string): Promise<void> {
    return addConsents(this.#host.database, reviews, by);
  }

  async prepare(change: Change): Promise<PreparedChange> {
    const host = this.#host;
    const prepared = await prepareChange(host.database, change);
    return {
      items: prepared.items,
      problems: prepared.problems,
      commit: async (commitment) => {
        await this.#store(prepared, commitment, this.#held());
        if (!commitment.alone) await this.#makeUnique(prepared.steps);
      },
      rehearse: async (commitment) => {
        const outcome = await this.#store(prepared, { ...commitment, alone: false }, null);
        const names = tableNames(prepared.generation?.get(models) ?? null);
        return rehearsedItems(commitment.plan.items, outcome, names);
      },
    };
  }

  async #store(
    prepared: Prepared,
    commitment: Omit<Writing, 'prepared' | 'generation' | 'lease'>,
    lease: Writing['lease'],
  ): Promise<Outcome> {
    const { generation } = prepared;
    if (!generation) throw new TypeError('What could not be built cannot be stored.');
    const data = await readyData(this.#host, generation, prepared.data);
    return commitChange(this.#host, { ...commitment, prepared: { ...prepared, data }, generation, lease });
  }

  async prepareRemoval(names: readonly string[], onDisk: ReadonlyMap<string, Addon>): Promise<PreparedRemoval> {
    const { database, holder } = this.#host;
    const removal = await planRemoval(database, names, onDisk);
    return {
      items: await removalItems(database, removal, holder.ready ? holder.current.get(models) : null),
      remove: (commitment) => removeAddons(this.#host, removal, { ...commitment, lease: this.#held() }),
    };
  }

  settled(number: number): Promise<void> {
    return this.#host.nodes.acknowledged(number);
  }

  async finish(): Promise<void> {
    const { database, log, holder, context } = this.#host;
    const { generation, release } = holder.acquire();
    const reading = context(generation, database.reader);
    try {
      const zone = await siteZoneOf(reading.ctx);
      const inZone = ({ ctx }: OwnedContext): Ctx => ctx.as({ timezone: zone, siteTimezone: zone });
      await runTasks({
        ctx: inZone(reading),
        isExclusive: true,
        signal: new AbortController().signal,
        write: (work) =>
          database.write(
            async (transaction) => {
              const writing = context(generation, transaction);
              try {
                return await work(inZone(writing));
              } finally {
                await writing.dispose();
              }
            },
            { label: 'first start', timeoutMs: 0 },
          ),
      });
    } catch (error) {
      log.error({ err: error }, 'Part of the first start continues while the site runs');
    } finally {
      await reading.dispose();
      release();
    }
  }

  async noteErrors(errors: ReadonlyMap<string, readonly Problem[] | null>): Promise<void> {
    await this.#write('errors of addons', async (transaction) => {
      for (const [name, lastError] of errors) await writeModule(this.#host.database, transaction, name, { lastError });
    });
  }

  async noteFailure({
    action,
    names,
    known: knownNames,
    problems,
    by: user,
    began: startedAt,
  }: FailedSwitch): Promise<void> {
    const { database } = this.#host;
    await this.#write('report of a failed switch', async (transaction) => {
      for (const name of knownNames) await writeModule(database, transaction, name, { lastError: problems });
      await enterSwitchLog(database, transaction, {
        action,
        addons: names,
        result: 'failed',
        summary: [],
        problems,
        durationMs: performance.now() - startedAt,
        by: user,
      });
    });
  }

  history(limit: number): Promise<PastSwitch[]> {
    return readSwitchLog(this.#host.database, limit);
  }

  /** Creates unique indexes before serving code that could violate them; other indexes are left to the job, and so are failures. */
  async #makeUnique({ later }: SwitchSteps): Promise<void> {
    const { database, log } = this.#host;
    const replaced = new Set(later.flatMap((step) => (step.type === 'dropIndex' ? [step.index] : [])));
    const unique = later.filter(
      (step) => step.type === 'createIndex' && step.index.unique && !replaced.has(step.index.name),
    );
    if (unique.length === 0) return;
    try {
      await database.schema.applyOutside(unique);
    } catch (error) {
      log.warn({ err: error }, 'A unique index of an addon could not be made; it is tried again');
    }
  }

  #held(): HeldLease {
    if (this.#lease) return this.#lease;
    throw new TypeError('Addons are switched under the lock only.');
  }

  async #write(label: string, work: (transaction: Transaction) => Promise<void>): Promise<void> {
    await this.#host.database.write(work, { label });
  }
}
