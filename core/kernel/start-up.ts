import { app } from '../app/values.ts';
import { BrokenAddons, Unavailable } from '../base/errors.ts';
import { type HeldLease, leaseHolder, SWITCH_LEASE } from '../cluster/lease.ts';
import type { Transaction } from '../db/types.ts';
import { isLanguageCode } from '../i18n/languages.ts';
import { commitSwitch } from '../install/commit.ts';
import { type GenerationRecord, latestGeneration } from '../install/generation-store.ts';
import { readModules, writeModule } from '../install/module-store.ts';
import { prepareSwitch } from '../install/prepare.ts';
import { runTasks } from '../install/task-runner.ts';
import type { Addon } from './addon.ts';
import type { Discovery } from './discover.ts';
import type { MissingVersion } from './follow.ts';
import type { LifecycleHost } from './host.ts';
import { targetOf } from './target.ts';
import { type LeftOut, leaveOut, readWorld } from './world.ts';

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

/**
 * Brings up the generation that the database names, without the addons that are broken here. In an empty database, enables `first` before (demo data
 * included, if wanted): then everything that otherwise comes afterwards is done when this resolves, since nobody is served yet.
 *
 * Throws BrokenAddons when an addon that everything stands on cannot be used.
 */
export async function startUp(
  host: LifecycleHost,
  first: readonly string[],
  options: { demo?: boolean } = {},
): Promise<StartUp> {
  const record = await latestGeneration(host.database);
  if (record) return resume(host, record);
  const lease = await host.leases.acquire(SWITCH_LEASE, { ttlMs: 30_000, note: 'first start' });
  if (!lease) {
    await anotherStarts(host);
    return startUp(host, first, options);
  }
  try {
    // Somebody may have been faster before the lease was ours.
    const made = await latestGeneration(host.database);
    return made ? await resume(host, made) : await firstStart(host, first, lease, options.demo ?? host.config.demo);
  } finally {
    await lease.release();
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

async function resume(host: LifecycleHost, record: GenerationRecord): Promise<StartUp> {
  const missing = missingVersions(record, host.discovery);
  if (missing.length > 0) return { leftOut: new Map(), missing, firstStart: false };
  const unloadable = host.discovery.problems.filter(({ addon }) => record.addons[addon] !== undefined);
  const atLoad = leaveOut(
    unloadable,
    host.discovery.addons.filter(({ name }) => record.addons[name] !== undefined),
  );
  const built = await host.buildWithoutBroken(record, addonsOf(record, host.discovery, atLoad));
  if (!built.generation) throw new BrokenAddons([...unloadable, ...built.problems]);
  const leftOut = new Map([...atLoad, ...built.leftOut]);
  await noteLeftOut(host, leftOut);
  await forgetMended(host, built.generation.addons);
  host.holder.swap(built.generation);
  return { leftOut, missing: [], firstStart: false };
}

/** Keeps the reasons where the Apps screen shows them; writes only what is new. */
async function noteLeftOut({ database, log }: LifecycleHost, leftOut: LeftOut): Promise<void> {
  for (const [addon, problems] of leftOut)
    log.error({ addon, problems }, 'An addon is broken; the site runs without it');
  if (leftOut.size === 0) return;
  const rows = await readModules(database);
  const fresh = [...leftOut].filter(
    ([name, problems]) => JSON.stringify(rows.get(name)?.lastError) !== JSON.stringify(problems),
  );
  if (fresh.length === 0) return;
  await database.write(
    async (transaction: Transaction) => {
      for (const [name, problems] of fresh) await writeModule(database, transaction, name, { lastError: problems });
    },
    { label: 'broken addons' },
  );
}

/** What kept an addon out, or made a switch of it fail, is over once it serves; the book of switches has it still. */
async function forgetMended({ database }: LifecycleHost, serving: readonly Addon[]): Promise<void> {
  const rows = await readModules(database);
  const mended = serving.filter(({ name }) => (rows.get(name)?.lastError?.length ?? 0) > 0);
  if (mended.length === 0) return;
  await database.write(
    async (transaction: Transaction) => {
      for (const { name } of mended) await writeModule(database, transaction, name, { lastError: null });
    },
    { label: 'mended addons' },
  );
}

async function firstStart(
  host: LifecycleHost,
  first: readonly string[],
  lease: HeldLease,
  demo: boolean,
): Promise<StartUp> {
  const began = performance.now();
  const { discovery, holder } = host;
  const question = { action: 'enable', demo } as const;
  const empty = await readWorld(host, new Map());
  const usable = first.filter((name) => empty.addons.has(name));
  const candidates = [...targetOf('enable', usable, empty).enabled].flatMap((name) => empty.addons.get(name) ?? []);
  // Which of them can be used at all; the rest is told and can be enabled when it is mended.
  const tried = await host.buildWithoutBroken(
    { number: 1, addons: {}, languages: languagesOf(candidates), pendingFields: [] },
    candidates,
  );
  if (!tried.generation) throw new BrokenAddons([...discovery.problems, ...tried.problems]);
  const names = tried.generation.addons.map(({ name }) => name);
  const world = await readWorld(host, tried.leftOut);
  const once: LifecycleHost = { ...host, build: async () => tried };
  const prepared = await prepareSwitch(once, world, targetOf('enable', names, world), { ...question, names });
  const { generation, plan } = prepared;
  if (!generation) throw new BrokenAddons(plan.problems);
  const record = { ...prepared.record, languages: generation.get(app.languages) };
  const inLanguages = { ...prepared, record };
  await commitSwitch(host, {
    prepared: inLanguages,
    generation,
    world,
    lease,
    demo,
    by: 'first start',
    began,
    alone: true,
  });
  await noteLeftOut(host, tried.leftOut);
  holder.swap(generation);
  return { leftOut: tried.leftOut, missing: [], firstStart: true };
}

/**
 * The languages a site most likely has, before its database can say: those its addons are translated into (`fr.po` → `fr_FR`). A wrong guess costs
 * one more generation.
 */
function languagesOf(addons: readonly Addon[]): string[] {
  const codes = addons.flatMap(({ files }) => (files.i18n ?? []).map((file) => file.replace(/\.po$/, '')));
  const whole = codes.filter(isLanguageCode).map((code) => {
    const { language, region } = new Intl.Locale(code.replace(/@.*/, '').replace('_', '-')).maximize();
    return `${language}_${region}`;
  });
  return [...new Set(['en_US', ...whole.sort()])];
}

/** Does at once what is otherwise left to a job. What fails is logged there, and tried again by the job. */
export async function finishAlone(host: LifecycleHost): Promise<void> {
  const { database, log, holder } = host;
  const stay = holder.acquire();
  const { generation } = stay;
  const reading = host.context(generation, database.reader);
  try {
    await runTasks({
      ctx: reading.ctx,
      alone: true,
      signal: new AbortController().signal,
      write: (work) =>
        database.write(
          async (transaction) => {
            const writing = host.context(generation, transaction);
            try {
              return await work(writing.ctx);
            } finally {
              await writing.dispose();
            }
          },
          { label: 'first start', timeoutMs: 0 },
        ),
    });
  } catch (error) {
    log.error({ err: error }, 'Some of the first start is left to be done while the site runs');
  } finally {
    await reading.dispose();
    stay.release();
  }
}

async function anotherStarts({ database }: LifecycleHost): Promise<void> {
  for (const end = performance.now() + firstStartMs; performance.now() < end; ) {
    if (await latestGeneration(database)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
    // The other one may have died: then its lease ends, and it is our turn.
    if (!(await leaseHolder(database, SWITCH_LEASE))) return;
  }
  throw new Unavailable('Another process has been making the database for minutes. Look at its log.', {
    code: 'core.first_start',
  });
}

/** Version of each addon that a process has loaded, for the list of nodes. */
export function loadedVersions({ addons }: Discovery): Record<string, string> {
  return Object.fromEntries(addons.map(({ name, definition }) => [name, definition.version]));
}
