import { once } from 'node:events';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { FORM_MARK, pluralKey } from '../../browser/index.ts';
import { createCatalogs } from '../../texts/catalog.ts';
import { parseCatalog } from '../../texts/po.ts';
import { build, islandFiles, listen, place, reader, temporaryFolder, writeAddon, writeFiles } from './kit.ts';

const counter = `import { useId } from 'react';
import { t } from 'pergola/browser';
export default function Counter({ start }: { start: number }) {
  return <button type="button" id={useId()}>{t('Count')} {start}</button>;
}
`;
const load = { on: 'load' } as const;
/** The core's own part is built once for all. */
const buildDir = temporaryFolder();

describe('The assets of a generation', () => {
  it('have an import map that is the same for the same addons, and differs for others', async () => {
    const addon = writeAddon('ship', { ...islandFiles('counter', counter), 'browser.ts': 'export const a = 1;' });
    const other = writeAddon('boat', { 'browser.ts': 'export const b = 1;' });
    const [first, second, third] = [
      await build([addon], { buildDir }),
      await build([addon], { buildDir }),
      await build([addon, other], { buildDir }),
    ].map(({ assets }) => assets.inlineHashes[0]);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('are put together without building anything when addons are switched', async () => {
    const addons = ['ship', 'boat'].map((name) => writeAddon(name, islandFiles('counter', counter)));
    await build(addons, { buildDir });
    const folder = path.join(buildDir, 'production');
    const made = () => readdirSync(folder).map((name) => statSync(path.join(folder, name)).ino);
    const before = made();
    const { assets } = await build(addons.slice(1), { buildDir });
    expect(assets.propsSchema('ship.Counter')).toBeUndefined();
    await build(addons, { buildDir });
    expect(made()).toEqual(before);
  });

  it('say what is missing of an island or behaviour, all of it', async () => {
    const addon = writeAddon(
      'ship',
      {
        'islands/lost.tsx': counter,
        ...islandFiles('odd', counter, '{ start: 1 }'),
        ...islandFiles('wide', counter, 'z.object({});\nexport const island = { sise: 3 }'),
        ...islandFiles('ill', counter, 'missing'),
        'behaviours/flag.ts': 'export default () => {};',
      },
      { 'ship.flag': '.flag', 'ship.gone': '.gone', 'boat.flag': '.other', 'ship.flag2': 'a[' },
    );
    const { problems } = await build([addon], { buildDir });
    expect(problems.every((problem) => problem.addon === 'ship' && problem.remedy !== '')).toBe(true);
    const lines = problems.map(({ file, message }) => `${file}: ${message}`).join('\n');
    expect(lines).toMatch(/islands\/lost\.props\.ts: this file is missing/);
    expect(lines).toMatch(/islands\/odd\.props\.ts: this exports no zod schema/);
    expect(lines).toMatch(/islands\/wide\.props\.ts: `island` does not fit/);
    expect(lines).toMatch(/islands\/ill\.props\.ts: this cannot be loaded: missing is not defined/);
    expect(lines).toMatch(/addon\.ts: behaviour "ship\.gone" has no file behaviours\/gone\.ts/);
    expect(lines).toMatch(/addon\.ts: behaviour "boat\.flag" has no file/);
    expect(lines).toMatch(/addon\.ts: behaviour "ship\.flag2": "a\[" is no CSS selector/);
    expect(lines).not.toMatch(/"ship\.flag"/);
  });

  it('say that a behaviour has no file, also of an addon that brings nothing for browsers', async () => {
    const { problems } = await build([writeAddon('ship', {}, { 'ship.flag': '.flag' })], { buildDir });
    expect(problems).toEqual([expect.objectContaining({ addon: 'ship', file: 'addon.ts' })]);
  });

  it('hold an addon from outside the repository with a package of its own', async () => {
    const addon = writeAddon(
      'ship',
      islandFiles(
        'sail',
        "import { useSize } from 'sailcloth';\nexport default () => <b>{useSize()} m</b>;",
        'z.object({})',
      ),
    );
    writeFiles(path.join(addon.folder, 'node_modules/sailcloth'), {
      'package.json': '{ "name": "sailcloth", "version": "1.0.0" }',
      // CommonJS, as many packages of React are
      'index.js': "const { useState } = require('react'); exports.useSize = () => useState(12)[0];",
    });
    const { assets, problems } = await build([addon], { buildDir });
    expect(problems).toEqual([]);
    expect(assets.island('ship.Sail', {}, load, reader(), place)).toContain('<b>12<!-- --> m</b>');
  });
});

describe('An island', () => {
  it('is rendered in place with its props beside it, which cannot end their script', async () => {
    const { assets } = await build(
      [
        writeAddon(
          'ship',
          islandFiles('text', 'export default ({ a }: { a: string }) => <i>{a}</i>;', 'z.object({ a: z.string() })'),
        ),
      ],
      { buildDir },
    );
    const html = assets.island('ship.Text', { a: '</script><script>alert(1)</script><!--' }, load, reader(), place);
    expect(html).toContain('<i>&lt;/script&gt;');
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    expect(html).toMatch(/data-src="\/_assets\/ship\/text\.\w+\.js" data-wake="load"/);
  });

  it('has ids of its own, also in a fragment that is filled into a kept page', async () => {
    const { assets } = await build([writeAddon('ship', islandFiles('counter', counter))], {
      buildDir: temporaryFolder(),
    });
    const [page, later] = [reader(), reader()];
    const html = [
      assets.island('ship.Counter', { start: 1 }, load, page, place),
      assets.island('ship.Counter', { start: 1 }, load, page, place),
      assets.island('ship.Counter', { start: 1 }, load, later, { ...place, fragment: 'web.user_menu' }),
      assets.island('ship.Counter', { start: 1 }, load, later, { ...place, fragment: 'web.user_menu' }),
    ].join('');
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(4);
  });

  it('gets the same props on the server as in the browser: what JSON keeps', async () => {
    const { assets } = await build(
      [
        writeAddon(
          'ship',
          islandFiles(
            'day',
            'export default ({ day }: { day: unknown }) => <i>{typeof day}</i>;',
            'z.object({ day: z.coerce.date() })',
          ),
        ),
      ],
      { buildDir },
    );
    expect(assets.island('ship.Day', { day: '2026-01-01' }, load, reader(), place)).toContain('<i>string</i>');
  });

  it('that fails leaves its place and a line with its addon in the log', async () => {
    const { log, errors } = listen();
    const failing = "export default () => { throw new Error('torn'); };";
    const { assets } = await build(
      [writeAddon('ship', { ...islandFiles('sail', failing, 'z.object({});\nexport const island = { height: 320 }') })],
      { buildDir, log },
    );
    const html = assets.island('ship.Sail', {}, load, reader(), place);
    expect(html).toContain('data-fresh data-reserve style="width:100%;min-height:320px"');
    expect(html).toContain('<pergola-root></pergola-root>');
    expect(errors).toEqual([
      { about: expect.objectContaining({ addon: 'ship', island: 'ship.Sail' }), text: expect.any(String) },
    ]);
  });

  it('that fails while somebody develops names its line and the template that places it', async () => {
    const { log, errors } = listen();
    const failing = "\nfunction torn(): never {\n  throw new Error('torn <sail>');\n}\nexport default () => torn();";
    const addon = writeAddon('ship', islandFiles('sail', failing, 'z.object({})'));
    const { assets } = await build([addon], { buildDir, log, dev: true });
    const html = assets.island('ship.Sail', {}, { ...load, from: 'templates/ship.page.hbs:9' }, reader(), place);
    const message = 'island "ship.Sail", placed in templates/ship.page.hbs:9, fails on the server: torn <sail>';
    expect(errors[0]?.about).toMatchObject({
      from: 'templates/ship.page.hbs:9',
      problem: { addon: 'ship', file: 'islands/sail.tsx', line: 3, message },
    });
    expect(html).toContain('ship islands/sail.tsx:3: island');
    expect(html).toContain('placed in templates/ship.page.hbs:9, fails on the server: torn &lt;sail&gt;');
    expect(html).toContain('&gt; 3 |   throw new Error(');
    expect(html).toContain('data-from="templates/ship.page.hbs:9"');
  });

  it('whose props do not fit leaves nothing, a line in the log, and in development a note', async () => {
    const { log, errors } = listen();
    const addon = writeAddon('ship', {
      ...islandFiles('counter', counter),
      ...islandFiles('rude', counter, "z.string().transform(() => { throw new Error('rude'); })"),
    });
    const { assets } = await build([addon], { buildDir, log });
    expect(assets.island('ship.Counter', { start: 'x' }, load, reader(), place)).toBe('');
    expect(assets.island('ship.Rude', 'x', load, reader(), place)).toBe('');
    expect(errors.map(({ about }) => about.problems)).toEqual([
      expect.stringContaining('start'),
      expect.stringContaining('rude'),
    ]);
    const dev = await build([addon], { buildDir, dev: true });
    expect(dev.assets.island('ship.Counter', { start: '<x>' }, load, reader(), place)).toMatch(
      /role="note">The props of island/,
    );
  });

  it('that is for the browser alone keeps its place', async () => {
    const { assets } = await build(
      [
        writeAddon(
          'ship',
          islandFiles(
            'map',
            'export default () => <b>map</b>;',
            "z.object({});\nexport const island = { ssr: false, width: '50%', height: 200 }",
          ),
        ),
      ],
      { buildDir },
    );
    const html = assets.island('ship.Map', {}, { on: 'visible' }, reader(), place);
    expect(html).toContain('data-wake="visible" data-fresh data-reserve style="width:50%;min-height:200px"');
    expect(html).not.toContain('<b>map');
  });

  it('has slots that other addons fill, on the server too, and says so of one that is not there', async () => {
    const bag = islandFiles(
      'bag',
      'import { Slot } from \'pergola/islands\';\nexport default () => <b><Slot name="line" of={7} /></b>;',
      "z.object({});\nexport const island = { slots: ['line'] }",
    );
    const fill = (name: string) => ({
      'islands/ship.Bag.slots.tsx': `export default { ${name}: ({ of }: { of: number }) => <i>{of}</i> };`,
    });
    const ship = writeAddon('ship', bag);
    const { assets, problems } = await build([ship, writeAddon('boat', fill('line'))], { buildDir });
    expect(problems).toEqual([]);
    const html = assets.island('ship.Bag', {}, load, reader(), place);
    expect(html).toContain('<b><i>7</i></b>');
    expect(html).toMatch(/data-slots="\/_assets\/boat\/ship\.Bag\.slots\.\w+\.js"/);
    const wrong = await build([ship, writeAddon('raft', fill('lines'))], { buildDir });
    expect(wrong.problems).toEqual([
      expect.objectContaining({
        addon: 'raft',
        file: 'islands/ship.Bag.slots.tsx',
        message: 'island "ship.Bag" has no slot "lines". Did you mean “line”?',
      }),
    ]);
    const lost = writeAddon('punt', { 'islands/ship.Bags.slots.tsx': 'export default {};' });
    expect((await build([ship, lost], { buildDir })).problems[0]?.message).toBe(
      'there is no island "ship.Bags". Did you mean “ship.Bag”?',
    );
  });

  it('holds what the template has within it, and keeps what it does not show yet', async () => {
    const files = {
      ...islandFiles(
        'open',
        'let n = 0;\nexport default ({ children }) => <b title={++n}>{children}</b>;',
        'z.object({})',
      ),
      ...islandFiles('shut', 'export default () => <b>shut</b>;', 'z.object({})'),
    };
    const { assets } = await build([writeAddon('ship', files)], { buildDir });
    const of = (id: string, content = '<p>in it</p>') =>
      assets.island(id, {}, { on: 'idle', content }, reader(), place);
    expect(of('ship.Open')).toContain('<b title="1"><pergola-content><p>in it</p></pergola-content></b>');
    // Rendered once, for whatever it holds.
    const other = of('ship.Open', '<p>$& other</p>');
    expect(other).toContain('<b title="1"><pergola-content><p>$& other</p></pergola-content></b>');
    expect(of('ship.Shut')).toMatch(/<template><p>in it<\/p><\/template><pergola-root><b>shut<\/b>/);
  });

  it('is rendered once for all who ask with the same props within a second, with the token of each page', async () => {
    const files = {
      ...islandFiles(
        'plain',
        'let n = 0;\nexport default ({ a }: { a: number }) => <b>{a}:{++n}</b>;',
        'z.object({ a: z.number() })',
      ),
      ...islandFiles(
        'form',
        "import { Token } from 'pergola/islands';\nlet n = 0;\nexport default () => <form><Token />{++n}</form>;",
        'z.object({})',
      ),
    };
    const { assets } = await build([writeAddon('ship', files)], { buildDir });
    const of = (id: string, props: object, token = '') => {
      const html = assets.island(id, props, { on: 'idle' }, reader(), { ...place, csrf: () => token });
      return /<pergola-root>(.*)<\/pergola-root>/.exec(html)?.[1]?.replaceAll('<!-- -->', '');
    };
    expect([of('ship.Plain', { a: 1 }), of('ship.Plain', { a: 1 }), of('ship.Plain', { a: 2 })]).toEqual([
      '<b>1:1</b>',
      '<b>1:1</b>',
      '<b>2:2</b>',
    ]);
    expect(
      [of('ship.Form', {}, 'mine'), of('ship.Form', {}, '$&')].map((html) => html?.replace(/ \w+=""/g, '')),
    ).toEqual([expect.stringMatching(/mine.*1<\/form>/), expect.stringMatching(/\$&.*1<\/form>/)]);
  });

  it('is rendered by the React that is made for production, whatever NODE_ENV says', async () => {
    const which = "import { captureOwnerStack } from 'react';\nexport default () => <i>{typeof captureOwnerStack}</i>;";
    const addon = writeAddon('ship', islandFiles('which', which, 'z.object({})'));
    expect(process.env.NODE_ENV).not.toBe('production');
    const production = await build([addon], { buildDir });
    expect(production.assets.island('ship.Which', {}, load, reader(), place)).toContain('<i>undefined</i>');
    const dev = await build([addon], { buildDir, dev: true });
    expect(dev.assets.island('ship.Which', {}, load, reader(), place)).toContain('<i>function</i>');
  });
});

describe('The texts of an island', () => {
  const french = (addon: string, texts: Readonly<Record<string, readonly [mark: string, text: string]>>) => {
    const entries = Object.entries(texts).map(([id, [mark, text]]) => `#. ${mark}\nmsgid "${id}"\nmsgstr "${text}"\n`);
    const source = `msgid ""\nmsgstr ""\n\n${entries.join('\n')}`;
    const { catalog } = parseCatalog({ addon, lang: 'fr', file: 'i18n/fr.po', source });
    return catalog ? [catalog] : [];
  };
  const texts = ['Put it back', 'Lend', 'Save', 'Close'];
  const island = `import { t } from 'pergola/browser';
export default () => <b>{[${texts.map((text) => `t('${text}')`).join(', ')}].join('|')}</b>;
`;

  it('are on the server what the browser finds for it: the addon’s own, the core’s, another’s for browsers, else the source', async () => {
    const addons = [writeAddon('web', {}), writeAddon('ship', islandFiles('sail', island, 'z.object({})'))];
    const catalogs = createCatalogs([
      ...french('core', { Save: ['browser', 'Enregistrer'] }),
      ...french('web', {
        'Put it back': ['backend', 'Remettre'],
        Lend: ['browser', 'Donner'],
        Save: ['browser', 'Sauver'],
        Close: ['browser', 'Fermer'],
      }),
      ...french('ship', { Lend: ['browser', 'Prêter'] }),
    ]);
    const { assets } = await build(addons, { buildDir, catalogs, languages: ['fr_FR'] });
    const say = (area: 'public' | 'web') => assets.island('ship.Sail', {}, load, reader('fr_FR'), { ...place, area });
    // Browsers read on while the style sheets come.
    expect(assets.head('public', 'fr_FR', '', 'UTC')).toMatch(/^<script type="importmap">/);
    const { texts: address } = JSON.parse(
      /id="pergola-page">(.*?)<\/script>/.exec(assets.head('public', 'fr_FR', '', 'UTC'))?.[1] ?? '{}',
    );
    expect(address).toMatch(/^\/_assets\/core\/texts\.fr_FR\./);
    expect(say('public')).toContain('<b>Put it back|Prêter|Enregistrer|Fermer</b>');
    expect(say('web')).toContain('<b>Remettre|Prêter|Enregistrer|Fermer</b>');
  });

  it('are those of the addon in whose file they stand, in faces of others and in chunks too, without one more to load', async () => {
    const says = (name: string) => `import { t as say, url } from 'pergola/browser';
import { offer } from '@pergola/web/kit';
import { shared } from '../parts/shared.ts';
export default () => <b title={url('/${name}')}>{[say('Lend'), shared(), offer()].join('|')}</b>;
`;
    const web = writeAddon('web', {
      'kit.ts': "import { t } from 'pergola/browser';\nexport const offer = () => t('Lend');\n",
    });
    const ship = writeAddon('ship', {
      ...islandFiles('sail', says('sail'), 'z.object({})'),
      ...islandFiles('row', says('row'), 'z.object({})'),
      'parts/shared.ts': "import { t } from 'pergola/browser';\nexport const shared = () => t('Lend');\n",
    });
    const catalogs = createCatalogs([
      ...french('web', { Lend: ['browser', 'Donner'] }),
      ...french('ship', { Lend: ['browser', 'Prêter'] }),
    ]);
    const ownDir = temporaryFolder();
    const { assets } = await build([web, ship], { buildDir: ownDir, catalogs, languages: ['fr_FR'] });
    for (const id of ['ship.Sail', 'ship.Row'])
      expect(assets.island(id, {}, load, reader('fr_FR'), place)).toContain('>Prêter|Prêter|Donner</b>');
    const built = globSync('production/*/browser/*.js', { cwd: ownDir }).filter((file) => !file.includes('_core'));
    const speakers = built.map((file) => {
      const code = readFileSync(path.join(ownDir, file), 'utf8');
      const addons = Array.from(code.matchAll(/\b\w+\("(web|ship)"\)/g), ([, addon]) => addon);
      return `${path.basename(file).split('.')[0]}: ${addons.join(' ')}`;
    });
    expect(speakers.sort()).toEqual(['chunk: ship', 'kit: web', 'row: ship', 'sail: ship']);
  });

  it('follow a number by the plural forms of the language, on the server and in browsers', async () => {
    const counts = [0, 1, 2, 5, 22, 1005];
    const island = `import { plural } from 'pergola/browser';
export default () => <b>{[${counts.join(', ')}].map((n) => plural('{n} seat', '{n} seats', n)).join('|')}</b>;
`;
    const catalog = (lang: string, rule: string, forms: readonly string[]) => {
      const texts = forms.map((text, form) => `msgstr[${form}] "${text}"`).join('\n');
      const source = `msgid ""\nmsgstr "Plural-Forms: ${rule}\\n"\n\n#. browser\nmsgid "{n} seat"\nmsgid_plural "{n} seats"\n${texts}\n`;
      return parseCatalog({ addon: 'ship', lang, file: `i18n/${lang}.po`, source }).catalog ?? [];
    };
    const polish = 'nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);';
    const catalogs = createCatalogs(
      [
        catalog('fr', 'nplurals=2; plural=(n > 1);', ['{n} place', '{n} places']),
        catalog('pl', polish, ['{n} miejsce', '{n} miejsca', '{n} miejsc']),
      ].flat(),
    );
    const languages = ['en_US', 'fr_FR', 'pl_PL'];
    const addon = writeAddon('ship', islandFiles('seats', island, 'z.object({})'));
    const { assets } = await build([addon], { buildDir, catalogs, languages });
    const server = createServer((req, res) => void assets.serve(req.url ?? '', req, res)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [lang, expected] of [
      ['en_US', ['0 seats', '1 seat', '2 seats', '5 seats', '22 seats', '1,005 seats']],
      ['fr_FR', ['0 place', '1 place', '2 places', '5 places', '22 places', '1\u202f005 places']],
      ['pl_PL', ['0 miejsc', '1 miejsce', '2 miejsca', '5 miejsc', '22 miejsca', '1005 miejsc']],
    ] as const) {
      expect(assets.island('ship.Seats', {}, load, reader(lang), place)).toContain(`<b>${expected.join('|')}</b>`);
      const page = JSON.parse(
        /id="pergola-page">(.*?)<\/script>/.exec(assets.head('public', lang, '', 'UTC'))?.[1] ?? '{}',
      );
      const texts: Record<string, string> = page.texts ? await (await fetch(origin + page.texts)).json() : {};
      const inBrowser = counts.map((n) => texts[pluralKey('{n} seat', n, texts[FORM_MARK])] ?? '');
      if (lang !== 'en_US') expect(inBrowser).toEqual(expected.map((text) => text.replace(/^[\d\s]+/, '{n} ')));
    }
    server.close();
    server.closeAllConnections();
  });
});
