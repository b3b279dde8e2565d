import type { Config } from '../base/config.ts';
import type { Problem } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { createPace } from '../base/time-slices.ts';
import type { FileStore } from '../files/types.ts';
import { createFormats } from '../i18n/format.ts';
import type { GenerationRecord } from '../install/generation-store.ts';
import type { Addon } from '../kernel/addon.ts';
import { buildPoints } from '../kernel/build.ts';
import { Generation } from '../kernel/generation.ts';
import { order } from '../kernel/order.ts';
import { type LeftOut, leaveOut } from '../kernel/world.ts';
import { corePoints } from './points.ts';
import { app, type BuildInputs, buildInputs } from './values.ts';

/** What generations are built with, the same for all of an application. */
export interface BuildEnvironment extends Pick<BuildInputs, 'roots' | 'ownCatalogs' | 'memory'> {
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

export interface BuildInput {
  readonly record: GenerationRecord;
  /** The addons to be served, in any order. */
  readonly addons: readonly Addon[];
  /** All addons on disk, so that what is missing can be named. */
  readonly known: readonly Addon[];
  readonly environment: BuildEnvironment;
}

export interface BuildResult {
  /** Only without problems. */
  readonly generation?: Generation;
  readonly problems: readonly Problem[];
}

/**
 * Builds every part of a generation from its addons and checks each against the others. All problems of all addons are collected; with any, there
 * is no generation. Works in slices: requests are served in between.
 */
export async function buildGeneration({ record, addons: given, known, environment }: BuildInput): Promise<BuildResult> {
  const { config, log, files, cache, roots, ownCatalogs, memory } = environment;
  const { ordered: addons, problems: orderProblems } = order(
    given,
    known.map(({ name }) => name),
  );
  const inputs: BuildInputs = {
    pendingFields: record.pendingFields,
    known,
    roots,
    ownCatalogs,
    memory,
    read: (kind, { folder }, make) => readOnce(cache, kind, folder, make),
  };
  const points = [...corePoints, ...addons.flatMap(({ definition }) => definition.points ?? [])];
  const { container, problems: faults } = await buildPoints({
    addons,
    points,
    values: {
      [app.config.name]: config,
      [app.log.name]: log,
      [app.files.name]: files,
      [app.formats.name]: createFormats(),
      [app.languages.name]: record.languages,
      [buildInputs.name]: inputs,
    },
    requestValues: [app.ctx.name],
    pause: createPace(),
  });
  const problems = [...orderProblems, ...faults];
  const broken = new Set(problems.map(({ addon }) => addon));
  const served = new Set(addons.map(({ name }) => name));
  for (const { name, folder } of known) if (broken.has(name) || !served.has(name)) cache?.delete(folder);
  if (problems.length > 0) {
    await container.dispose();
    return { problems };
  }
  void memory?.save();
  return { generation: new Generation({ number: record.number, addons, points, container }), problems };
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

/**
 * The same for the start, when something has to be served: addons with problems, and those that need them, are left out until the rest builds.
 * Throws nothing; when a permanent addon is among those left out, there is no generation.
 */
export async function buildWithoutBroken(input: BuildInput): Promise<BuildResult & { readonly leftOut: LeftOut }> {
  const leftOut = new Map<string, readonly Problem[]>();
  for (let addons = input.addons; ; addons = addons.filter(({ name }) => !leftOut.has(name))) {
    const result = await buildGeneration({ ...input, addons });
    if (result.generation) return { ...result, leftOut };
    for (const [name, reasons] of leaveOut(result.problems, addons)) leftOut.set(name, reasons);
    const permanent = addons.some(({ name, definition }) => definition.permanent && leftOut.has(name));
    const isStuck = result.problems.every(({ addon }) => !addons.some(({ name }) => name === addon));
    if (permanent || isStuck) return { problems: result.problems, leftOut };
  }
}
