import { breakers } from '@pergola/cluster';
import type { CommandIo } from '@pergola/core';
import { createTestApp, type TestApp, until } from 'pergola/testing';
import { main } from '../main.ts';

describe('Beside a running site', () => {
  let app: TestApp;
  const before = { ...process.env };
  beforeAll(async () => {
    app = await createTestApp({ addons: ['web'] });
    const { databaseUrl, dataDir } = app.config;
    Object.assign(process.env, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DEMO: 'false', LOG_LEVEL: 'fatal' });
  });
  afterAll(async () => {
    process.env = before;
    await app.close();
  });

  async function ran(...words: string[]): Promise<{ code: number; out: string; err: string }> {
    const out: string[] = [];
    const err: string[] = [];
    const io: CommandIo = {
      out: (line) => void out.push(line),
      err: (line) => void err.push(line),
      confirm: async () => false,
      secret: async () => null,
    };
    return { code: await main(words, io), out: out.join('\n'), err: err.join('\n') };
  }

  test('commands print routes, models and ids as JSON, and the slots of a template', async () => {
    const routes = await ran('routes', '--json');
    expect(JSON.parse(routes.out)).toContainEqual(
      expect.objectContaining({ method: 'GET', path: '/web/login', kind: 'page', addon: 'web', writes: false }),
    );
    const models: { model: string }[] = JSON.parse((await ran('models', '--json')).out);
    expect(models.map(({ model }) => model)).toContain('res.partner');
    const ids = await ran('ids', 'base', '--json');
    expect(JSON.parse(ids.out)).toContainEqual({ id: 'base.eur', model: 'res.currency', record: expect.any(Number) });
    expect((await ran('slots', 'web.frontend_layout')).out).toMatch(
      /^ {2}\[data-slot="footer"\] \(<footer>, line \d+\)$/m,
    );
  });

  test('breakers lists the parts that are off, and switches them on again on the running site', async () => {
    const running = app.application.get(breakers);
    const part = { addon: 'web', kind: 'block', name: 'web.clock' } as const;
    const call = { visitor: null, input: null };
    expect((await ran('breakers')).out).toBe('Every part of the apps is on.');
    for (let failure = 0; failure < 3; failure += 1) running.fail(part, call, new Error('The clock has stopped.'));
    await until(() => running.stored.size === 1);
    expect(JSON.parse((await ran('breakers', '--json')).out)).toEqual({
      breakers: [
        {
          ...part,
          state: 'open',
          errors: 3,
          since: expect.stringMatching(/^\d{4}-.*Z$/),
          message: 'The clock has stopped.',
          file: null,
          line: null,
        },
      ],
    });
    expect((await ran('breakers')).out).toMatch(/^block web\.clock: open since .*\n {2}web: The clock has stopped\.$/);
    expect((await (await app.as('admin')).get('/web/apps')).text).toContain('web: The clock has stopped.');
    expect(await ran('breakers', 'reset', 'wep')).toMatchObject({ code: 2, err: expect.stringContaining('“web”') });
    expect(await ran('breakers', 'reset', 'web')).toMatchObject({ code: 0, out: 'web: 1 switched on again.' });
    await until(() => running.stored.size === 0);
    expect(running.blocks(part, call)).toBe(false);
  });

  test('commands that need the apps name the upgrade they wait for', async () => {
    const read = await app.read((ctx) => ctx.db.raw('select addons from core_generation where number = 1'));
    const stored = String(read[0]?.addons);
    const store = (addons: string) => app.write((ctx) => ctx.db.raw('update core_generation set addons = ?', [addons]));
    await store(JSON.stringify({ ...JSON.parse(stored), web: '0.0.1' }));
    const waits = {
      code: 1,
      out: '',
      err: expect.stringMatching(/^The apps can’t be used until this is fixed:\nweb: .*`npx pergola upgrade web`/),
    };
    try {
      expect(await ran('routes')).toEqual(waits);
      expect(await ran('console')).toEqual(waits);
    } finally {
      await store(stored);
    }
  });

  test('"enable" fails with a suggestion for an addon that does not exist', async () => {
    expect(await ran('enable', 'websit')).toMatchObject({ code: 1, err: expect.stringContaining('website') });
  });
});
