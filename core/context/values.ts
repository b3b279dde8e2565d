import type { BuildMemory, Config, Log } from '../base/index.ts';
import { type Addon, enabledAddons, requestValue, value } from '../kernel/index.ts';
import type { Ctx } from './context.ts';

/** What the application puts into the container of each generation, for points and services that need it. */
export const values = Object.freeze({
  config: value<Config>('config'),
  log: value<Log>('log'),
  /** The enabled addons, in dependency order. */
  addons: enabledAddons,
  /** Languages texts are kept in, `en_US`, the default one first. */
  languages: value<readonly string[]>('languages'),
  /** The context of the request; what needs it is made once for each. */
  ctx: requestValue<Ctx>('ctx'),
});

/** What generations are built from beside the addons. */
export interface BuildInputs {
  /** All addons on disk, enabled or not, so that what is missing can be named. */
  readonly known: readonly Addon[];
  /** Folders in which addons are looked for. */
  readonly roots: readonly string[];
  /** What was worked out of these texts before, also by earlier processes. */
  readonly memory?: BuildMemory;
  /** What a process that serves the code it loaded has read of an addon's folder; without it everything is read each time, as development wants it. */
  readonly read: <T>(kind: string, addon: { readonly folder: string }, make: () => Promise<T>) => Promise<T>;
}

export const buildInputs = value<BuildInputs>('build inputs');
