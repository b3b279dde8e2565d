import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { Ctx } from '../context/context.ts';
import type { FileStore } from '../files/types.ts';
import type { Formats } from '../i18n/format.ts';
import { languages } from '../i18n/languages.ts';
import type { CatalogSource } from '../i18n/po.ts';
import type { Addon } from '../kernel/addon.ts';
import { requestValue, value } from '../kernel/key.ts';
import type { BuildMemory } from './build-memory.ts';

/** What the application puts into the container of each generation, for services that need it: `service('forum.karma', { log: app.log })`. */
export const app = Object.freeze({
  config: value<Config>('config'),
  log: value<Log>('log'),
  files: value<FileStore>('files'),
  /** Texts for amounts and days, in any language. */
  formats: value<Formats>('formats'),
  /** Languages texts are kept in, `en_US`, the default one first. */
  languages,
  /** The context of the request; what needs it is made once for each. */
  ctx: requestValue<Ctx>('ctx'),
});

/** What generations are built from beside the addons. */
export interface BuildInputs {
  /** Stored computed fields (`model.field`) to be worked out on reading until a job has filled their columns. */
  readonly pendingFields: readonly string[];
  /** All addons on disk, enabled or not, so that what is missing can be named. */
  readonly known: readonly Addon[];
  /** Folders in which addons are looked for. */
  readonly roots: readonly string[];
  /** Translations that somebody brought in for this site; they go before those of the addons. */
  readonly ownCatalogs?: () => Promise<readonly CatalogSource[]>;
  /** What was worked out of these texts before, also by earlier processes. */
  readonly memory?: BuildMemory;
  /** What a process that serves the code it loaded has read of an addon's folder; without it everything is read each time, as development wants it. */
  readonly read: <T>(kind: string, addon: { readonly folder: string }, make: () => Promise<T>) => Promise<T>;
}

export const buildInputs = value<BuildInputs>('build inputs');
