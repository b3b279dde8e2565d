import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createTestApp, eachDatabase } from '#core/testing';

/** Two addons for which one word means two things, each with a route and a block that say it. */
function speakingAddons(): string {
  const root = mkdtempSync(join(tmpdir(), 'speaking-'));
  const one = (name: string, french: string): Readonly<Record<string, string>> => ({
    [`${name}/addon.ts`]: `import { block, defineAddon, route, z } from '#core';
const said = block('${name}.said', { label: 'Said', options: z.object({}), template: '${name}.said', load: async (ctx) => ({ text: ctx.t('Open') }) });
const page = route.page('/${name}', { name: '${name}.page', multilang: true }, async ({ ctx, render }) => render('${name}.page', { text: ctx.t('Open') }));
export default defineAddon({ name: '${name}', title: '${name}', summary: 'Speaks', version: '1.0.0', depends: ['website'], blocks: [said], routes: [page] });
`,
    [`${name}/templates/${name}.said.hbs`]: '<p>block: {{text}}</p>\n',
    [`${name}/templates/${name}.page.hbs`]:
      '<!doctype html><html lang="{{lang}}"><head><title>x</title></head><body><p>route: {{text}}</p>{{block "speaks_a.said"}}{{block "speaks_b.said"}}</body></html>\n',
    [`${name}/i18n/fr.po`]: `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\nmsgid "Open"\nmsgstr "${french}"\n`,
  });
  for (const [path, text] of Object.entries({ ...one('speaks_a', 'Ouvrir'), ...one('speaks_b', 'Ouverte') })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

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

  it('says the texts of a route and of a block as their own addon has them', async () => {
    const root = speakingAddons();
    await using app = await createTestApp({ addons: ['speaks_a', 'speaks_b'], roots: [root], database });
    for (const [path, route] of [
      ['/fr/speaks_a', 'Ouvrir'],
      ['/fr/speaks_b', 'Ouverte'],
    ] as const) {
      const { text } = await app.get(path);
      const said = Array.from(text.matchAll(/(route|block): (\w+)/g), ([, where, word]) => [where, word]);
      expect(said).toEqual([
        ['route', route],
        ['block', 'Ouvrir'],
        ['block', 'Ouverte'],
      ]);
    }
    rmSync(root, { recursive: true, force: true });
  });

  it('says why when an addon it was asked for is broken', async () => {
    await expect(createTestApp({ addons: ['fx_bad_manifest'], database })).rejects.toThrow(
      /fx_bad_manifest addon\.ts: .*version/,
    );
  });
});
