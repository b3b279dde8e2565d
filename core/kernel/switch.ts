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
import { type Consent, type Plan, planOf, type SwitchAction, type SwitchProgress, type SwitchStep } from './plan.ts';
import { otherVersions, type PreparedSwitch, prepareSwitch } from './prepare.ts';
import { loadReviewed } from './reviewed-code.ts';
import { inEnglish, type Sentence, sentence } from './sentence.ts';
import type { PreparedRemoval, SwitchQuestion } from './storage.ts';
import { type Inventory, type LoadedTarget, loadedTarget, type Target, takeInventory, targetOf } from './target.ts';

/** Options of a switch. */
export interface SwitchOptions {
  /** Login of the user for the switch log, or `command line`. */
  readonly by?: string;
  /** Confirms that other addons are affected too. */
  readonly yes?: boolean;
  /** Uninstall: the addon's name, typed by the user. */
  readonly confirm?: string;
  /** Fingerprint of a rehearsal: the switch is refused if anything has changed since. */
  readonly rehearsed?: string;
  /** Only plans. */
  readonly dryRun?: boolean;
  /** Agrees to what code can do. It is stored even with `dryRun`, because planning loads the code. */
  readonly consent?: Consent;
  /** With `dryRun`: also runs the switch in a transaction that is rolled back; rejected records become problems of the plan. */
  readonly rehearse?: boolean;
  /** Whether new addons get demo data (default: as configured); in a refresh, the addons whose additional demo data is added. */
  readonly demo?: boolean | ReadonlySet<string>;
  /** Refresh: also updates shipped records. */
  readonly data?: boolean | ReadonlySet<string>;
  readonly onProgress?: (progress: SwitchProgress) => void;
}

/** A planned switch with everything needed to run it. */
interface PreparedRun {
  readonly plan: Plan;
  /** Null if the served addons don't change. */
  readonly prepared: PreparedSwitch | null;
  /** Only for an uninstall. */
  readonly removal: PreparedRemoval | null;
}

/** Maximum number of attempts when other processes create generations in the meantime. */
const maxAttempts = 5;

/** One switch from start to end. */
export class Switch {
  readonly #host: LifecycleHost;
  readonly #leftOut: LeftOut;
  readonly #question: SwitchQuestion;
  readonly #options: SwitchOptions;
  readonly #by: string;
  readonly #began = performance.now();
  /** Built but not serving: must be disposed. */
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

  /** Runs the switch, or only plans it with `dryRun`; returns the plan. */
  async run(): Promise<Plan> {
    if (this.#options.dryRun) return this.#plan();
    const unlock = await this.#lock();
    try {
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await this.#attempt();
        } catch (error) {
          await this.#dispose();
          if (!(error instanceof Conflict && error.code === 'core.switch_overtaken') || attempts === maxAttempts)
            throw error;
        }
      }
    } catch (error) {
      await this.#noteFailure(error);
      throw error;
    } finally {
      await unlock().catch((error: unknown) =>
        this.#host.log.warn({ err: error }, 'The lock of a switch could not be released; it expires'),
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

  async #prepare(): Promise<PreparedRun> {
    const { action, names } = this.#question;
    const { inventory, target, reviews } = await this.#load(action, names);
    if (action === 'upgrade' && target.problems.length > 0) return this.#refused(target, inventory);
    if ((target.addons.length === 0 && action !== 'refresh') || target.problems.length > 0)
      return { plan: planOf(this.#question, target, []), prepared: null, removal: null };
    if (reviews.length > 0)
      return { plan: { ...planOf(this.#question, target, []), reviews }, prepared: null, removal: null };
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
    return {
      plan: { ...plan, items: [...(await this.#host.storage.consequences(plan)), ...items] },
      prepared,
      removal,
    };
  }

  /** Plan of an upgrade that is impossible. An addon that isn't enabled may be impossible to enable: report that reason too. */
  async #refused(target: Target, inventory: Inventory): Promise<PreparedRun> {
    const disabled = this.#question.names.filter((name) => inventory.stored.get(name)?.state !== 'enabled');
    if (disabled.length === 0) return { plan: planOf(this.#question, target, []), prepared: null, removal: null };
    const { inventory: after, target: coming, reviews } = await this.#load('enable', disabled);
    // Loading may have shown why they can't be used, which says more than that they aren't enabled.
    const refusals = target.problems.filter(({ addon }) => after.addons.has(addon) || !inventory.addons.has(addon));
    const problems = [...refusals, ...coming.problems];
    if (coming.addons.length > 0 && coming.problems.length === 0 && reviews.length === 0) {
      const { plan, generation } = await prepareSwitch(this.#host, after, coming, {
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

  async #load(action: SwitchAction, names: readonly string[]): Promise<LoadedTarget> {
    const { consent } = this.#options;
    const inventory = await takeInventory(this.#host, this.#leftOut);
    const target = targetOf(action, names, inventory);
    const isLoading = target.problems.length === 0 && (action === 'enable' || action === 'upgrade');
    const outdated = isLoading ? await otherVersions(this.#host, target, inventory) : [];
    // Code that can't be enabled now isn't loaded, so it needs no review.
    if (outdated.length > 0) return { inventory, target: { ...target, problems: outdated }, reviews: [] };
    return loadedTarget(this.#host, { action, names }, { leftOut: this.#leftOut, consent });
  }

  async #prepareRemoval(addons: Target['addons']): Promise<PreparedRemoval> {
    const { storage, discovery } = this.#host;
    // The models of all installed addons tell which columns are left over.
    const installed = [...(await storage.addons()).values()].filter(({ version }) => version !== null);
    await loadReviewed(
      this.#host,
      installed.map(({ name }) => name),
    );
    return storage.prepareRemoval(
      addons.map(({ name }) => name),
      new Map(discovery.loaded.map((addon) => [addon.name, addon])),
    );
  }

  async #attempt(): Promise<Plan> {
    const { action } = this.#question;
    await this.#host.follower.check();
    this.#report('plan', sentence('Planning the changes'));
    const { plan, prepared } = await this.#prepare();
    if (plan.problems.length > 0) throw new BrokenAddons(plan.problems);
    if (plan.addons.length === 0 && action !== 'refresh') return plan;
    this.#demandReviews(plan);
    await this.#demandRehearsed(plan);
    this.#report('build', sentence('Checks passed'));
    this.#demandConfirmation(plan);
    if (prepared?.generation) await this.#commit(prepared, prepared.generation);
    if (action === 'uninstall') await this.#remove(plan);
    this.#report('done', sentence('Done'));
    return plan;
  }

  /** Commits and swaps. All processes follow after the commit; this one swaps first. */
  async #commit({ plan, change }: PreparedSwitch, generation: Generation): Promise<void> {
    const { follower, holder } = this.#host;
    await follower.exclusively(async () => {
      this.#report('database', sentence('Writing to the database'));
      await change.commit({ plan, by: this.#by, began: this.#began, alone: false });
      this.#unused = null;
      this.#report('swap', sentence('Activating the new set of apps'));
      holder.swap(generation);
    });
    // The switch may have removed what kept this process from serving.
    await follower.check();
  }

  async #remove(plan: Plan): Promise<void> {
    const { storage } = this.#host;
    this.#report('nodes', sentence('Waiting for running requests and jobs to finish'));
    await storage.settled((await storage.newest())?.number ?? 0);
    this.#report('archive', sentence('Archiving the data'));
    // The addons were served and written to until now.
    const removal = await this.#prepareRemoval(plan.addons);
    await removal.remove({
      plan,
      by: this.#by,
      began: this.#began,
      onArchived: (folder) =>
        this.#report('remove', sentence('Deleting the data. The archive is in {folder}', { folder })),
    });
  }

  /** Stores a failure. A missing confirmation doesn't count as a failure. */
  async #noteFailure(error: unknown): Promise<void> {
    if (error instanceof InvalidInput || error instanceof NotAllowed) return;
    const { storage, log, discovery } = this.#host;
    const { action, names } = this.#question;
    const addonNames = discovery.addons.map(({ name }) => name).filter((name) => names.includes(name));
    const problems = problemsOf(error, names);
    log.warn({ err: error, action, addons: names }, 'A switch of addons failed');
    try {
      await storage.noteFailure({ action, names, known: addonNames, problems, by: this.#by, began: this.#began });
    } catch (second) {
      log.error({ err: second }, 'The report of a failed switch could not be stored');
    }
  }

  #report(step: SwitchStep, description: Sentence): void {
    this.#options.onProgress?.({ step, sentence: description });
  }

  async #lock(): Promise<() => Promise<void>> {
    this.#report('lock', sentence('Waiting for the lock'));
    const { storage } = this.#host;
    const { action, names } = this.#question;
    const unlock = await storage.lock(`${action} ${names.join(', ')}`);
    if (unlock) return unlock;
    const holder = await storage.lockHolder();
    throw new Conflict('Another app change is in progress ({what}, on {holder}). Try again when it’s finished.', {
      code: 'core.switch_running',
      params: { what: holder?.note ?? 'unknown', holder: holder?.holder ?? 'another process' },
    });
  }

  #demandReviews({ reviews }: Plan): void {
    if (reviews.length === 0) return;
    throw new InvalidInput('Read first what the code of these apps can do, and allow it: {apps}.', {
      code: 'core.review_code',
      params: { apps: reviews.map(({ title }) => title).join(', ') },
    });
  }

  async #demandRehearsed(plan: Plan): Promise<void> {
    const { rehearsed } = this.#options;
    if (rehearsed === undefined || rehearsed === (await this.#host.storage.fingerprint(plan))) return;
    throw new Conflict('The site has changed since the rehearsal. Rehearse again.', {
      code: 'core.rehearsal_outdated',
    });
  }

  #demandConfirmation(plan: Plan): void {
    const { yes = false, confirm } = this.#options;
    if (plan.confirm !== null && confirm !== plan.confirm) {
      throw new InvalidInput('This deletes data. Type the app’s name, “{name}”, to confirm.', {
        code: 'core.confirm_uninstall',
        params: { name: plan.confirm },
        fields: { confirm: plan.confirm },
      });
    }
    if (!plan.needsYes || yes || plan.confirm !== null) return;
    const titles = plan.addons.filter(({ reason }) => reason === 'dependant').map(({ title }) => title);
    throw new InvalidInput('These apps will be disabled too: {others}. Confirm to continue.', {
      code: 'core.confirm_dependants',
      params: { others: titles.join(', ') },
    });
  }
}

/** First half of an uninstall: disables the enabled addons. */
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
