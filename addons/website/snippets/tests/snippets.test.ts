import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Parser } from 'htmlparser2';
import { sanitizeHtml } from 'pergola';
import { createTestApp, type TestApp } from 'pergola/testing';
import { ownSnippets } from '../own.ts';
import type { SnippetTab } from '../point.ts';
import { allSnippets, makePage, snippetHtml } from './kit.ts';

const folder = path.resolve(import.meta.dirname, '../..');

/** All tags with attributes, and all texts, in order: the content of HTML regardless of formatting. */
function said(html: string): string[] {
  const all: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => all.push(`<${name} ${JSON.stringify(Object.entries(attributes).sort())}>`),
    // The parser reports an entity as a separate text.
    ontext: (text) => (all.at(-1)?.startsWith('<') === false ? all.push(`${all.pop()}${text}`) : all.push(text)),
    onclosetag: (name) => all.push(`</${name}>`),
  });
  parser.write(html);
  parser.end();
  return all;
}

describe('The list of snippets', () => {
  it('has those of the original, tab by tab', () => {
    const byTab = Map.groupBy(ownSnippets, ({ tab }) => tab);
    const labels = (tab: SnippetTab): string[] => byTab.get(tab)?.map(({ label }) => label) ?? [];
    const structure =
      'Banner, Text and Image, Image and Text, Image in Text, Big Message, Text Block, Title, Features, Big Image, Three Columns';
    expect(labels('structure').join(', ').startsWith(structure)).toBe(true);
    for (const label of ['Well', 'Quote', 'Panel', 'Image Floating', 'Separator', 'Share'])
      expect(labels('content')).toContain(label);
    const feature = 'Image Gallery, Comparisons, Button, FAQ, References, Quotes Slider, Feature Grid';
    expect(labels('feature').join(', ').startsWith(feature)).toBe(true);
    expect(labels('effect').join(', ').startsWith('Parallax, Parallax Slider')).toBe(true);
  });

  it('has options whose words are translated', () => {
    const texts = readFileSync(path.join(folder, 'i18n/website.pot'), 'utf8');
    const words = ownSnippets.flatMap(({ options = [] }) => options.flatMap((option) => [option, ...option.choices]));
    const missing = words.filter(({ label }) => !texts.includes(`msgid "${label}"`));
    expect(missing).toEqual([]);
  });

  it('has a thumbnail for each', () => {
    const missing = ownSnippets.filter(
      ({ thumbnail }) => !existsSync(path.join(folder, thumbnail.replace('/website/', ''))),
    );
    expect(missing).toEqual([]);
  });
});

describe('A snippet', () => {
  let app: TestApp;
  let markup: ReadonlyMap<string, string>;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['website'] });
    markup = await allSnippets(app);
  });
  afterAll(() => app?.close());

  it.each(ownSnippets.filter(({ template }) => template).map(({ id }) => id))(
    '%s is kept whole when it is saved',
    (id) => {
      const html = markup.get(id) ?? '';
      expect(said(sanitizeHtml(html))).toEqual(said(html));
    },
  );

  it.each(ownSnippets.filter(({ template }) => template).map(({ id }) => id))('%s says which one it is', (id) => {
    expect(markup.get(id)).toContain(`data-name="${id}"`);
  });

  it('speaks the language of who places it', async () => {
    const editor = await app.as('admin');
    editor.keepCookies(['website_lang=fr_FR; Path=/']);
    expect(await snippetHtml(editor, 'website.banner')).toContain('Venez nous voir');
  });

  it('of another kind is filled by the server each time', () => {
    expect(markup.get('website.share')).toMatch(/^<div data-block="website\.share"[^>]*>.*facebook/s);
    expect(markup.get('website.country_board')).toContain('js_kanban_col');
  });

  it('shows only pictures that are there', async () => {
    const pictures = new Set([...markup.values()].flatMap((html) => html.match(/\/website\/static\/[\w/.-]+/g) ?? []));
    expect(pictures.size).toBeGreaterThan(10);
    for (const picture of pictures) expect([picture, (await app.get(picture)).status]).toEqual([picture, 200]);
  });

  it('of contents leads to no heading of what comes up over the page', async () => {
    const contents = '<div data-block="website.table_of_contents" data-options="{}"></div>';
    const popup = markup.get('website.popup') ?? '';
    await makePage(app, '/contents', `<h1>A page</h1>${contents}${popup}<section><h2>Below it</h2></section>`);
    const { text } = await app.get('/contents');
    expect([...text.matchAll(/<a href="[^"]*#h-([^"]*)"/g)].map(([, id]) => id)).toEqual(['below-it']);
  });

  it('a map says what its frame is called once it is opened: the place, else the address', async () => {
    const options = [{ place: 'The house', address: '4 Mill Lane' }, { address: '4 Mill Lane' }, {}];
    const maps = options.map((mapOptions) => {
      const text = JSON.stringify({ ...mapOptions, latitude: 47.25 }).replaceAll('"', '&quot;');
      return `<div data-block="website.map" data-options="${text}"></div>`;
    });
    await makePage(app, '/maps', maps.join(''));
    const { text } = await app.get('/maps');
    expect([...text.matchAll(/data-opened="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'Map: The house',
      'Map: 4 Mill Lane',
      'Map',
    ]);
  });

  it('a map leads nowhere as long as nobody has said where its place is', async () => {
    const mapJson = JSON.stringify({ place: 'The house', address: '4 Mill Lane' }).replaceAll('"', '&quot;');
    await makePage(app, '/somewhere', `<div data-block="website.map" data-options="${mapJson}"></div>`);
    const { text } = await app.get('/somewhere');
    expect(text).toContain('4 Mill Lane');
    expect(text).not.toContain('openstreetmap');
  });

  it('shares the page it stands on, without the query, and works without scripts', async () => {
    await makePage(app, '/shared', '<div data-block="website.share"></div>');
    const { text } = await app.get('/fr/shared?utm=1');
    const page = encodeURIComponent(`${app.url}/fr/shared`);
    expect(text).toContain(`https://www.facebook.com/sharer/sharer.php?u=${page}"`);
    expect(text).toContain(`https://www.linkedin.com/sharing/share-offsite/?url=${page}"`);
    expect(text).toContain(`mailto:?body=${page}"`);
  });

  it('counts down to a date in the zone of the site; without scripts the date is read, and once it is over what was to be said', async () => {
    const countdown = (options: object) =>
      `<div data-block="website.countdown" data-options="${JSON.stringify(options).replaceAll('"', '&quot;')}"></div>`;
    await makePage(app, '/coming', countdown({ until: '2126-12-31T20:00', title: 'Soon', done: 'Now!' }));
    const { text } = await app.get('/fr/coming');
    expect(text).toMatch(/role="timer".*<span class="countdown-number">\d+<\/span>.*Secondes/s);
    expect(text).toMatch(/<h2>Soon<\/h2>.*<time [^>]*>[^<]*31 décembre 2126/s);
    await makePage(app, '/gone', countdown({ until: '2020-12-31T20:00', done: 'It was fine.' }));
    const fallback = (await app.get('/fr/gone')).text;
    expect(fallback).toContain('It was fine.');
    expect(fallback).not.toContain('role="timer"');
    await makePage(app, '/undated', countdown({}));
    expect((await app.get('/fr/undated')).text).not.toContain('Choisissez la date');
  });

  it('plays videos in frames that pages allow', async () => {
    const policy = (await app.get('/')).headers.get('content-security-policy');
    expect(policy).toMatch(/frame-src [^;]*https:\/\/www\.youtube-nocookie\.com/);
    expect(policy).toMatch(/frame-src [^;]*https:\/\/player\.vimeo\.com/);
    expect(policy).toMatch(/frame-src [^;]*https:\/\/www\.dailymotion\.com/);
  });
});
