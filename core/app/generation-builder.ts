import type { Config, Log } from '../base/index.ts';
import { type BuildInputs, buildInputs } from '../context/index.ts';
import type { FileStore } from '../files/index.ts';
import { type CatalogSource, createFormats, ownCatalogs } from '../i18n/index.ts';
import { type BuildResult, buildGeneration, type GenerationInput } from '../kernel/index.ts';
import { corePoints } from './points.ts';
import { app } from './values.ts';

/** What generations are built with, the same for all of an application. */
interface BuildEnvironment extends Pick<BuildInputs, 'roots' | 'memory'> {
  /** Translations that somebody brought in for this site. */
  readonly ownCatalogs?: () => Promise<readonly CatalogSource[]>;
  readonly config: Config;
  readonly log: Log;
  readonly files: FileStore;
  /** What was read before; without it everything is read each time, as development wants it. */
  readonly cache?: BuildCache;
}

/**
 * What generations read of addons' folders, by folder and kind: a process serves the code it loaded, so files that belong to it are read once. Those of
 * an addon that is not served, or that was found broken, are read anew when it is tried again: it may have been mended.
 */
export type BuildCache = Map<string, Map<string, unknown>>;

export interface BuildInput extends Pick<GenerationInput, 'record' | 'addons' | 'known'> {
  readonly environment: BuildEnvironment;
}

/** Builds a generation of an application, with all contribution points of the core and the application's values. */
export async function buildApplication({ record, addons, known, environment }: BuildInput): Promise<BuildResult> {
  const { config, log, files, cache, roots, memory, ownCatalogs: own } = environment;
  const inputs: BuildInputs = {
    pendingFields: record.pendingFields,
    known,
    roots,
    memory,
    read: (kind, { folder }, make) => readOnce(cache, kind, folder, make),
  };
  const result = await buildGeneration({
    record,
    addons,
    known,
    points: corePoints,
    values: {
      [app.config.name]: config,
      [app.log.name]: log,
      [app.files.name]: files,
      [app.formats.name]: createFormats(),
      [app.languages.name]: record.languages,
      [ownCatalogs.name]: own ?? (async () => []),
      [buildInputs.name]: inputs,
    },
    requestValues: [app.ctx.name],
  });
  const broken = new Set(result.problems.map(({ addon }) => addon));
  const served = new Set(addons.map(({ name }) => name));
  for (const { name, folder } of known) if (broken.has(name) || !served.has(name)) cache?.delete(folder);
  if (result.generation) void memory?.save();
  return result;
}

async function readOnce<T>(
  cache: BuildCache | undefined,
  kind: string,
  folder: string,
  make: () => Promise<T>,
): Promise<T> {
  if (!cache) return make();
  const known = cache.get(folder) ?? new Map<string, unknown>();
  cache.set(folder, known);
  if (!known.has(kind)) known.set(kind, await make());
  return known.get(kind) as T;
}
