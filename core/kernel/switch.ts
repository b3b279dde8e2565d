import { BrokenAddons, Conflict, InvalidInput } from '../base/errors.ts';
import { type HeldLease, SWITCH_LEASE } from '../cluster/lease.ts';
import { commitSwitch } from '../install/commit.ts';
import { latestGeneration } from '../install/generation-store.ts';
import { withNotes } from '../install/plan-notes.ts';
import { type Prepared, plan as planOf, prepareSwitch, withProblems } from '../install/prepare.ts';
import { readyData } from '../install/ready-data.ts';
import { removalItems } from '../install/removal-items.ts';
import { noteFailure } from '../install/switch-failure.ts';
import { prepareRemoval, removeAddons } from '../install/uninstall.ts';
import { models } from '../model/points.ts';
import type { Generation } from './generation.ts';
import type { LifecycleHost } from './host.ts';
import type { Plan, PlanItem, SwitchAction, SwitchProgress, SwitchStep } from './plan.ts';
import { type Sentence, sentence } from './sentence.ts';
import { type Target, targetOf, type World } from './target.ts';
import { type LeftOut, readWorld } from './world.ts';

/** How a switch is made. */
export interface SwitchOptions {
  /** Who asks, for the book of switches: a login, or `command line`. */
  readonly by?: string;
  /** Agrees that other addons than those asked for go too. */
  readonly yes?: boolean;
  /** Uninstall: the addon's name, typed. */
  readonly confirm?: string;
  /** Only plans. */
  readonly dryRun?: boolean;
  /** Demo data for addons that are new. Default as configured. */
  readonly demo?: boolean;
  /** Refresh: shipped records are brought up to date too. */
  readonly data?: boolean | ReadonlySet<string>;
  readonly onProgress?: (progress: SwitchProgress) => void;
}

/** How often a switch starts again when somebody else made a generation meanwhile. */
const mostTries = 5;

/** One switch, from the question to the end. */
export class Switch {
  readonly #host: LifecycleHost;
  readonly #leftOut: LeftOut;
  readonly #action: SwitchAction;
  readonly #names: readonly string[];
  readonly #options: SwitchOptions;
  readonly #began = performance.now();
  /** Built and not served: to be disposed. */
  #unused: Generation | null = null;

  constructor(
    host: LifecycleHost,
    leftOut: LeftOut,
    action: SwitchAction,
    names: readonly string[],
    options: SwitchOptions,
  ) {
    this.#host = host;
    this.#leftOut = leftOut;
    this.#action = action;
    this.#names = names;
    this.#options = options;
  }

  /** What it would do; nothing is done. */
  async plan(): Promise<Plan> {
    try {
      return (await this.#prepare()).plan;
    } finally {
      await this.#dispose();
    }
  }

  async #dispose(): Promise<void> {
    await this.#unused?.dispose();
    this.#unused = null;
  }

  async #prepare(): Promise<{ plan: Plan; target: Target; world: World; prepared: Prepared | null }> {
    const world = await readWorld(this.#host, this.#leftOut);
    const target = targetOf(this.#action, this.#names, world);
    if ((target.addons.length === 0 && this.#action !== 'refresh') || target.problems.length > 0) {
      return { plan: planOf(this.#question, target, []), target, world, prepared: null };
    }
    const goesOff = target.addons.some(({ from, to }) => from === 'enabled' && to !== 'enabled');
    const prepared =
      this.#action !== 'uninstall' || goesOff
        ? await prepareSwitch(this.#host, world, disabling(this.#action, target), this.#question)
        : null;
    this.#unused = prepared?.generation ?? null;
    const removed = this.#action === 'uninstall' ? await this.#removalItems(world, target) : [];
    const problems = prepared?.plan.problems ?? [];
    const plan = withProblems(planOf(this.#question, target, [...removed, ...(prepared?.plan.items ?? [])]), problems);
    return { plan: problems.length > 0 ? plan : await withNotes(this.#host, plan), target, world, prepared };
  }

  async run(): Promise<Plan> {
    if (this.#options.dryRun) return this.plan();
    const lease = await this.#lock();
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          return await this.#attempt(lease);
        } catch (error) {
          await this.#dispose();
          if (!(error instanceof Conflict && error.code === 'core.switch_overtaken') || tries === mostTries)
            throw error;
        }
      }
    } catch (error) {
      await noteFailure(this.#host, error, {
        action: this.#action,
        names: this.#names,
        by: this.#options.by ?? 'system',
        began: this.#began,
      });
      throw error;
    } finally {
      await lease
        .release()
        .catch((error: unknown) =>
          this.#host.log.warn({ err: error }, 'The lock of a switch could not be given back; it ends by itself'),
        );
    }
  }

  async #attempt(lease: HeldLease): Promise<Plan> {
    const { follower } = this.#host;
    await follower.check();
    this.#tell('plan', sentence('Working out what changes'));
    const { plan, target, world, prepared } = await this.#prepare();
    if (plan.problems.length > 0) throw new BrokenAddons(plan.problems);
    if (plan.addons.length === 0 && this.#action !== 'refresh') return plan;
    this.#tell('build', sentence('Everything fits together'));
    this.#demandConsent(plan);
    if (prepared?.generation) await this.#switch(prepared, prepared.generation, world, lease);
    if (this.#action === 'uninstall') await this.#remove(plan, target, lease);
    this.#tell('done', sentence('Done'));
    return plan;
  }

  /** Commits and swaps. From the commit on, all nodes follow; this one is there first. */
  async #switch(planned: Prepared, generation: Generation, world: World, lease: HeldLease): Promise<void> {
    const { follower, holder } = this.#host;
    const prepared = { ...planned, data: await readyData(this.#host, generation, planned.data) };
    const demo = this.#demo;
    const by = this.#options.by ?? 'system';
    await follower.exclusively(async () => {
      this.#tell('database', sentence('Writing to the database'));
      await commitSwitch(this.#host, {
        prepared,
        generation,
        world,
        lease,
        demo,
        by,
        began: this.#began,
        alone: false,
      });
      this.#unused = null;
      await this.#makeUnique(prepared);
      this.#tell('swap', sentence('Serving the new set of addons'));
      holder.swap(generation);
    });
    // What kept this process from serving may be gone with it.
    await follower.check();
  }

  /**
   * Unique indexes before anything is served that could write what they forbid; the others wait for the job. What fails here is left to it too.
   */
  async #makeUnique({ steps }: Prepared): Promise<void> {
    const { database, log } = this.#host;
    const replaced = new Set(steps.later.flatMap((step) => (step.type === 'dropIndex' ? [step.index] : [])));
    const unique = steps.later.filter(
      (step) => step.type === 'createIndex' && step.index.unique && !replaced.has(step.index.name),
    );
    if (unique.length === 0) return;
    try {
      await database.schema.applyOutside(unique);
    } catch (error) {
      log.warn({ err: error }, 'A unique index of an addon could not be made; it is tried again');
    }
  }

  async #remove(plan: Plan, target: Target, lease: HeldLease): Promise<void> {
    const { database, nodes } = this.#host;
    const names = target.addons.map(({ name }) => name);
    this.#tell('nodes', sentence('Waiting until no request or job uses them any more'));
    const latest = await latestGeneration(database);
    await nodes.acknowledged(latest?.number ?? 0);
    this.#tell('archive', sentence('Archiving the data'));
    const world = await readWorld(this.#host, this.#leftOut);
    const removal = await prepareRemoval(this.#host, world, names);
    await removeAddons(this.#host, removal, {
      plan,
      world,
      lease,
      by: this.#options.by ?? 'system',
      began: this.#began,
      onArchived: (folder) =>
        this.#tell('remove', sentence('Removing the data; the archive is in {folder}', { folder })),
    });
  }

  get #question() {
    return { action: this.#action, names: this.#names, demo: this.#demo, data: this.#options.data };
  }

  get #demo(): boolean {
    return this.#options.demo ?? this.#host.config.demo;
  }

  #tell(step: SwitchStep, said: Sentence): void {
    this.#options.onProgress?.({ step, sentence: said });
  }

  async #lock(): Promise<HeldLease> {
    this.#tell('lock', sentence('Waiting for the lock'));
    const { leases } = this.#host;
    const note = `${this.#action} ${this.#names.join(', ')}`;
    const lease = await leases.acquire(SWITCH_LEASE, { ttlMs: 15_000, note });
    if (lease) return lease;
    const other = await leases.holder(SWITCH_LEASE);
    throw new Conflict('Another switch of addons is running ({what}, on {holder}). Try again when it has ended.', {
      code: 'core.switch_running',
      params: { what: other?.note ?? 'unknown', holder: other?.holder ?? 'another process' },
    });
  }

  #demandConsent(plan: Plan): void {
    const { yes = false, confirm } = this.#options;
    if (plan.confirm !== null && confirm !== plan.confirm) {
      throw new InvalidInput('This removes data. Type the name of the addon, “{name}”, to confirm.', {
        code: 'core.confirm_uninstall',
        params: { name: plan.confirm },
        fields: { confirm: plan.confirm },
      });
    }
    if (!plan.needsYes || yes || plan.confirm !== null) return;
    const others = plan.addons.filter(({ reason }) => reason === 'dependant').map(({ title }) => title);
    throw new InvalidInput('Other addons go with it: {others}. Confirm that they may.', {
      code: 'core.confirm_dependants',
      params: { others: others.join(', ') },
    });
  }

  async #removalItems(world: World, target: Target): Promise<PlanItem[]> {
    const removal = await prepareRemoval(
      this.#host,
      world,
      target.addons.map(({ name }) => name),
    );
    const { database, holder } = this.#host;
    return removalItems(database, removal, holder.ready ? holder.current.get(models) : null);
  }
}

/** The first half of an uninstall: what is enabled is disabled. */
function disabling(action: SwitchAction, target: Target): Target {
  if (action !== 'uninstall') return target;
  const addons = target.addons
    .filter(({ from }) => from === 'enabled')
    .map((addon) => ({ ...addon, to: 'disabled' as const, toVersion: addon.fromVersion }));
  return { ...target, addons };
}
