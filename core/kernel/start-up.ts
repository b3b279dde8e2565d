import { BrokenAddons, Unavailable } from '../base/index.ts';
import type { Addon } from './addon.ts';
import type { Discovery } from './discover.ts';
import type { MissingVersion } from './follow.ts';
import type { Generation } from './generation.ts';
import type { LifecycleHost } from './host.ts';
import { buildWithoutBroken, type LeftOut, leaveOut } from './left-out.ts';
import type { CodeReview } from './plan.ts';
import { prepareSwitch } from './prepare.ts';
import { loadReviewed, reviewProblem } from './reviewed-code.ts';
import type { GenerationRecord } from './storage.ts';
import { loadedTarget, takeInventory, targetOf } from './target.ts';

/** How long to wait for another process to finish the first start, in ms. */
const firstStartMs = 300_000;

export interface StartUp {
  /** Enabled addons that this process runs without, and why. */
  readonly leftOut: LeftOut;
  /** Active versions not loaded here: nothing is served until they are. */
  readonly missing: readonly MissingVersion[];
  /** Whether this process filled the empty database. */
  readonly firstStart: boolean;
}

export interface StartOptions {
  /** Whether an empty database gets demo data. */
  readonly demo?: boolean;
  /** Serves addons even if the database doesn't match their code: it is made to follow. */
  readonly ignoreMisfits?: boolean;
}

/**
 * Starts the generation that the database names, without addons that are broken here. In an empty database, first enables `first` (with
 * demo data, if requested); since no requests are served yet, work that usually follows a switch is finished when this resolves.
 *
 * @throws BrokenAddons if a permanent addon can't be used
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
    await waitForFirstStart(host);
    return startUp(host, first, options);
  }
  try {
    // Another process may have finished before we got the lock.
    const record = await host.storage.newest();
    return record ? await resume(host, record, options) : await firstStart(host, first, options.demo ?? host.demo);
  } finally {
    await unlock();
  }
}

/** Addons of a record to build here; their code must have been loaded. */
export function addonsOf(record: GenerationRecord, discovery: Discovery, leftOut: LeftOut): Addon[] {
  return discovery.loaded.filter(({ name }) => record.addons[name] !== undefined && !leftOut.has(name));
}

/** Returns active versions that this process hasn't loaded. Skips broken addons on disk: those are left out. */
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
  { ignoreMisfits = false }: StartOptions,
): Promise<StartUp> {
  const missing = missingVersions(record, host.discovery);
  if (missing.length > 0) return { leftOut: new Map(), missing, firstStart: false };
  const unreviewed = await loadEnabled(host, record);
  const broken = host.discovery.problems.filter(({ addon }) => record.addons[addon] !== undefined);
  const unloadable = [...broken, ...unreviewed.map(reviewProblem)];
  const atLoad = leaveOut(
    unloadable,
    host.discovery.addons.filter(({ name }) => record.addons[name] !== undefined),
  );
  const misfits = ignoreMisfits ? undefined : (generation: Generation) => host.storage.misfits(generation);
  const built = await buildWithoutBroken(host, record, addonsOf(record, host.discovery, atLoad), misfits);
  if (!built.generation) throw new BrokenAddons([...unloadable, ...built.problems]);
  const leftOut = new Map([...atLoad, ...built.leftOut]);
  await storeLeftOut(host, leftOut);
  await clearFixedErrors(host, built.generation.addons);
  host.holder.swap(built.generation);
  return { leftOut, missing: [], firstStart: false };
}

/** Loads the enabled addons. Code without any consent was enabled before consents existed, which counts as one. */
async function loadEnabled(host: LifecycleHost, { addons }: GenerationRecord): Promise<readonly CodeReview[]> {
  const reviews = await loadReviewed(host, Object.keys(addons));
  const unknown = reviews.filter(({ consentedVersion }) => consentedVersion === null);
  if (unknown.length === 0) return reviews;
  await host.storage.addConsents(unknown, '');
  return loadReviewed(host, Object.keys(addons));
}

/** Stores the reasons for the Apps screen; writes only new ones. */
async function storeLeftOut({ storage, log }: LifecycleHost, leftOut: LeftOut): Promise<void> {
  for (const [addon, problems] of leftOut)
    log.error({ addon, problems }, 'An addon is broken; the site runs without it');
  if (leftOut.size === 0) return;
  const stored = await storage.addons();
  const fresh = [...leftOut].filter(
    ([name, problems]) => JSON.stringify(stored.get(name)?.lastError) !== JSON.stringify(problems),
  );
  if (fresh.length > 0) await storage.noteErrors(new Map(fresh));
}

/** Clears stored errors of addons that now serve; the switch log still has them. */
async function clearFixedErrors({ storage }: LifecycleHost, serving: readonly Addon[]): Promise<void> {
  const stored = await storage.addons();
  const fixed = serving.filter(({ name }) => (stored.get(name)?.lastError?.length ?? 0) > 0);
  if (fixed.length > 0) await storage.noteErrors(new Map(fixed.map(({ name }) => [name, null])));
}

async function firstStart(host: LifecycleHost, first: readonly string[], demo: boolean): Promise<StartUp> {
  const startedAt = performance.now();
  const { discovery, holder } = host;
  const known = first.filter((name) => discovery.addons.some((addon) => addon.name === name));
  // The caller chose them, which counts as consent.
  const trusting = { ...host, reviewsCode: false };
  const { inventory: loaded } = await loadedTarget(
    trusting,
    { action: 'enable', names: known },
    { leftOut: new Map() },
  );
  const { enabled } = targetOf(
    'enable',
    known.filter((name) => loaded.addons.has(name)),
    loaded,
  );
  const candidates = discovery.loaded.filter(({ name }) => enabled.has(name));
  const data = await host.recordData(null, candidates);
  // Find the usable addons; the rest is reported and can be enabled once fixed.
  const built = await buildWithoutBroken(host, { number: 1, addons: {}, data }, candidates);
  if (!built.generation) throw new BrokenAddons([...discovery.problems, ...built.problems]);
  const names = built.generation.addons.map(({ name }) => name);
  const inventory = await takeInventory(host, built.leftOut);
  const reusingHost: LifecycleHost = { ...host, build: async () => built, recordData: async () => data };
  const question = { action: 'enable', names, demo } as const;
  const { plan, generation, change } = await prepareSwitch(
    reusingHost,
    inventory,
    targetOf('enable', names, inventory),
    question,
  );
  if (!generation) throw new BrokenAddons(plan.problems);
  await change.commit({ plan, by: 'first start', began: startedAt, alone: true });
  await storeLeftOut(host, built.leftOut);
  holder.swap(generation);
  const outside = generation.addons.filter((addon) => addon.outside);
  if (host.reviewsCode && outside.length > 0)
    await host.storage.addConsents(await host.storage.reviews(outside), 'first start');
  return { leftOut: built.leftOut, missing: [], firstStart: true };
}

async function waitForFirstStart({ storage }: LifecycleHost): Promise<void> {
  for (const end = performance.now() + firstStartMs; performance.now() < end; ) {
    if (await storage.newest()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
    // The other process may have died: its lock has expired, so it's our turn.
    if (!(await storage.lockHolder())) return;
  }
  throw new Unavailable('Another process has been preparing the database for several minutes. Check its log.', {
    code: 'core.first_start',
  });
}

/** Versions of the addons loaded by a process, for the list of nodes. */
export function loadedVersions({ addons }: Discovery): Record<string, string> {
  return Object.fromEntries(addons.map(({ name, definition }) => [name, definition.version]));
}
