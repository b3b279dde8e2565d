import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createTestApp, eachDatabase, withBrowser } from 'pergola/testing';

/**
 * Two addons that translate the same word differently: each has a route and a block with it, extends the other's model, and rethrows the
 * other's error.
 */
function speakingAddons(): string {
  const root = mkdtempSync(join(tmpdir(), 'speaking-'));
  const filesOf = (name: string, french: string): Readonly<Record<string, string>> => ({
    [`${name}/addon.ts`]: `import { block, defineAddon, route, z } from 'pergola';
import { models } from './models.ts';
import { t } from './texts.ts';
const said = block('${name}.said', { label: 'Said', options: z.object({}), template: '${name}.said', load: async (ctx) => ({ text: t(ctx, 'Open') }) });
const page = route.page('/${name}', { name: '${name}.page', multilang: true }, async ({ ctx, render }) => render('${name}.page', { text: t(ctx, 'Open') }));
const extended = route.json('/${name}/extended', { name: '${name}.extended' }, async ({ ctx }) => ctx.modelNamed('speaks_a.door').say());
const fails = route.rpc('/${name}/fails/:who', { name: '${name}.fails', params: { who: z.string() } }, async ({ ctx, params }) => ctx.modelNamed('speaks_a.door').refuse(params.who));

export default defineAddon({ name: '${name}', title: '${name}', summary: 'Speaks', version: '1.0.0', depends: ['website'${name === 'speaks_b' ? ", 'speaks_a'" : ''}], models, blocks: [said], routes: [page, extended, fails], behaviours: { '${name}.say': '.${name}' } });
`,
    [`${name}/texts.ts`]: `import { texts } from 'pergola';\nexport const { t } = texts('${name}');\n`,
    [`${name}/templates/${name}.said.hbs`]: '<p>block: {{text}}</p>\n',
    [`${name}/templates/${name}.page.hbs`]:
      '<!doctype html><html lang="{{lang}}"><head><title>x</title>{{assets}}</head><body><p>route: {{text}}</p>{{block "speaks_a.said"}}{{block "speaks_b.said"}}<i class="speaks_a"></i><i class="speaks_b"></i></body></html>\n',
    [`${name}/behaviours/say.ts`]: `import { ready, t } from 'pergola/browser';
export default async function say(place: Element): Promise<void> {
  await ready;
  place.textContent = t('Open');
}
`,
    [`${name}/i18n/fr.po`]: `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n#. browser\nmsgid "Open"\nmsgstr "${french}"\n`,
  });
  const models: Readonly<Record<string, string>> = {
    'speaks_a/index.ts': `export { Door } from './models.ts';
`,
    'speaks_a/models.ts': `import { f, InvalidInput, model } from 'pergola';
import { t } from './texts.ts';
export class Door extends model('speaks_a.door', { name: f.char() }) {
  say() { return ['a: ' + t(this.ctx, 'Open')]; }
  async refuse(who) { if (who === 'a') throw new InvalidInput('Open', { code: 'speaks_a.open', fields: { name: 'Open' } }); }
}
export const models = [Door];
`,
    'speaks_b/models.ts': `import { extend, InvalidInput } from 'pergola';
import { Door } from '@pergola/speaks_a';
import { t } from './texts.ts';
const Layer = extend(Door, {}, (Base) => class extends Base {
  say() { return [...super.say(), ...[1].map(() => 'b: ' + t(this.ctx, 'Open'))]; }
  async refuse(who) { await super.refuse(who); throw new InvalidInput('Open', { code: 'speaks_b.open', fields: { name: 'Open' } }); }
});
export const models = [Layer];
`,
  };
  const files = { ...filesOf('speaks_a', 'Ouvrir'), ...filesOf('speaks_b', 'Ouverte'), ...models };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/**
 * Blocks in a saved text: independent of the visitor, or depending on the visitor, the page or the full address; and a block and a fragment
 * in the template. Each shows a render counter.
 */
function countingAddon(): string {
  const root = mkdtempSync(join(tmpdir(), 'counting-'));
  const files: Readonly<Record<string, string>> = {
    'counting/addon.ts': `import { block, defineAddon, f, fragment, InvalidInput, model, route, z } from 'pergola';
class Thing extends model('counting.thing', { name: f.char() }) {}
let made = 0;
const one = (id, says) => block('counting.' + id, { label: id, options: z.object({}), template: 'counting.said', load: async (ctx, _options, request) => ({ id, said: await says(ctx, request), made: ++made }) });
const things = async (ctx) => { const all = ctx.sudo().model(Thing); return (await all.read(await all.search([]), { select: { name: true } })).map(({ name }) => name).join(); };
const blocks = [one('things', things), one('who', (ctx) => ctx.user.name), one('path', (_, { path }) => path), one('url', (_, { url }) => url)];
const plain = one('plain', () => 'said');
const part = fragment('counting.part', { template: 'counting.said', load: async () => ({ id: 'part', said: 'said', made: ++made }) });
const text = (some) => some.map(({ id }) => '<div data-block="' + id + '"></div>').join('');
const page = route.page('/counting/:where', { name: 'counting.page', multilang: true, params: { where: z.string() } }, async ({ params, render }) => render('counting.page', { text: text(params.where === 'things' ? blocks.slice(0, 1) : params.where === 'twice' ? [blocks[3], blocks[3]] : blocks) }));
const fails = route.rpc('/counting', { name: 'counting.fails', writes: true }, async ({ ctx, renderFragment }) => {
  await ctx.sudo().model(Thing).create({ name: 'undone' });
  throw new InvalidInput(await renderFragment('counting.page', { text: text(blocks.slice(0, 1)) }));
});
export default defineAddon({ name: 'counting', title: 'Counting', summary: 'Counts', version: '1.0.0', depends: ['website'], models: [Thing], blocks: [...blocks, plain], fragments: [part], routes: [page, fails] });
`,
    'counting/templates/counting.said.hbs': '<i>{{id}} {{said}} {{made}}</i>\n',
    'counting/templates/counting.page.hbs':
      '<p>{{html text}}</p>{{block "counting.plain"}}{{fragment "counting.part"}}\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const browser = withBrowser();

eachDatabase('A test application', (database) => {
  it('serves the pages of the addons it was asked for', async () => {
    await using app = await createTestApp({ addons: ['fx_islands'], database });
    const { status, text } = await app.get('/fx_islands');
    expect(status).toBe(200);
    expect(text).toContain('Clicked 3 times');
  });

  it('knows users', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const admin = await app.as('admin');
    expect((await admin.get('/web/account')).text).toContain('Administrator');
  });

  it('says every text as the addon has it in whose file it stands', async () => {
    const root = speakingAddons();
    await using app = await createTestApp({ addons: ['speaks_a', 'speaks_b'], roots: [root], database });
    for (const [path, route] of [
      ['/fr/speaks_a', 'Ouvrir'],
      ['/fr/speaks_b', 'Ouverte'],
    ] as const) {
      const { text } = await app.get(path);
      const texts = Array.from(text.matchAll(/(route|block): (\w+)/g), ([, where, word]) => [where, word]);
      expect(texts).toEqual([
        ['route', route],
        ['block', 'Ouvrir'],
        ['block', 'Ouverte'],
      ]);
    }
    const visitor = app.visitor();
    visitor.keepCookies(['website_lang=fr_FR']);
    // Both routes use the same extensions: the catalogue depends on the file of the text, not on the route.
    for (const addon of ['speaks_a', 'speaks_b']) {
      expect((await visitor.get(`/${addon}/extended`)).json()).toEqual(['a: Ouvrir', 'b: Ouverte']);
      for (const [owner, word] of [
        ['a', 'Ouvrir'],
        ['b', 'Ouverte'],
      ]) {
        const refused = await visitor.rpc(`/${addon}/fails/${owner}`).catch((error: unknown) => error);
        expect(refused).toMatchObject({ data: { message: word, fields: { name: word } } });
      }
    }
    const { page, expectNoTrouble } = await browser.openPage({ baseUrl: app.url, locale: 'fr-FR' });
    await page.goto('/fr/speaks_a');
    await page.getByText('Ouverte', { exact: true }).waitFor();
    expect(await page.locator('i').allTextContents()).toEqual(['Ouvrir', 'Ouverte']);
    await expectNoTrouble();
    rmSync(root, { recursive: true, force: true });
  });

  it('makes a saved block once for all who see the same, and anew for others and after a change', async () => {
    const root = countingAddon();
    await using app = await createTestApp({ addons: ['counting'], roots: [root], database });
    const admin = await app.as('admin');
    let query = 0;
    const seen = async (client: Pick<typeof app, 'get'>, path = '/counting/a') => {
      const { text } = await client.get(`${path}?x=${++query}`);
      return Object.fromEntries(
        Array.from(text.matchAll(/<i>(\w+) (.*?) (\d+)<\/i>/g), ([, id, content, n]) => [id, `${content} ${n}`]),
      );
    };
    const first = await seen(app);
    const second = await seen(app);
    for (const id of ['things', 'path', 'plain', 'part']) expect(second[id]).toBe(first[id]);
    expect(first.url).toMatch(/x&#x3D;1 /);
    expect(second.url).toMatch(/x&#x3D;2 /);
    // A block used twice on a page is rendered once, even if it can't be cached.
    const twice = (await app.get(`/counting/twice?x=${++query}`)).text.match(/<i>url .*?<\/i>/g) ?? [];
    expect([twice.length, new Set(twice).size]).toEqual([2, 1]);
    expect((await seen(app, '/counting/b')).path).toMatch(/^\/counting\/b /);
    expect((await seen(app)).path).toBe(first.path);
    const { who } = await seen(admin);
    expect(who).toMatch(/^Administrator /);
    expect((await seen(admin)).who).not.toBe(who);
    const [one, other] = [await seen(admin, '/counting/things'), await seen(admin, '/counting/things')];
    expect(other.plain).toBe(one.plain);
    // With a session, fragments are rendered per visitor.
    expect(other.part).not.toBe(one.part);
    expect((await seen(app)).who).not.toMatch(/^Administrator /);

    const addThing = (name: string) =>
      app.write(async (ctx) => {
        await ctx.modelNamed('counting.thing').create({ name });
      });
    await addThing('one');
    const things = async () => (await seen(admin, '/counting/things')).things;
    expect((await seen(app)).things).toMatch(/^one /);
    const cachedThings = await things();
    expect(cachedThings).toMatch(/^one /);
    const refused = await admin.rpc('/counting').catch((error: unknown) => error);
    expect(String((refused as { data?: { message?: string } }).data?.message)).toContain('one,undone');
    expect(await things()).toBe(cachedThings);
    const updated = await seen(app);
    expect(updated.things).toMatch(/^one /);
    expect((await seen(app)).things).toBe(updated.things);
    // After a write through another process, visitors must not see data that this process may not know is stale.
    const wrote = app.visitor();
    wrote.keepCookies(['pergola_wrote=elsewhere.1']);
    expect((await seen(wrote)).things).not.toBe(updated.things);
    rmSync(root, { recursive: true, force: true });
  });

  it('says why when an addon it was asked for is broken', async () => {
    await expect(createTestApp({ addons: ['fx_bad_manifest'], database })).rejects.toThrow(
      /fx_bad_manifest addon\.ts:7: .*version/,
    );
  });
});
