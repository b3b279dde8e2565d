import { BrokenAddons, Unavailable } from '../base/index.ts';
import type { Addon } from './addon.ts';
import type { Discovery } from './discover.ts';
import type { MissingVersion } from './follow.ts';
import type { Generation } from './generation.ts';
import type { LifecycleHost } from './host.ts';
import { buildWithoutBroken, type LeftOut, leaveOut } from './left-out.ts';
import { prepareSwitch } from './prepare.ts';
import type { GenerationRecord } from './storage.ts';
import { takeInventory, targetOf } from './target.ts';

/** How long to wait for another process that makes the first start, in ms. */
const firstStartMs = 300_000;

export interface StartUp {
  /** Enabled addons that this process runs without, and why. */
  readonly leftOut: LeftOut;
  /** Versions that are active and not loaded here: nothing is served until they are. */
  readonly missing: readonly MissingVersion[];
  /** Whether this process made the database. */
  readonly firstStart: boolean;
}

interface StartOptions {
  /** Whether an empty database gets demo data. */
  readonly demo?: boolean;
  /** Whether somebody develops. */
  readonly develop?: boolean;
}

/**
 * Brings up the generation that the database names, without the addons that are broken here. In an empty database, enables `first` before (demo data
 * included, if wanted): then everything that otherwise comes afterwards is done when this resolves, since nobody is served yet.
 *
 * Throws BrokenAddons when an addon that everything stands on cannot be used.
 */
export async function startUp(
  host: LifecycleHost,
  first: readonly string[],
  options: StartOptions = {},
): Promise<StartUp> {
  const record = await host.storage.newest();
  if (record) return resume(host, record, options);
  const unlock = await host.storage.lock('first start');
  if (!unlock) {
    await anotherStarts(host);
    return startUp(host, first, options);
  }
  try {
    // Somebody may have been faster before the lock was ours.
    const made = await host.storage.newest();
    return made ? await resume(host, made, options) : await firstStart(host, first, options.demo ?? host.demo);
  } finally {
    await unlock();
  }
}

/** The addons of a record that are to be built here. */
export function addonsOf(record: GenerationRecord, discovery: Discovery, leftOut: LeftOut): Addon[] {
  return discovery.addons.filter(({ name }) => record.addons[name] !== undefined && !leftOut.has(name));
}

/** Active versions that this process has not loaded. An addon that is on disk and broken is none of them: it is left out. */
export function missingVersions(record: GenerationRecord, discovery: Discovery): MissingVersion[] {
  const loaded = new Map(discovery.addons.map(({ name, definition }) => [name, definition.version]));
  const broken = new Set(discovery.problems.map(({ addon }) => addon));
  return Object.entries(record.addons)
    .filter(([addon, version]) => loaded.get(addon) !== version && (loaded.has(addon) || !broken.has(addon)))
    .map(([addon, version]) => ({ addon, version, loaded: loaded.get(addon) ?? null }));
}

async function resume(
  host: LifecycleHost,
  record: GenerationRecord,
  { develop = false }: StartOptions,
): Promise<StartUp> {
  const missing = missingVersions(record, host.discovery);
  if (missing.length > 0) return { leftOut: new Map(), missing, firstStart: false };
  const unloadable = host.discovery.problems.filter(({ addon }) => record.addons[addon] !== undefined);
  const atLoad = leaveOut(
    unloadable,
    host.discovery.addons.filter(({ name }) => record.addons[name] !== undefined),
  );
  // While somebody develops, the database follows the code.
  const misfits = develop ? undefined : (generation: Generation) => host.storage.misfits(generation);
  const built = await buildWithoutBroken(host, record, addonsOf(record, host.discovery, atLoad), misfits);
  if (!built.generation) throw new BrokenAddons([...unloadable, ...built.problems]);
  const leftOut = new Map([...atLoad, ...built.leftOut]);
  await noteLeftOut(host, leftOut);
  await forgetMended(host, built.generation.addons);
  host.holder.swap(built.generation);
  return { leftOut, missing: [], firstStart: false };
}

/** Keeps the reasons where the Apps screen shows them; writes only what is new. */
async function noteLeftOut({ storage, log }: LifecycleHost, leftOut: LeftOut): Promise<void> {
  for (const [addon, problems] of leftOut)
    log.error({ addon, problems }, 'An addon is broken; the site runs without it');
  if (leftOut.size === 0) return;
  const stored = await storage.addons();
  const fresh = [...leftOut].filter(
    ([name, problems]) => JSON.stringify(stored.get(name)?.lastError) !== JSON.stringify(problems),
  );
  if (fresh.length > 0) await storage.noteErrors(new Map(fresh));
}

/** What kept an addon out, or made a switch of it fail, is over once it serves; the log of switches has it still. */
async function forgetMended({ storage }: LifecycleHost, serving: readonly Addon[]): Promise<void> {
  const stored = await storage.addons();
  const mended = serving.filter(({ name }) => (stored.get(name)?.lastError?.length ?? 0) > 0);
  if (mended.length > 0) await storage.noteErrors(new Map(mended.map(({ name }) => [name, null])));
}

async function firstStart(host: LifecycleHost, first: readonly string[], demo: boolean): Promise<StartUp> {
  const began = performance.now();
  const { discovery, holder } = host;
  const empty = await takeInventory(host, new Map());
  const usable = first.filter((name) => empty.addons.has(name));
  const candidates = [...targetOf('enable', usable, empty).enabled].flatMap((name) => empty.addons.get(name) ?? []);
  const languages = host.likelyLanguages(candidates);
  // Which of them can be used at all; the rest is told and can be enabled when it is mended.
  const tried = await buildWithoutBroken(host, { number: 1, addons: {}, languages, pendingFields: [] }, candidates);
  if (!tried.generation) throw new BrokenAddons([...discovery.problems, ...tried.problems]);
  const names = tried.generation.addons.map(({ name }) => name);
  const inventory = await takeInventory(host, tried.leftOut);
  const once: LifecycleHost = { ...host, build: async () => tried, likelyLanguages: () => languages };
  const question = { action: 'enable', names, demo } as const;
  const { plan, generation, change } = await prepareSwitch(
    once,
    inventory,
    targetOf('enable', names, inventory),
    question,
  );
  if (!generation) throw new BrokenAddons(plan.problems);
  await change.commit({ plan, by: 'first start', began, alone: true });
  await noteLeftOut(host, tried.leftOut);
  holder.swap(generation);
  return { leftOut: tried.leftOut, missing: [], firstStart: true };
}

async function anotherStarts({ storage }: LifecycleHost): Promise<void> {
  for (const end = performance.now() + firstStartMs; performance.now() < end; ) {
    if (await storage.newest()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
    // The other one may have died: then its lock ends, and it is our turn.
    if (!(await storage.lockHolder())) return;
  }
  throw new Unavailable('Another process has been preparing the database for several minutes. Check its log.', {
    code: 'core.first_start',
  });
}

/** Version of each addon that a process has loaded, for the list of nodes. */
export function loadedVersions({ addons }: Discovery): Record<string, string> {
  return Object.fromEntries(addons.map(({ name, definition }) => [name, definition.version]));
}
