import { type CallError, createTestApp, type TestApp } from 'pergola/testing';
import { eachDatabase, someDatabase } from '../../../tools/testing/databases.ts';
import { work } from '../../../tools/testing/fixtures/fx_fragile/addon.ts';
import { faults } from '../../../tools/testing/fixtures/fx_fragile/faults.ts';
import { until } from '../../../tools/testing/until.ts';
import { breakers } from '../breakers/key.ts';
import { listBreakers, resetBreakers } from '../breakers/store.ts';

/** Breaks a part of the fixture; an island by a global value, because its build has its own modules. */
function breakPart(part: string): void {
  faults.add(part);
  if (part === 'island') Reflect.set(globalThis, 'fxFragileIsBroken', true);
}

function fix(): void {
  faults.clear();
  Reflect.deleteProperty(globalThis, 'fxFragileIsBroken');
}

const PAUSE_MS = 300;
const CALLS = 20;

eachDatabase('A part of an addon that keeps failing', (database, once) => {
  let app: TestApp;

  beforeAll(async () => {
    const env = { BREAKER_SECONDS: String(PAUSE_MS / 1000), TRUSTED_PROXIES: 'loopback' };
    app = await createTestApp({ addons: ['fx_fragile'], database, env });
  });
  afterAll(() => app.close());
  afterEach(async () => {
    fix();
    await until(async () => {
      await app.write((ctx) => resetBreakers(ctx, 'fx_fragile'));
      return app.application.get(breakers).stored.size === 0;
    });
  });

  const list = () => app.read(listBreakers);
  /** Calls from several visitors at once; returns how often each status came. */
  const statuses = async (
    get: (client: TestApp | ReturnType<TestApp['visitor']>, index: number) => Promise<{ status: number; text: string }>,
  ) => {
    const visitors = ['192.0.2.1', '198.51.100.2', '203.0.113.3'].map((from) => app.visitor(from));
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => get(visitors[index % visitors.length] ?? app, index)),
    );
    return {
      count: (status: number) => answers.filter((answer) => answer.status === status).length,
      texts: answers.map(({ text }) => text),
    };
  };
  const isRestored = (isSound: () => Promise<boolean>) =>
    until(async () => (await isSound()) && (await list()).every(({ state }) => state !== 'open'));

  describe.each([
    ['block', 'fx_fragile.box', 'addon.ts', '/fragile', 'sound block'],
    ['fragment', 'fx_fragile.note', 'addon.ts', '/fragile', 'sound fragment'],
    ['island', 'fx_fragile.Dial', 'islands/dial.tsx', '/fragile', 'sound island'],
    ['patch', 'fx_layers_a.note:4', 'templates/fx_layers_a.note.patch.hbs', '/fx/note', 'sound patch'],
    ['around', 'fx_layers_a.note', 'addon.ts', '/fx/note', 'sound patch'],
    ['override', 'fx.note.trail', 'models.ts', '/fragile/notes', 'fragile'],
    ['compute', 'fx.note.computeMood', 'models.ts', '/fragile/notes', 'good'],
  ])('of kind %s', (fault, name, file, path, sound) => {
    test('leaves its place empty, and comes back once it is fixed', async () => {
      await app.write((ctx) => ctx.modelNamed('fx.note').create({ name: 'One' }));
      expect((await app.get(path)).text).toContain(sound);
      breakPart(fault);
      for (let round = 0; round < 2; round += 1) {
        const { count, texts } = await statuses((client) => client.get(`${path}?round=${round}`));
        expect(count(200)).toBe(CALLS);
        if (fault !== 'around') expect(texts.join()).not.toContain(sound);
      }
      await until(async () => (await list()).length > 0);
      const kind = ['around', 'override', 'compute'].includes(fault) ? 'extension' : fault;
      expect(await list()).toEqual([
        expect.objectContaining({ addon: 'fx_fragile', kind, name, state: 'open', file, line: expect.any(Number) }),
      ]);
      fix();
      await isRestored(async () => (await app.get(`${path}?fixed`)).text.includes(sound));
    });
  });

  test('of kind route answers 503 after at most three errors, and works again once it is fixed', async () => {
    faults.add('route');
    const first = await statuses((client, index) => client.get(`/fragile/${index}`));
    expect(first.count(500)).toBeLessThanOrEqual(3);
    const second = await statuses((client, index) => client.get(`/fragile/${index}`));
    expect(second.count(503)).toBe(CALLS);
    expect(second.texts[0]).toContain('kept failing');
    await until(async () => (await list()).length > 0);
    expect(await list()).toEqual([
      expect.objectContaining({
        kind: 'route',
        name: 'fx_fragile.number',
        message: 'The route is broken.',
        line: expect.any(Number),
      }),
    ]);
    expect((await app.get('/fragile')).status).toBe(200);
    faults.clear();
    await isRestored(async () => (await app.get('/fragile/1')).status === 200);
  });

  test('of kind extension is never skipped where it could lift a restriction: changes are refused', async () => {
    faults.add('check');
    const before = await app.read((ctx) => ctx.modelNamed('fx.note').count([]));
    const results = await Promise.allSettled(
      Array.from({ length: CALLS }, (_, index) => app.visitor().rpc('/fragile/save', { name: `Note ${index}` })),
    );
    const codes = results.map((result) => result.status === 'rejected' && (result.reason as CallError).data.code);
    expect(codes.filter((code) => code === 'core.fault').length).toBeLessThanOrEqual(3);
    expect(new Set(codes)).toEqual(new Set(['core.fault', 'core.part_off']));
    await until(async () => (await list()).length > 0);
    expect(await list()).toEqual([
      expect.objectContaining({ kind: 'extension', name: 'fx.note.beforeCreate', state: 'open' }),
    ]);
    await expect(app.rpc('/fragile/save', { name: 'Again' })).rejects.toThrow('Nothing was changed');
    expect(await app.read((ctx) => ctx.modelNamed('fx.note').count([]))).toBe(before);
    faults.clear();
    await isRestored(() =>
      app.rpc('/fragile/save', { name: 'Fixed' }).then(
        () => true,
        () => false,
      ),
    );
  });

  test('of kind job waits in the queue without further attempts', async () => {
    faults.add('job');
    const enqueue = (number: number) => app.write((ctx) => ctx.jobs.enqueue(work, { number }));
    for (let number = 0; number < 6; number += 1) await enqueue(number);
    await app.runJobs();
    await until(async () => (await list()).length > 0);
    expect(await list()).toEqual([
      expect.objectContaining({ kind: 'job', name: 'fx_fragile.work', errors: expect.any(Number) }),
    ]);
    await enqueue(7);
    await app.runJobs();
    const rows = () =>
      app.read((ctx) => ctx.db('core_job').where({ name: 'fx_fragile.work' }).select('attempt', 'state'));
    // Trials count, and one that ran when the third failed; each job alone has eight attempts.
    expect((await rows()).reduce((sum, { attempt }) => sum + Number(attempt), 0)).toBeLessThan(7);
    expect(await rows()).toEqual(Array.from({ length: 7 }, () => expect.objectContaining({ state: 'waiting' })));
    faults.clear();
    await until(async () => {
      await app.runJobs();
      return (await rows()).length === 0;
    });
  });

  test('stays off on another node and after a restart, until it is switched on by hand', async () => {
    faults.add('route');
    await statuses((client, index) => client.get(`/fragile/${index}`));
    await until(async () => (await list()).length > 0);
    const node = await app.secondNode();
    expect((await node.get('/fragile/1')).status).toBe(503);
    faults.clear();
    await app.write((ctx) => resetBreakers(ctx, 'fx_fragile'));
    await until(async () => (await node.get('/fragile/2')).status === 200);
    expect((await app.get('/fragile/3')).status).toBe(200);
  });

  once('does not include refusals', async () => {
    const { count } = await statuses((client, index) => client.get(`/fragile/-${index + 1}`));
    expect(count(400)).toBe(CALLS);
    expect((await app.get('/fragile/1')).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  once('is only off for the input that fails', async () => {
    faults.add('number 7');
    const { count } = await statuses((client, index) => client.get(`/fragile/${index % 2 ? 7 : index}`));
    expect(count(200)).toBe(CALLS / 2);
    expect(count(500)).toBeLessThanOrEqual(3);
    expect((await app.get('/fragile/7')).status).toBe(503);
    expect((await app.get('/fragile/8')).status).toBe(200);
  });
});

someDatabase('A part of an addon that is off for a long time', (database) => {
  test('is only off for the visitor who meets the fault', async () => {
    const env = { BREAKER_SECONDS: '900', TRUSTED_PROXIES: 'loopback' };
    await using app = await createTestApp({ addons: ['fx_fragile'], database, env });
    faults.add('route');
    const visitor = app.visitor('192.0.2.66');
    for (let number = 0; number < 5; number += 1) await visitor.get(`/fragile/${number}`);
    faults.clear();
    expect((await visitor.get('/fragile/1')).status).toBe(503);
    expect((await app.visitor('198.51.100.7').get('/fragile/1')).status).toBe(200);
  });
});
