import { BrokenAddons, Conflict } from '../../base/errors.ts';
import { createLog } from '../../base/log.ts';
import type { Addon, AddonDefinition } from '../addon.ts';
import { buildGeneration } from '../build.ts';
import type { Generation } from '../generation.ts';
import { createGenerationHolder } from '../generation-holder.ts';
import { createLifecycle } from '../lifecycle.ts';
import { createAddonManager, type FreshProcess } from '../manager.ts';
import { contributionPoint } from '../point.ts';
import { sentence } from '../sentence.ts';
import { MemoryStorage } from './memory-storage.ts';

declare module 'pergola/contributions' {
  interface Contributions {
    fx_lamps?: readonly string[];
  }
}

/** A contribution point used only by this test. */
const lamps = contributionPoint('fx_lamps', {
  build: ({ contributions, report }) =>
    contributions.flatMap(({ addon: { name: addon }, value }) => {
      if (value?.includes('broken')) report({ addon, message: 'has a broken lamp.' });
      return value ?? [];
    }),
  changes: (_, contributions, comes) =>
    contributions.map(({ addon, value }) => ({
      topic: 'lamp',
      addon: addon.name,
      sentence: sentence(comes ? 'Lights {count}.' : 'No longer lights {count}.', { count: value?.length ?? 0 }),
      data: {},
    })),
});

const addon = (name: string, more: Partial<AddonDefinition> = {}): Addon => ({
  name,
  folder: `/addons/${name}`,
  outside: false,
  files: {},
  definition: { name, title: name, summary: name, version: '1.0.0', fx_lamps: [name], ...more },
});
const house = [
  addon('house', { permanent: true }),
  addon('kitchen', { depends: ['house'] }),
  addon('oven', { depends: ['kitchen'] }),
];

/** One process of a site. */
function process(storage = new MemoryStorage(), addons: readonly Addon[] = house) {
  const log = createLog('silent');
  const holder = createGenerationHolder<Generation>({ log, dispose: (generation) => generation.dispose() });
  const lifecycle = createLifecycle({
    storage,
    log,
    holder,
    discovery: { addons, loaded: addons, problems: [], since: 0, load: async () => {}, loadAll: async () => {} },
    demo: false,
    build: (record, served) =>
      buildGeneration({ record, addons: served, allAddons: addons, points: [lamps], values: {}, requestValues: [] }),
    recordData: async () => ({}),
  });
  return { storage, holder, lifecycle, lit: () => holder.current.get(lamps) };
}

describe('Switching addons', () => {
  it('serves what is enabled, together with what it needs, and says before what changes', async () => {
    const { lifecycle, lit, storage } = process();
    await lifecycle.start({ install: ['house'] });
    expect(lit()).toEqual(['house']);
    const plan = await lifecycle.plan('enable', ['oven']);
    expect(plan.items.filter(({ topic }) => topic === 'lamp').map((item) => item.addon)).toEqual(['kitchen', 'oven']);
    expect(lit()).toEqual(['house']);
    await lifecycle.enable(['oven']);
    expect(lit()).toEqual(['house', 'kitchen', 'oven']);
    expect(storage.done).toEqual(['commit 1', 'finish', 'commit 2']);
  });

  it('is listed as this process knows addons, and those with newer files as a fresh process does', async () => {
    const { lifecycle, storage } = process();
    await lifecycle.start({ install: ['house'] });
    const list = (fresh: object | null) =>
      createAddonManager({ lifecycle, storage, log: createLog('silent'), fresh: fresh as FreshProcess | null }).list({
        look: true,
      });
    const statuses = await lifecycle.list();
    expect(await list(null)).toEqual(statuses);
    const newer = statuses.map((status) => ({ ...status, versionOnDisk: '2.0.0' }));
    const fresh = { changed: async () => new Set(['oven']), list: async () => newer };
    expect((await list(fresh)).map(({ versionOnDisk }) => versionOnDisk)).toEqual(['1.0.0', '1.0.0', '2.0.0']);
    expect(await list({ ...fresh, changed: async () => new Set() })).toEqual(statuses);
  });

  it('asks before others go, waits for everybody before it removes, and takes the name for that', async () => {
    const { lifecycle, lit, storage } = process();
    await lifecycle.start();
    await expect(lifecycle.disable(['kitchen'])).rejects.toThrow('These apps will be disabled too: {others}');
    await expect(lifecycle.disable(['house'], { yes: true })).rejects.toThrow(BrokenAddons);
    await expect(lifecycle.uninstall('oven', { confirm: 'ove' })).rejects.toThrow('Type the app’s name');
    await lifecycle.uninstall('oven', { confirm: 'oven' });
    expect(lit()).toEqual(['house', 'kitchen']);
    expect(storage.done).toEqual(['commit 1', 'finish', 'commit 2', 'settled 2', 'remove oven']);
  });

  it('changes nothing when an addon is broken, and tells why', async () => {
    const cellar = addon('cellar', { depends: ['house'], fx_lamps: ['broken'] });
    const { lifecycle, lit, storage } = process(undefined, [...house, cellar]);
    await lifecycle.start({ install: ['house'] });
    await expect(lifecycle.enable(['cellar'])).rejects.toThrow(BrokenAddons);
    expect(lit()).toEqual(['house']);
    await storage.noteErrors(new Map([['cellar', [{ addon: 'cellar', message: 'burned out.' }]]]));
    const list = await lifecycle.list();
    expect(list.find(({ name }) => name === 'cellar')?.problems).toMatchObject([{ message: 'burned out.' }]);
    const [failed] = await storage.history(1);
    expect(failed).toMatchObject({
      result: 'failed',
      addons: ['cellar'],
      problems: [{ message: 'has a broken lamp.' }],
    });
  });

  it('starts without what is broken', async () => {
    const storage = new MemoryStorage();
    await process(storage).lifecycle.start();
    const [first, kitchen, oven] = house as [Addon, Addon, Addon];
    const broken = { ...kitchen, definition: { ...kitchen.definition, fx_lamps: ['broken'] } };
    const { lifecycle, lit } = process(storage, [first, broken, oven]);
    await lifecycle.start();
    expect(lit()).toEqual(['house']);
    expect([...lifecycle.leftOut.keys()]).toEqual(['kitchen', 'oven']);
    expect((await lifecycle.list()).map(({ name, leftOut }) => `${name} ${leftOut}`)).toEqual([
      'house false',
      'kitchen true',
      'oven true',
    ]);
  });

  it('begins again when another process was faster, and follows that one', async () => {
    const storage = new MemoryStorage();
    const first = process(storage);
    const second = process(storage);
    await first.lifecycle.start({ install: ['house'] });
    await second.lifecycle.start();
    storage.onCommit = () => storage.add({ number: 2, addons: { house: '1.0.0' }, data: {} });
    await first.lifecycle.enable(['kitchen']);
    expect(storage.done).toEqual(['commit 1', 'finish', 'commit 2', 'commit 3']);
    await second.lifecycle.follower.check();
    expect(second.lit()).toEqual(['house', 'kitchen']);
  });

  it('is done by one process at a time', async () => {
    const storage = new MemoryStorage();
    const { lifecycle } = process(storage);
    await lifecycle.start({ install: ['house'] });
    const unlock = await storage.lock('enable oven');
    await expect(lifecycle.enable(['kitchen'])).rejects.toThrow(Conflict);
    await unlock?.();
    await lifecycle.enable(['kitchen']);
  });
});
