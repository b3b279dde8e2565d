import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandIo } from '@pergola/core';
import { rowsOf } from '@pergola/db';
import { createTestApp, someDatabase, type TestApp, until } from 'pergola/testing';
import { main } from '../main.ts';

const files = (version: string, text: string): Record<string, string> => ({
  'addon.ts': `import { defineAddon, route } from 'pergola';
export default defineAddon({
  name: 'fx_club', title: 'Club', summary: 'Is upgraded', version: '${version}', depends: ['web'],
  routes: [route.page('/club', { name: 'fx_club.home' }, ({ render }) => render('fx_club.home' as never, {}))],
});`,
  'templates/fx_club.home.hbs': `<h1>Club</h1><p>${text}</p>`,
});

/** A rehearsal as the Apps screen gets it. */
interface Shown {
  readonly state: string;
  readonly report: { readonly fingerprint: string; readonly kinds: readonly { readonly title: string }[] } | null;
}

let app: TestApp;
let folder: string;
const environment = { ...process.env };

function write(version: string, text: string): void {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  for (const [path, content] of Object.entries(files(version, text))) writeFileSync(join(folder, path), content);
}

async function ran(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const io: CommandIo = {
    interactive: false,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    confirm: async () => false,
    secret: async () => null,
  };
  return { code: await main(words, io), out: out.join('\n'), err: err.join('\n') };
}

someDatabase('A rehearsal by command', (database) => {
  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'rehearse-')), 'fx_club');
    write('1.0.0', 'Training at six');
    app = await createTestApp({ addons: ['fx_club'], roots: [folder], env: { ADDONS_PATH: folder }, database });
    const { databaseUrl, dataDir } = app.config;
    Object.assign(process.env, {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ADDONS_PATH: folder,
      BASE_URL: 'http://localhost',
      LOG_LEVEL: 'fatal',
    });
  });
  afterAll(async () => {
    process.env = environment;
    await app.close();
  });

  test('an upgrade is compared with the code that the running site has kept, and changes nothing', async () => {
    const { dataDir } = app.config;
    await until(() => readdirSync(join(dataDir, 'code')).includes('fx_club-1.0.0'));
    write('1.1.0', 'Training at seven');
    const { code, out } = await ran('rehearse', 'upgrade', 'fx_club', '--pages', '30', '--json');
    const { verdict, pages, differences, seconds } = JSON.parse(out);
    expect({ code, verdict }).toEqual({ code: 0, verdict: 'differs' });
    expect(seconds).toBeGreaterThan(0);
    expect(pages).toBeGreaterThan(10);
    expect(differences).toContainEqual({
      path: '/club',
      as: 'visitor',
      kind: 'text',
      before: 'Training at six',
      after: 'Training at seven',
    });
    expect((await app.visitor().get('/club')).text).toContain('Training at six');
    const readable = await ran('rehearse', 'upgrade', 'fx_club', '--pages', '30');
    expect(readable.out).toMatch(/add --rehearsed [0-9a-f]{64}$/m);
    expect(readable.out).toMatch(/^upgrade fx_club: Something would be different\.\n\d+ differences on \d+ pages/);
    expect(readable.out).toMatch(
      /Texts: \d+\n.*\/club as .*visitor.*\n {4}- Training at six\n {4}\+ Training at seven/,
    );
  });

  test('the Apps screen rehearses, reports and makes exactly that change', async () => {
    const admin = await app.as('admin');
    const place = { name: 'fx_club', action: 'disable' };
    const plan = await admin.rpc<{ parties: string }>('/web/backend/apps/plan', place);
    expect(await admin.rpc('/web/backend/apps/rehearsal', place)).toBeNull();
    const rehearsed = async (): Promise<Shown> => {
      await admin.rpc('/web/backend/apps/rehearse', place);
      await expect(admin.rpc('/web/backend/apps/rehearse', place)).rejects.toThrow('Another rehearsal is running');
      const latest = () => admin.rpc<Shown>('/web/backend/apps/rehearsal', place);
      await until(async () => (await latest()).state !== 'running');
      return latest();
    };
    const shown = await rehearsed();
    expect(shown).toMatchObject({ state: 'done', by: 'admin', report: { verdict: 'differs' } });
    expect(shown.report?.kinds.find(({ title }) => title === 'Pages that appear or disappear')).toMatchObject({
      groups: [{ place: '/club', before: '200', after: '404' }],
    });
    const setting = app.database.knex('core_setting').insert({ name: 'fx_club.hour', value: '6' });
    await app.database.write((transaction) => rowsOf(transaction, setting));
    const go = (report: Shown['report']) =>
      admin.rpc('/web/backend/apps/run', { ...place, parties: plan.parties, rehearsed: report?.fingerprint });
    await expect(go(shown.report)).rejects.toThrow('has changed since the rehearsal');
    expect((await app.visitor().get('/club')).status).toBe(200);
    await go((await rehearsed()).report);
    await until(async () => (await app.visitor().get('/club')).status === 404);
  });

  test('what cannot be rehearsed is refused with the reason', async () => {
    expect(await ran('rehearse', 'install', 'fx_club')).toMatchObject({ code: 2 });
    expect(await ran('rehearse', 'enable')).toMatchObject({ code: 2, err: expect.stringContaining('<addon>') });
    const { code, out } = await ran('rehearse', 'disable', 'no_club', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'fails', differences: [{ kind: 'problem', path: 'no_club' }] });
  });

  test('a rehearsal can be stopped', async () => {
    const admin = await app.as('admin');
    const place = { name: 'fx_club', action: 'enable' };
    const { id } = await admin.rpc<{ id: number }>('/web/backend/apps/rehearse', place);
    await admin.rpc('/web/backend/apps/rehearsal/stop', { id });
    expect(await admin.rpc('/web/backend/apps/rehearsal', place)).toMatchObject({ id, state: 'stopped', report: null });
    // Its process has ended once another rehearsal may begin.
    await until(() =>
      admin.rpc('/web/backend/apps/rehearse', place).then(
        () => true,
        () => false,
      ),
    );
  });
});
