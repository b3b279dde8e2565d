import type { BuildMemory } from '../base/index.ts';
import { type BuildInputs, buildInputs, values } from '../context/index.ts';
import { type BuildResult, buildGeneration, type GenerationInput } from '../kernel/index.ts';
import type { Parts } from '../part/index.ts';
import { allPoints } from './points.ts';

/** Inputs shared by all generations of an application. */
export interface BuildEnvironment extends Pick<BuildInputs, 'roots'> {
  readonly parts: Pick<Parts, 'parts' | 'valuesFor'>;
  readonly memory?: BuildMemory;
  /** Results of earlier reads; without it, everything is read each time, as in development. */
  readonly cache?: BuildCache;
}

/**
 * Data read from addon folders, by folder and kind. A process serves the code it loaded, so files that belong to it are read once. Files of
 * addons that aren't served or are broken are read again at the next attempt: they may have been fixed.
 */
export type BuildCache = Map<string, Map<string, unknown>>;

export interface BuildInput extends Pick<GenerationInput, 'record' | 'addons' | 'allAddons'> {
  readonly environment: BuildEnvironment;
}

/** Builds a generation of an application with the contribution points and values of all parts. */
export async function buildApplication({ record, addons, allAddons, environment }: BuildInput): Promise<BuildResult> {
  const { parts, cache, roots, memory } = environment;
  const inputs: BuildInputs = {
    allAddons,
    roots,
    memory,
    read: (kind, { folder }, make) => readOnce(cache, kind, folder, make),
  };
  const result = await buildGeneration({
    record,
    addons,
    allAddons,
    points: allPoints(parts.parts),
    values: { ...parts.valuesFor({ record }), [buildInputs.name]: inputs },
    requestValues: [values.ctx.name],
  });
  const broken = new Set(result.problems.map(({ addon }) => addon));
  const served = new Set(addons.map(({ name }) => name));
  for (const { name, folder } of allAddons) if (broken.has(name) || !served.has(name)) cache?.delete(folder);
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
  const reads = cache.get(folder) ?? new Map<string, unknown>();
  cache.set(folder, reads);
  if (!reads.has(kind)) reads.set(kind, await make());
  return reads.get(kind) as T;
}
