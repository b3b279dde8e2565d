import type { BuildMemory, Config, Log } from '../base/index.ts';
import { enabledAddons, type ListedAddon, requestValue, value } from '../kernel/index.ts';
import type { Ctx } from './context.ts';

/** Values in the container of each generation, for points and services that need them. */
export const values = Object.freeze({
  config: value<Config>('config'),
  log: value<Log>('log'),
  /** The enabled addons, in dependency order. */
  addons: enabledAddons,
  /** Languages of stored texts (`en_US`), the default first. */
  languages: value<readonly string[]>('languages'),
  /** Context of the request; services that need it are created once per request. */
  ctx: requestValue<Ctx>('ctx'),
});

/** Inputs for building generations besides the addons. */
export interface BuildInputs {
  /** All addons on disk, enabled or not, to name missing ones. */
  readonly allAddons: readonly ListedAddon[];
  /** Folders to search for addons. */
  readonly roots: readonly string[];
  /** Results computed from texts, also by earlier processes. */
  readonly memory?: BuildMemory;
  /**
   * Caches data read from an addon's folder, for a process that serves the code it loaded; in development, everything is read each time.
   */
  readonly read: <T>(kind: string, addon: { readonly folder: string }, make: () => Promise<T>) => Promise<T>;
}

export const buildInputs = value<BuildInputs>('build inputs');
