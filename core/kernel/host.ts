import type { Log, Problem } from '../base/index.ts';
import type { Addon } from './addon.ts';
import type { Discovery } from './discover.ts';
import type { Follower } from './follow.ts';
import type { Generation } from './generation.ts';
import type { GenerationHolder } from './generation-holder.ts';
import type { AddonStorage, GenerationRecord } from './storage.ts';

/** A generation, or the reasons it can't be built. */
export interface BuildResult {
  /** Only set without problems. */
  readonly generation?: Generation;
  readonly problems: readonly Problem[];
}

/** Dependencies of the lifecycle. */
export interface LifecycleParts {
  readonly storage: AddonStorage;
  readonly log: Log;
  readonly holder: GenerationHolder<Generation>;
  /** Addons on this machine as they were loaded. */
  readonly discovery: Discovery;
  /** Whether new addons bring demo data unless a switch says otherwise. */
  readonly demo: boolean;
  /** Whether the code of external addons is loaded only with consent to its capabilities. */
  readonly reviewsCode?: boolean;
  /** Builds and checks a generation of these addons without serving it. */
  build(record: GenerationRecord, addons: readonly Addon[]): Promise<BuildResult>;
  /** Returns the data of parts for the record after `previous`, or for the first one. */
  recordData(previous: GenerationRecord | null, addons: readonly Addon[]): Promise<GenerationRecord['data']>;
  /** Called when the site moves to addon versions that only a fresh process can load; not during the start. */
  readonly onOutdated?: () => void;
  /** Names of addons whose code changed on this machine since this process loaded its addons, including new ones. */
  readonly changedCode?: () => Promise<ReadonlySet<string>>;
  /** Latest modification time of any addon's code on this machine. */
  readonly codeStamp?: () => Promise<number>;
}

/** Lifecycle dependencies with the follower of this process. */
export interface LifecycleHost extends LifecycleParts {
  readonly follower: Pick<Follower, 'check' | 'exclusively'>;
}
