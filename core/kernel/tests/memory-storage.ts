import { Conflict, type Problem } from '../../base/errors.ts';
import type { ListedAddon } from '../addon.ts';
import type { CodeReview, Plan, PlanItem } from '../plan.ts';
import type {
  AddonState,
  AddonStorage,
  Change,
  FailedSwitch,
  GenerationRecord,
  LockHolder,
  PastSwitch,
  PreparedChange,
  PreparedRemoval,
  StoredAddon,
} from '../storage.ts';

/** Stores the state of addons in memory; several lifecycles can share it like processes share a database. */
export class MemoryStorage implements AddonStorage {
  /** Log of calls: `commit 2`, `remove shop`. */
  readonly done: string[] = [];
  /** Called during the next commit. */
  onCommit: (() => void) | null = null;
  /** Code that needs consent. */
  pending: readonly CodeReview[] = [];
  #newest: GenerationRecord | null = null;
  #locked: string | null = null;
  readonly #addons = new Map<string, StoredAddon>();
  readonly #history: PastSwitch[] = [];
  readonly #listeners = new Set<() => void>();

  async consequences(): Promise<readonly PlanItem[]> {
    return [];
  }

  async fingerprint({ action, addons }: Plan): Promise<string> {
    return JSON.stringify([this.#newest?.number, action, addons]);
  }

  async newest(): Promise<GenerationRecord | null> {
    return this.#newest;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async addons(): Promise<ReadonlyMap<string, StoredAddon>> {
    return new Map(this.#addons);
  }

  async lock(note: string): Promise<(() => Promise<void>) | null> {
    if (this.#locked !== null) return null;
    this.#locked = note;
    return async () => {
      this.#locked = null;
    };
  }

  async lockHolder(): Promise<LockHolder | null> {
    return this.#locked === null ? null : { holder: 'memory', since: new Date(), note: this.#locked };
  }

  async reviews(addons: readonly ListedAddon[]): Promise<readonly CodeReview[]> {
    return addons.flatMap(({ name }) => this.pending.find(({ addon }) => addon === name) ?? []);
  }

  async addConsents(reviews: readonly CodeReview[], by: string): Promise<void> {
    this.pending = this.pending.filter((review) => !reviews.includes(review));
    this.done.push(...reviews.map(({ addon }) => `consent ${addon} ${by}`.trim()));
  }

  async misfits(): Promise<readonly Problem[]> {
    return [];
  }

  async prepare({ record, coming }: Change): Promise<PreparedChange> {
    return {
      items: coming.map(({ name }) => ({
        topic: 'records',
        addon: name,
        sentence: { text: 'Records.', params: {} },
        data: {},
      })),
      problems: [],
      commit: async ({ plan }) => {
        const { onCommit } = this;
        this.onCommit = null;
        onCommit?.();
        if (record.number !== (this.#newest?.number ?? 0) + 1)
          throw new Conflict('Somebody was faster.', { code: 'core.switch_overtaken' });
        for (const { name, to, toVersion } of plan.addons) this.#keep(name, to, toVersion);
        this.add(record);
      },
      rehearse: async ({ plan }) => {
        this.done.push(`rehearse ${plan.action}`);
        return plan.items;
      },
    };
  }

  async prepareRemoval(names: readonly string[]): Promise<PreparedRemoval> {
    return {
      items: [],
      remove: async ({ onArchived }) => {
        onArchived('archive');
        for (const name of names) this.#keep(name, 'uninstalled', null);
        this.done.push(`remove ${names.join(', ')}`);
      },
    };
  }

  /** Creates the newest generation like another process would. */
  add(record: GenerationRecord): void {
    this.#newest = record;
    this.done.push(`commit ${record.number}`);
    for (const listener of this.#listeners) listener();
  }

  async settled(number: number): Promise<void> {
    this.done.push(`settled ${number}`);
  }

  async finish(): Promise<void> {
    this.done.push('finish');
  }

  async noteErrors(errors: ReadonlyMap<string, readonly Problem[] | null>): Promise<void> {
    for (const [name, lastError] of errors) this.#addons.set(name, { ...this.#row(name), lastError });
  }

  async noteFailure({ action, names, problems, by }: FailedSwitch): Promise<void> {
    const failure = { action, addons: names, result: 'failed', summary: [], problems, durationMs: 0, by } as const;
    this.#history.unshift({ ...failure, id: this.#history.length + 1, at: new Date() });
  }

  async history(limit: number): Promise<PastSwitch[]> {
    return this.#history.slice(0, limit);
  }

  #row(name: string): StoredAddon {
    const unstored = {
      state: 'uninstalled',
      version: null,
      lastError: null,
      changedAt: null,
      changedBy: null,
    } as const;
    return this.#addons.get(name) ?? { name, ...unstored };
  }

  #keep(name: string, state: AddonState, version: string | null): void {
    this.#addons.set(name, { ...this.#row(name), state, version });
  }
}
