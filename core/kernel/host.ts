import type { Log, Problem } from '../base/index.ts';
import type { Addon } from './addon.ts';
import type { Discovery } from './discover.ts';
import type { Follower } from './follow.ts';
import type { Generation } from './generation.ts';
import type { GenerationHolder } from './generation-holder.ts';
import type { AddonStorage, GenerationRecord } from './storage.ts';

/** A generation, or why it cannot be built. */
export interface BuildResult {
  /** Only without problems. */
  readonly generation?: Generation;
  readonly problems: readonly Problem[];
}

/** What switches need of the application. */
export interface LifecycleParts {
  readonly storage: AddonStorage;
  readonly log: Log;
  readonly holder: GenerationHolder<Generation>;
  /** The addons on this machine, as they were loaded. */
  readonly discovery: Discovery;
  /** Whether addons that are new bring demo data, where nobody says. */
  readonly demo: boolean;
  /** Builds and checks a generation of these addons; it is not served yet. */
  build(record: GenerationRecord, addons: readonly Addon[]): Promise<BuildResult>;
  /** Data of parts for the record that follows `previous`, or for the first one. */
  recordData(previous: GenerationRecord | null, addons: readonly Addon[]): Promise<GenerationRecord['data']>;
  /** Told when the site moved on to versions of addons that only a fresh process can load; not at the start. */
  readonly onOutdated?: () => void;
  /** Names of addons whose code on this machine changed since this process loaded its addons, new ones included. */
  readonly changedCode?: () => Promise<ReadonlySet<string>>;
  /** When the code of any addon on this machine changed last. */
  readonly codeStamp?: () => Promise<number>;
}

/** The same with what keeps this process on the newest generation. */
export interface LifecycleHost extends LifecycleParts {
  readonly follower: Pick<Follower, 'check' | 'exclusively'>;
}
