import {
  BrokenAddons,
  Conflict,
  describeProblem,
  InvalidInput,
  NotAllowed,
  PergolaError,
  type Problem,
} from '../base/index.ts';
import type { Generation } from './generation.ts';
import type { LifecycleHost } from './host.ts';
import type { LeftOut } from './left-out.ts';
import { type Plan, planOf, type SwitchAction, type SwitchProgress, type SwitchStep } from './plan.ts';
import { type PreparedSwitch, prepareSwitch } from './prepare.ts';
import { inEnglish, type Sentence, sentence } from './sentence.ts';
import type { PreparedRemoval, SwitchQuestion } from './storage.ts';
import { type Inventory, type Target, takeInventory, targetOf } from './target.ts';

/** How a switch is made. */
export interface SwitchOptions {
  /** Who asks, for the log of switches: a login, or `command line`. */
  readonly by?: string;
  /** Agrees that other addons than those asked for go too. */
  readonly yes?: boolean;
  /** Uninstall: the addon's name, typed. */
  readonly confirm?: string;
  /** Only plans. */
  readonly dryRun?: boolean;
  /** With `dryRun`: also does it in a transaction that is rolled back; what is refused is among the plan's problems. */
  readonly rehearse?: boolean;
  /** Demo data for addons that are new, default as configured; in a refresh what these addons have more of than is there. */
  readonly demo?: boolean | ReadonlySet<string>;
  /** Refresh: shipped records are brought up to date too. */
  readonly data?: boolean | ReadonlySet<string>;
  readonly onProgress?: (progress: SwitchProgress) => void;
}

/** A switch with everything it takes, before anything is changed. */
interface Ready {
  readonly plan: Plan;
  /** Null where nothing that serves changes. */
  readonly prepared: PreparedSwitch | null;
  /** Of an uninstall. */
  readonly removal: PreparedRemoval | null;
}

/** How often a switch starts again when somebody else made a generation meanwhile. */
const mostTries = 5;

/** One switch, from the question to the end. */
export class Switch {
  readonly #host: LifecycleHost;
  readonly #leftOut: LeftOut;
  readonly #question: SwitchQuestion;
  readonly #options: SwitchOptions;
  readonly #by: string;
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
    this.#question = { action, names, demo: options.demo ?? host.demo, data: options.data };
    this.#options = options;
    this.#by = options.by ?? 'system';
  }

  /** Does it, or with `dryRun` only says what it would do; answers the plan. */
  async run(): Promise<Plan> {
    if (this.#options.dryRun) return this.#plan();
    const unlock = await this.#lock();
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          return await this.#attempt();
        } catch (error) {
          await this.#dispose();
          if (!(error instanceof Conflict && error.code === 'core.switch_overtaken') || tries === mostTries)
            throw error;
        }
      }
    } catch (error) {
      await this.#noteFailure(error);
      throw error;
    } finally {
      await unlock().catch((error: unknown) =>
        this.#host.log.warn({ err: error }, 'The lock of a switch could not be given back; it ends by itself'),
      );
    }
  }

  async #plan(): Promise<Plan> {
    try {
      const { plan, prepared } = await this.#prepare();
      return this.#options.rehearse && prepared?.generation ? await this.#rehearsed(plan, prepared) : plan;
    } finally {
      await this.#dispose();
    }
  }

  async #rehearsed(plan: Plan, { change }: PreparedSwitch): Promise<Plan> {
    try {
      return { ...plan, items: await change.rehearse({ plan, by: this.#by, began: this.#began }) };
    } catch (error) {
      if (!(error instanceof BrokenAddons)) throw error;
      return { ...plan, problems: error.problems };
    }
  }

  async #dispose(): Promise<void> {
    await this.#unused?.dispose();
    this.#unused = null;
  }

  async #prepare(): Promise<Ready> {
    const { action, names } = this.#question;
    const inventory = await takeInventory(this.#host, this.#leftOut);
    const target = targetOf(action, names, inventory);
    if (action === 'upgrade' && target.problems.length > 0) return this.#refused(target, inventory);
    if ((target.addons.length === 0 && action !== 'refresh') || target.problems.length > 0)
      return { plan: planOf(this.#question, target, []), prepared: null, removal: null };
    const goesOff = target.addons.some(({ from, to }) => from === 'enabled' && to !== 'enabled');
    const prepared =
      action !== 'uninstall' || goesOff
        ? await prepareSwitch(this.#host, inventory, disabling(action, target), this.#question)
        : null;
    this.#unused = prepared?.generation ?? null;
    const removal = action === 'uninstall' ? await this.#prepareRemoval(target.addons) : null;
    const items = [...(removal?.items ?? []), ...(prepared?.plan.items ?? [])];
    const problems = prepared?.plan.problems ?? [];
    const plan = { ...planOf(this.#question, target, items), problems };
    if (problems.length > 0) return { plan, prepared, removal };
    return { plan: { ...plan, items: [...items, ...(await this.#host.storage.notes(plan))] }, prepared, removal };
  }

  /** An upgrade that can't be. An addon that isn't enabled may be one that never could be: then that is the reason. */
  async #refused(target: Target, inventory: Inventory): Promise<Ready> {
    const disabled = this.#question.names.filter((name) => inventory.stored.get(name)?.state !== 'enabled');
    const coming = targetOf('enable', disabled, inventory);
    const problems = [...target.problems, ...coming.problems];
    if (coming.addons.length > 0 && coming.problems.length === 0) {
      const { plan, generation } = await prepareSwitch(this.#host, inventory, coming, {
        ...this.#question,
        action: 'enable',
      });
      this.#unused = generation;
      problems.push(...plan.problems);
    }
    const distinct = new Map(problems.map((problem) => [describeProblem(problem), problem]));
    const plan = { ...planOf(this.#question, target, []), problems: [...distinct.values()] };
    return { plan, prepared: null, removal: null };
  }

  #prepareRemoval(addons: Target['addons']): Promise<PreparedRemoval> {
    const { storage, discovery } = this.#host;
    return storage.prepareRemoval(
      addons.map(({ name }) => name),
      new Map(discovery.addons.map((addon) => [addon.name, addon])),
    );
  }

  async #attempt(): Promise<Plan> {
    const { action } = this.#question;
    await this.#host.follower.check();
    this.#tell('plan', sentence('Planning the changes'));
    const { plan, prepared } = await this.#prepare();
    if (plan.problems.length > 0) throw new BrokenAddons(plan.problems);
    if (plan.addons.length === 0 && action !== 'refresh') return plan;
    this.#tell('build', sentence('Checks passed'));
    this.#demandConsent(plan);
    if (prepared?.generation) await this.#commit(prepared, prepared.generation);
    if (action === 'uninstall') await this.#remove(plan);
    this.#tell('done', sentence('Done'));
    return plan;
  }

  /** Commits and swaps. From the commit on, all processes follow; this one is there first. */
  async #commit({ plan, change }: PreparedSwitch, generation: Generation): Promise<void> {
    const { follower, holder } = this.#host;
    await follower.exclusively(async () => {
      this.#tell('database', sentence('Writing to the database'));
      await change.commit({ plan, by: this.#by, began: this.#began, alone: false });
      this.#unused = null;
      this.#tell('swap', sentence('Activating the new set of apps'));
      holder.swap(generation);
    });
    // What kept this process from serving may be gone with it.
    await follower.check();
  }

  async #remove(plan: Plan): Promise<void> {
    const { storage } = this.#host;
    this.#tell('nodes', sentence('Waiting for running requests and jobs to finish'));
    await storage.settled((await storage.newest())?.number ?? 0);
    this.#tell('archive', sentence('Archiving the data'));
    // Until now they were served and written to.
    const removal = await this.#prepareRemoval(plan.addons);
    await removal.remove({
      plan,
      by: this.#by,
      began: this.#began,
      onArchived: (folder) =>
        this.#tell('remove', sentence('Deleting the data. The archive is in {folder}', { folder })),
    });
  }

  /** What was only asked wrongly (no consent given) is no failure. */
  async #noteFailure(error: unknown): Promise<void> {
    if (error instanceof InvalidInput || error instanceof NotAllowed) return;
    const { storage, log, discovery } = this.#host;
    const { action, names } = this.#question;
    const known = discovery.addons.map(({ name }) => name).filter((name) => names.includes(name));
    const problems = problemsOf(error, names);
    log.warn({ err: error, action, addons: names }, 'A switch of addons failed');
    try {
      await storage.noteFailure({ action, names, known, problems, by: this.#by, began: this.#began });
    } catch (second) {
      log.error({ err: second }, 'The report of a failed switch could not be kept');
    }
  }

  #tell(step: SwitchStep, said: Sentence): void {
    this.#options.onProgress?.({ step, sentence: said });
  }

  async #lock(): Promise<() => Promise<void>> {
    this.#tell('lock', sentence('Waiting for the lock'));
    const { storage } = this.#host;
    const { action, names } = this.#question;
    const unlock = await storage.lock(`${action} ${names.join(', ')}`);
    if (unlock) return unlock;
    const other = await storage.lockHolder();
    throw new Conflict('Another app change is in progress ({what}, on {holder}). Try again when it’s finished.', {
      code: 'core.switch_running',
      params: { what: other?.note ?? 'unknown', holder: other?.holder ?? 'another process' },
    });
  }

  #demandConsent(plan: Plan): void {
    const { yes = false, confirm } = this.#options;
    if (plan.confirm !== null && confirm !== plan.confirm) {
      throw new InvalidInput('This deletes data. Type the app’s name, “{name}”, to confirm.', {
        code: 'core.confirm_uninstall',
        params: { name: plan.confirm },
        fields: { confirm: plan.confirm },
      });
    }
    if (!plan.needsYes || yes || plan.confirm !== null) return;
    const others = plan.addons.filter(({ reason }) => reason === 'dependant').map(({ title }) => title);
    throw new InvalidInput('These apps will be disabled too: {others}. Confirm to continue.', {
      code: 'core.confirm_dependants',
      params: { others: others.join(', ') },
    });
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

function problemsOf(error: unknown, names: readonly string[]): readonly Problem[] {
  if (error instanceof BrokenAddons) return error.problems;
  const message =
    error instanceof PergolaError
      ? inEnglish({ text: error.message, params: error.params })
      : error instanceof Error
        ? error.message
        : String(error);
  return names.map((addon) => ({ addon, message }));
}
