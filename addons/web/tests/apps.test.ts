import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sentence } from 'pergola';
import { addonManager } from 'pergola/kernel';
import {
  type Answer,
  type Client,
  createTestApp,
  someDatabase,
  type TestApp,
  type TestDialect,
  until,
} from 'pergola/testing';
import { shownPlan } from '../services/apps.ts';
import { makeUser } from './kit.ts';

const ADDONS = ['web', 'fx_hello', 'fx_host', 'fx_shared_columns'];

/** State and actions on an app's card. */
async function card(client: Client, name: string): Promise<{ state: string; actions: string[] }> {
  const { text } = await client.get('/web/apps');
  const html = new RegExp(
    `<li class="card app-card app-(\\w+)" data-app="${name}">[\\s\\S]*?</li>\\s*(?=<li class="card|</ul>\\s*</section>)`,
  ).exec(text);
  if (!html) throw new Error(`There is no card of ${name}.`);
  const actions = [...html[0].matchAll(new RegExp(`href="/web/apps/${name}/(\\w+)"`, 'g'))].map(
    ([, action = '']) => action,
  );
  return { state: html[1] ?? '', actions };
}

/** Hidden value of the plan's page that lists the addons involved. */
async function parties(client: Client, path: string): Promise<string> {
  return /name="parties" value="([^"]*)"/.exec((await client.get(path)).text)?.[1] ?? '';
}

async function press(client: Client, path: string, more: Record<string, string> = {}) {
  const answer = await client.form(path, { parties: await parties(client, path), ...more });
  const message = /data-slot="form-message">([^<]*)/.exec(answer.text)?.[1];
  return { ...answer, message };
}

async function open(database: TestDialect): Promise<{ app: TestApp; admin: Client }> {
  const app = await createTestApp({ addons: ADDONS, database });
  return { app, admin: await app.as('admin') };
}

someDatabase('The Apps screen', (database) => {
  it('is for administrators; for everybody else there is no such page', async () => {
    const { app, admin } = await open(database);
    await using _ = app;
    await makeUser(app, 'employee', { groups: ['base.group_user'] });
    expect((await admin.get('/web')).status).toBe(200);
    expect((await admin.get('/web/apps')).status).toBe(200);
    const employee = await app.as('employee');
    expect((await employee.get('/web')).status).toBe(200);
    for (const path of ['/web/apps', '/web/apps/fx_hello/disable', '/web/apps/progress?app=fx_hello&action=disable']) {
      expect((await employee.get(path)).status).toBe(404);
      expect((await app.visitor().get(path)).status).toBe(303);
    }
    expect((await employee.form('/web/apps/fx_hello/disable', { parties: 'fx_hello:disabled' })).status).toBe(404);
    expect((await app.visitor().form('/web/apps/fx_hello/disable', { parties: 'x' })).status).toBe(303);
    expect((await admin.get('/fx/hello')).status).toBe(200);
  });

  it('shows every addon with its state and what can be done, and finds them', async () => {
    const { app, admin } = await open(database);
    await using _ = app;
    expect(await card(admin, 'web')).toEqual({ state: 'enabled', actions: [] });
    expect(await card(admin, 'fx_hello')).toEqual({ state: 'enabled', actions: ['disable'] });
    const { text } = await admin.get('/web/apps?q=HELLO');
    expect(text).toContain('data-app="fx_hello"');
    expect(text).not.toContain('data-app="web"');
    expect((await admin.get('/web/apps?q=no+such')).text).toContain('No app matches your search.');
  });

  it('shows the plan, switches an app off and on, and says so', async () => {
    const { app, admin } = await open(database);
    await using _ = app;
    const off = '/web/apps/fx_hello/disable';
    const plan = await admin.get(off);
    expect(plan.status).toBe(200);
    expect(plan.text).toContain('Will be disabled; its data is kept');
    expect(plan.text).toMatch(/Addresses that stop working.*>\/fx\/hello</s);
    expect(plan.text).not.toMatch(/\bGET\b/);
    expect((await admin.get('/fx/hello')).status).toBe(200);
    const done = await press(admin, off);
    expect(done).toMatchObject({ message: undefined, status: 303, location: '/web/apps?done=disable&app=fx_hello' });
    expect((await admin.get(done.location ?? '')).text).toMatch(/role="status">[^<]*is disabled/);
    expect((await admin.get('/web/apps?done=upgrade&app=fx_hello')).text).toMatch(/role="status">[^<]*is up to date/);
    const [last] = await app.read((ctx) => addonManager(ctx).history(1));
    const progress = (after: number) =>
      admin.get(`/web/apps/progress?app=fx_hello&action=disable&after=${after}&at=${Date.now()}`);
    expect((await progress((last?.id ?? 0) - 1)).location).toBe(done.location);
    expect((await progress(last?.id ?? 0)).status).toBe(200);
    expect((await admin.get('/fx/hello')).status).toBe(404);
    expect(await card(admin, 'fx_hello')).toEqual({ state: 'disabled', actions: ['enable', 'uninstall'] });
    expect((await admin.get('/web/apps/fx_hello/enable')).text).toContain(
      'Will be enabled again with its existing data',
    );
    expect(await press(admin, '/web/apps/fx_hello/enable')).toMatchObject({
      location: '/web/apps?done=enable&app=fx_hello',
    });
    expect((await admin.get('/fx/hello')).status).toBe(200);
    expect((await admin.get('/web/apps/fx_hello/enable')).text).toContain('Nothing to do.');
  });

  it('names what goes with an app, and goes on only with the plan that was shown', async () => {
    const { app, admin } = await open(database);
    await using _ = app;
    const off = '/web/apps/fx_host/disable';
    const { text } = await admin.get(off);
    expect(text).toContain('Depends on it · Will be disabled');
    const other = await admin.form(off, { parties: 'fx_host:disabled' });
    expect(other.status).toBe(422);
    expect(other.text).toContain('Something has changed in the meantime.');
    expect((await card(admin, 'fx_host')).state).toBe('enabled');
    expect(await press(admin, off)).toMatchObject({ message: undefined, status: 303 });
    expect((await card(admin, 'fx_shared_columns')).state).toBe('disabled');
  });

  it('never switches what is always there, or unknown', async () => {
    const { app, admin } = await open(database);
    await using _ = app;
    for (const path of ['/web/apps/web/disable', '/web/apps/base/disable', '/web/apps/no_such/enable']) {
      const { status, text } = await admin.get(path);
      expect(status).toBe(200);
      expect(text).toContain('This isn’t possible. Nothing was changed.');
      expect(text).not.toMatch(/<button class="btn btn-(primary|danger)"/);
      const failed = await admin.form(path, { parties: '' });
      expect(failed.status).toBe(409);
      expect(failed.text).toContain('Nothing was changed');
    }
    expect((await admin.get('/web/apps/web/explode')).status).toBe(404);
    expect((await admin.get('/web/apps/..%2fweb/disable')).status).toBe(404);
  });

  it('takes an app out with its data when its name is typed, and shows how far it is', async () => {
    await using app = await createTestApp({ addons: ['web', 'fx_host'], database });
    const admin = await app.as('admin');
    await app.application.startBackground();
    await press(admin, '/web/apps/fx_host/disable');
    const out = '/web/apps/fx_host/uninstall';
    const plan = await admin.get(out);
    expect(plan.text).toMatch(/Deletes \d+ records of “Author”\./);
    // Names of models and fields are translated, too, whichever addon they come from.
    const lost = sentence(
      'Deletes the field “{field}” from {rows} records of “{model}”.',
      { rows: 2 },
      { field: [{ addon: 'base', text: 'Country' }], model: [{ addon: 'fx_host', text: 'Author' }] },
    );
    const french = await app.read(async (ctx) => {
      const item = { topic: 'rows', addon: 'fx_host', sentence: lost, data: {} } as const;
      const about = {
        action: 'uninstall',
        names: [],
        addons: [],
        problems: [],
        reviews: [],
        needsYes: false,
        confirm: null,
      } as const;
      return shownPlan(ctx.as({ lang: 'fr_FR' }), { ...about, items: [item] }).groups[0]?.sentences;
    });
    expect(french).toEqual(['Supprime le champ « Pays » de 2 enregistrements de « Author ».']);
    const wrong = await press(admin, out, { confirm: 'fx_hos' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('Type the name exactly as shown.');
    expect((await card(admin, 'fx_host')).state).toBe('disabled');
    let answer: Answer = await press(admin, out, { confirm: 'fx_host' });
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/^\/web\/apps\/progress\?app=fx_host&action=uninstall/);
    const progress = answer.location ?? '';
    await until(async () => {
      answer = await admin.get(progress);
      if (answer.status !== 200) return true;
      expect(answer.headers.get('refresh')).toBe('2');
      expect(answer.text).toContain('Working on it');
      return false;
    });
    if (answer.status === 409) throw new Error(answer.text);
    expect(answer).toMatchObject({ status: 303, location: '/web/apps?done=uninstall&app=fx_host' });
    expect(await card(admin, 'fx_host')).toEqual({ state: 'uninstalled', actions: ['enable'] });
  });
});

/** An addon outside the repository that extends a page of fx_hello. */
function outsideAddon(): { root: string; breakIt(): void; mend(): void } {
  const root = mkdtempSync(join(tmpdir(), 'addons-'));
  const folder = join(root, 'fx_outside');
  mkdirSync(join(folder, 'templates'), { recursive: true });
  const manifest = {
    name: 'fx_outside',
    title: 'Outside',
    summary: 'Changes a page',
    version: '1.0.0',
    depends: ['fx_hello'],
  };
  writeFileSync(
    join(folder, 'addon.ts'),
    `import { defineAddon } from 'pergola';\nexport default defineAddon(${JSON.stringify(manifest).replace(/"(\w+)":/g, '$1: ')});\n`,
  );
  const patch = (selector: string): void =>
    writeFileSync(
      join(folder, 'templates/fx_hello.hello.patch.hbs'),
      `{{#at "${selector}" "after"}}<p>From outside</p>{{/at}}`,
    );
  patch('[data-slot=title]');
  return { root, breakIt: () => patch('[data-slot=tilte]'), mend: () => patch('[data-slot=title]') };
}

someDatabase('An addon outside of the repository', (database) => {
  it('is not enabled if it does not fit: nothing changes, and the report names file, line and what would fit', async () => {
    const { root, breakIt, mend } = outsideAddon();
    await using app = await createTestApp({ addons: ['web', 'fx_outside'], roots: [root], database });
    const admin = await app.as('admin');
    expect((await admin.get('/fx/hello')).text).toContain('From outside');
    await press(admin, '/web/apps/fx_outside/disable');
    expect((await admin.get('/fx/hello')).text).not.toContain('From outside');
    breakIt();
    const path = '/web/apps/fx_outside/enable';
    const plan = await admin.get(path);
    expect(plan.text).toContain('This isn’t possible. Nothing was changed.');
    expect(plan.text).toContain('fx_outside templates/fx_hello.hello.patch.hbs:1:');
    const failed = await admin.form(path, { parties: 'fx_outside:enabled' });
    expect(failed.status).toBe(409);
    expect(failed.text).toContain('The nearest anchors are');
    expect((await admin.get('/fx/hello')).status).toBe(200);
    expect((await card(admin, 'fx_outside')).state).toBe('disabled');
    mend();
    expect((await press(admin, path)).status).toBe(303);
    expect((await admin.get('/fx/hello')).text).toContain('From outside');
  });

  it('says what its code can do before it is enabled', async () => {
    const { root } = outsideAddon();
    writeFileSync(
      join(root, 'fx_outside/spy.ts'),
      "import { exec } from 'node:child_process';\nexport const f = () => exec('id');\n",
    );
    await using app = await createTestApp({ addons: ['web', 'fx_outside'], roots: [root], database });
    const admin = await app.as('admin');
    await press(admin, '/web/apps/fx_outside/disable');
    const { text } = await admin.get('/web/apps/fx_outside/enable');
    expect(text).toContain('What the code of Outside can do');
    expect(text).toContain('Starts other programs (spy.ts:1)');
    // Of shipped addons, the plan only has what changes.
    expect((await admin.get('/web/apps/fx_hello/disable')).text).not.toContain('What the code of');
    type Sheet = { groups: { risk: string; title: string; capabilities: { text: string; places: string }[] }[] };
    const sheet = await admin.rpc<Sheet>('/web/backend/apps/sheet', { name: 'fx_outside' });
    expect(sheet.groups[0]).toEqual({
      risk: 'high',
      title: 'Read this first',
      capabilities: [{ text: 'Starts other programs', places: 'spy.ts:1' }],
    });
    await expect(admin.rpc('/web/backend/apps/sheet', { name: 'nowhere' })).rejects.toThrow('isn’t on this server');
  });
});
