import type { Discovery } from './discover.ts';
import type { Generation } from './generation.ts';
import type { GenerationHolder } from './generation-holder.ts';
import { value } from './key.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { AddonStorage } from './storage.ts';

/** Addons on this machine as they were loaded. */
export const discovery = value<Discovery>('discovery');
/** The serving generation, and older ones with open requests. */
export const generations = value<GenerationHolder<Generation>>('generations');
/** Switches addons; set once all parts have provided their values. */
export const lifecycle = value<Lifecycle>('lifecycle');

/** Storage of addon states. Provided by exactly one part. */
export const addonStorage = value<AddonStorage>('addon storage');
