import type { Discovery } from './discover.ts';
import type { Generation } from './generation.ts';
import type { GenerationHolder } from './generation-holder.ts';
import { value } from './key.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { AddonStorage } from './storage.ts';

/** The addons on this machine, as they were loaded. */
export const discovery = value<Discovery>('discovery');
/** The generation that serves, and those that still have requests. */
export const generations = value<GenerationHolder<Generation>>('generations');
/** Switches addons; set once all parts have provided their values. */
export const lifecycle = value<Lifecycle>('lifecycle');

/** Where the state of addons is stored; one part provides it. */
export const addonStorage = value<AddonStorage>('addon storage');
