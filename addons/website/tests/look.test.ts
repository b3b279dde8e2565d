import { readFile } from 'node:fs/promises';
import { createTestApp, refusal, someDatabase, type TestApp } from 'pergola/testing';
import { unreadable } from '../look/colours.ts';
import { shippedLooks } from '../look/shipped.ts';
import { Website } from '../models/website.ts';
import { getFrom } from './kit.ts';

const sheetIn = (html: string): string => /href="(\/website\/look-[^"]+\.css)"/.exec(html)?.[1] ?? '';
const [pergola, harbour] = shippedLooks.palettes ?? [];
if (!pergola || !harbour) throw new Error('Nothing is shipped.');

someDatabase('looks', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'], database });
  });
  afterAll(() => app.close());

  const change = (look: object, id = 1) => app.write((ctx) => ctx.model(Website).write(id, { look }));

  it('a kept page has the new look at once, and its sheet is kept for ever by browsers', async () => {
    const before = sheetIn((await app.get('/')).text);
    expect((await app.get(before)).text).toContain('--pg-heading-font:"Fraunces"');
    await change({ palette: harbour.id, corners: 'round', density: 'airy', buttons: 'outline' });
    const after = sheetIn((await app.get('/')).text);
    expect(after).not.toBe(before);
    const sheet = await app.get(after);
    expect(sheet.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
    for (const property of [`--bs-primary:${harbour.light.primary}`, `--bs-primary:${harbour.dark.primary}`])
      expect(sheet.text).toContain(property);
    for (const property of ['--bs-border-radius:1rem', '--pg-density:1.25', '--pg-button-bg:transparent'])
      expect(sheet.text).toContain(property);
    const old = await app.get(before);
    expect(old.text).toBe(sheet.text);
    expect(old.headers.get('cache-control')).toBe('no-cache');
  });

  it('each site has its own', async () => {
    const id = await app.write(async (ctx) => {
      const fr = await ctx.ref('base.lang_fr');
      return ctx
        .model(Website)
        .create({ name: 'Deux', domain: 'deux.example', language_ids: [fr], default_lang_id: fr });
    });
    await change({ palette: 'website.plum' }, id);
    await change({ palette: 'website.slate' });
    const [first, two] = [sheetIn((await app.get('/')).text), sheetIn((await getFrom(app, 'deux.example', '/')).text)];
    expect(first).not.toBe(two);
    expect((await getFrom(app, 'deux.example', two)).text).toContain('--bs-primary:#7a3577;');
  });

  it('colours that nobody could read are refused, each beside its field', async () => {
    const { light, dark } = pergola;
    const customColours = { light: { ...light, primary: '#8fc9a8' }, dark: { ...dark, text: '#555555' } };
    const error = await refusal(change({ palette: 'own', own: customColours }));
    expect(error.code).toBe('website.unreadable');
    expect(Object.keys(error.fields)).toEqual(['own.light.primary', 'own.dark.text']);
    expect(error.fields['own.light.primary']).toMatch(/^Contrast with the .* is [\d.]+\. Use at least 4\.5\.$/);
    // They can be stored while another palette is selected.
    await change({ palette: 'website.sea', own: customColours });
    await change({ palette: 'own', own: { light: { ...light, primary: '#5a2ca0' }, dark } });
    expect((await app.get(sheetIn((await app.get('/')).text))).text).toContain('--bs-primary:#5a2ca0;');
  });

  it('what is not there, or is no colour, is refused', async () => {
    expect((await refusal(change({ palette: 'website.none' }))).fields).toHaveProperty('palette');
    expect((await refusal(change({ palette: 'own' }))).fields).toHaveProperty('palette');
    const { light, dark } = pergola;
    const injected = { light: { ...light, text: 'red;}body{display:none' }, dark };
    expect((await refusal(change({ palette: 'own', own: injected }))).fields).toEqual({
      'own.light.text': 'Write colours like #1f6b4a.',
    });
    expect((await refusal(change({ corners: 'torn' }))).code).toBe('website.bad_look');
  });

  it('buttons on the strong colour are not those of the ground', async () => {
    await change({ buttons: 'outline', header: 'website.strong_header', footer: 'website.strong_footer' });
    const { text } = await app.get(sheetIn((await app.get('/')).text));
    for (const part of ['.site-header-bar', '.site-footer'])
      expect(text).toMatch(new RegExp(`${part}{[^}]*--pg-button-bg:var\\(--pg-on-strong\\)`));
    expect(text).toMatch(/.site-footer{[^}]*--bs-danger-rgb:var\(--pg-on-strong-rgb\)/);
    // The focus outline is readable, too.
    expect(text).toContain('.site-footer :focus-visible{outline-color:var(--pg-on-strong);}');
  });

  it('a mega menu has the colours of pages, though its header has others', async () => {
    const mega = async (look: object): Promise<string[]> => {
      await change(look);
      const { text } = await app.get(sheetIn((await app.get('/')).text));
      return [...text.matchAll(/\.site-mega>\.dropdown-menu{([^}]*)}/g)].map(([, rule = '']) => rule);
    };
    expect(await mega({ header: 'website.row' })).toEqual([]);
    const [buttons, light, dark] = await mega({ header: 'website.strong_header', buttons: 'outline' });
    expect(buttons).toContain('--pg-button-bg:transparent;');
    for (const scheme of [light, dark]) expect(scheme).toMatch(/--bs-body-bg:#.*--bs-link-color:#/);
    expect(light).not.toBe(dark);
  });

  it('a logo of its own stands on dark grounds', async () => {
    const sheet = async (look: object): Promise<string[]> => {
      await change(look);
      const { text } = await app.get(sheetIn((await app.get('/')).text));
      return [...text.matchAll(/--pg-logo:(\w+)/g)].map(([, visibility = '']) => visibility);
    };
    expect(await sheet({})).toEqual(['block', 'none']);
    expect(await sheet({ header: 'website.strong_header' })).toEqual(['none', 'none']);
    const logo = (await readFile(new URL('../../web/static/img/logo.png', import.meta.url))).toString('base64');
    const logos = async () => (await app.get('/')).text.match(/class="site-logo"\s+src="[^"]+/g) ?? [];
    const admin = await app.as('admin');
    const call = { model: 'website', method: 'write', args: [[1], { logo, logo_dark: logo }], kwargs: {} };
    await admin.rpc('/web/dataset/call_kw/website/write', call);
    const [light = '', dark = ''] = await logos();
    expect([light, dark].map((logo) => /field=(\w+)/.exec(logo)?.[1])).toEqual(['logo', 'logo_dark']);
    await app.write((ctx) => ctx.model(Website).write(1, { logo: null, logo_dark: null }));
    expect(await logos()).toEqual([]);
  });

  it('an icon of its own is for dark windows', async () => {
    const icons = async () =>
      [...(await app.get('/')).text.matchAll(/rel="icon" href="([^"]+)"(?: media="([^"]+))?/g)].map(
        ([, href = '', media]) => [/favicon_dark/.exec(href)?.[0], media],
      );
    const icon = await readFile(new URL('../../web/static/img/logo.png', import.meta.url));
    await app.write(async (ctx) => ctx.model(Website).write(1, { favicon_dark: await ctx.files.putImage(icon) }));
    expect(await icons()).toEqual([
      [undefined, undefined],
      ['favicon_dark', '(prefers-color-scheme: dark)'],
    ]);
    await app.write((ctx) => ctx.model(Website).write(1, { favicon_dark: null }));
    expect(await icons()).toHaveLength(1);
  });

  it('only designers choose', async () => {
    await expect(app.visitor().rpc('/website/look/open', {})).rejects.toThrow();
    const admin = await app.as('admin');
    const openedLook = await admin.rpc<{ palettes: { id: string }[] }>('/website/look/open', {});
    expect(openedLook.palettes).toHaveLength(5);
    const look = { palette: 'website.terracotta', own: { light: pergola.dark, dark: pergola.light } };
    const preview = await admin.rpc<{ css: string; faults: object }>('/website/look/preview', { look });
    expect(preview.css).toContain('--bs-primary:#9c3c1a;');
    expect(preview.faults).toEqual({});
    const customPreview = await admin.rpc<{ faults: object }>('/website/look/preview', {
      look: { ...look, palette: 'own' },
    });
    expect(customPreview.faults).toHaveProperty(['own.light.background']);
  });

  it('with a part of an addon that is off is shown, opened and saved as visitors see it', async () => {
    await change({});
    await app.write((ctx) =>
      ctx
        .db('website')
        .where({ id: 1 })
        .update({ look: JSON.stringify({ header: 'studio.shelf', corners: 'round' }) }),
    );
    const admin = await app.as('admin');
    const { look, panel } = await admin.rpc<{ look: object; panel: string }>('/website/look/open', {});
    expect(look).toMatchObject({ header: 'website.row', corners: 'round' });
    expect(panel).toMatch(/^\.look-root\{.*--bs-body-bg:#fbfaf6;/);
    await change(look);
  });

  it('of another site is opened by its number, from its form', async () => {
    const otherSite = await app.read(
      async (ctx) => (await ctx.model(Website).search([['domain', '=', 'deux.example']]))[0],
    );
    const admin = await app.as('admin');
    const open = (params: object) => admin.rpc<{ site: object; look: object }>('/website/look/open', params);
    expect(await open({})).toMatchObject({ site: { id: 1, isHere: true } });
    expect(await open({ website: otherSite })).toMatchObject({
      site: { id: otherSite, name: 'Deux', isHere: false },
      look: { palette: 'website.plum' },
    });
    await expect(open({ website: 999 })).rejects.toThrow();
    const call = { model: 'website', method: 'edit_look', args: [[otherSite]], kwargs: {} };
    expect(await admin.rpc('/web/dataset/call_kw/website/edit_look', call)).toEqual({ url: `/?look=${otherSite}` });
  });

  it('fonts come in parts that pages need, and are kept for ever', async () => {
    await change({});
    const page = (await app.get('/')).text;
    // In the head it would block the first paint.
    expect(page).toMatch(
      /<\/head>[\s\S]*<link rel="preload" href="\/website\/font\/figtree-latin-[\d.]+woff2" as="font" type="font\/woff2" media/,
    );
    const { text } = await app.get(sheetIn(page));
    const fonts = [...text.matchAll(/src:url\("(\/website\/font\/[^"]+)"\)/g)].map(([, fontUrl = '']) => fontUrl);
    expect(text).toContain('font-family:"Figtree fallback";font-weight:100 500;src:local("Arial")');
    expect(fonts).toHaveLength(4);
    // For characters in both files (œ) the later one is used.
    expect(fonts.map((font) => font.includes('-latin-ext-'))).toEqual([true, false, true, false]);
    for (const font of fonts) {
      const { status, headers } = await app.get(font);
      expect([status, headers.get('content-type')]).toEqual([200, 'font/woff2']);
      expect(headers.get('cache-control')).toContain('immutable');
    }
    expect((await app.get('/website/font/..%2F..%2Fpackage.json')).status).toBe(404);
    expect((await app.get('/website/font/figtree.woff2')).status).toBe(404);
  });
});

it('all palettes that are shipped can be read', () => {
  expect((shippedLooks.palettes ?? []).flatMap(unreadable)).toEqual([]);
  const [palette] = shippedLooks.palettes ?? [];
  if (!palette) throw new Error('No palette is shipped.');
  const pale = { ...palette, light: { ...palette.light, text: '#999999', background: '#ffffff' } };
  expect(unreadable(pale)[0]).toEqual({ scheme: 'light', colour: 'text', on: 'background', ratio: 2.84 });
});
