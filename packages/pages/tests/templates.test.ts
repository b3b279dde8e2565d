import type { Problem } from '../../../core/base/errors.ts';
import { inSlices } from '../../../core/base/time-slices.ts';
import { createCatalogs } from '../../texts/catalog.ts';
import { parseCatalog } from '../../texts/po.ts';
import { coreHelpers } from '../helpers/index.ts';
import { TemplateError, templateSteps } from '../templates.ts';
import { addon, build, renderContext } from './support.ts';

const web = addon('web', {
  'web.layout':
    '<html><head><title>{{title}}</title>{{#> head}}{{/head}}</head><body data-slot="body"><h1>Welcome</h1>{{> @partial-block}}</body></html>',
});
const forum = addon(
  'forum',
  {
    'forum.index':
      '{{#> web.layout title=(t "All forums")}}{{#*inline "head"}}<link rel="x" href="/x">{{/inline}}<p>{{plural n "{n} answer" "{n} answers"}}</p>{{/web.layout}}',
  },
  { 'web.layout': '{{#at "h1" "after"}}<a href="/forum">Ask a question</a>{{/at}}' },
);

function catalog(name: string, body: string) {
  const source = `msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n${body}`;
  return parseCatalog({ addon: name, lang: 'fr', file: 'i18n/fr.po', source }).catalog ?? [];
}
const catalogs = createCatalogs(
  [
    catalog('web', 'msgid "Welcome"\nmsgstr "Bienvenue"\n\nmsgid "Ask a question"\nmsgstr "Faux"\n'),
    catalog(
      'forum',
      'msgid "All forums"\nmsgstr "Tous les forums"\n\nmsgid "Ask a question"\nmsgstr "Poser une question"\n\nmsgid "{n} answer"\nmsgid_plural "{n} answers"\nmsgstr[0] "{n} réponse"\nmsgstr[1] "{n} réponses"\n',
    ),
  ].flat(),
);
const translations = {
  languages: ['en_US', 'fr_FR'],
  translate: catalogs.lookup,
  forms: catalogs.forms,
  pluralIndex: catalogs.pluralIndex,
  place: catalogs.place,
};

test('attributes beside blocks that have lines of their own stay apart', () => {
  const source =
    '<input\n  name="n"\n  {{#if c}}\n    checked\n  {{else}}\n    class="off"\n  {{/if}}\n  {{#each l}}\n    data-{{this}}\n  {{/each}}\n  id="i"\n>';
  const { templates, problems } = build([addon('web', { 'web.apart': source })]);
  expect(problems).toEqual([]);
  const html = (values: object): string =>
    templates.render('web.apart', { ...values }, renderContext({})).replace(/\s+/g, ' ');
  expect(html({ c: true, l: ['a', 'b'] })).toBe('<input name="n" checked data-a data-b id="i">');
  expect(html({ l: [] })).toBe('<input name="n" class="off" id="i">');
});

describe('pages in several languages', () => {
  const warnings: Problem[] = [];
  const { templates, problems } = build([web, forum], { ...translations, warn: (problem) => warnings.push(problem) });
  const page = (lang: string, n: number): string =>
    templates.render(
      'forum.index',
      { n },
      renderContext({ lang, url: (path) => (lang === 'fr_FR' ? `/fr${path}` : path) }),
    );

  test('are put together from layout, parts and changes', () => {
    expect(problems).toEqual([]);
    expect(page('en_US', 0)).toBe(
      '<html><head><title>All forums</title><link rel="x" href="/x"></head><body data-slot="body"><h1>Welcome</h1><a href="/forum">Ask a question</a><p>0 answers</p></body></html>',
    );
  });

  test('are translated by the catalogue of whoever wrote each text, and count as the language does', () => {
    expect(page('fr_FR', 0)).toBe(
      '<html><head><title>Tous les forums</title><link rel="x" href="/x"></head><body data-slot="body"><h1>Bienvenue</h1><a href="/fr/forum">Poser une question</a><p>0 réponse</p></body></html>',
    );
    expect(warnings).toEqual([]);
  });

  test('are shown in the nearest language there is', () => {
    expect(page('fr_CA', 2)).toContain('2 réponses');
    expect(page('de_DE', 2)).toContain('2 answers');
  });

  test('a translation that does not fit is a warning with its place, and the source text is shown', () => {
    const own = addon('t', { 't.page': '<p>Hi {{name}}</p>' });
    const warnings: Problem[] = [];
    const result = build([own], {
      languages: ['en_US', 'fr_FR'],
      translate: (lang) => (lang === 'fr_FR' ? 'Salut' : undefined),
      place: () => ({ file: 'i18n/fr.po', line: 12 }),
      warn: (problem) => warnings.push(problem),
    });
    expect(result.problems).toEqual([]);
    expect(result.templates.render('t.page', { name: 'A' }, renderContext({ lang: 'fr_FR' }))).toBe('<p>Hi A</p>');
    expect(warnings).toEqual([
      {
        addon: 't',
        file: 'i18n/fr.po',
        line: 12,
        message: 'The translation of "Hi {name}" into fr_FR does not fit: {name} is missing.',
        remedy: 'The source text is shown until it does.',
      },
    ]);
  });
});

describe('a set of templates', () => {
  const { templates } = build([
    addon('t', { 't.page': '<p>{{name}}{{> t.part}}</p>', 't.part': '{{name}}', 't.bad': '{{field x "y"}}' }),
  ]);

  test('knows what it has', () => {
    expect(templates.ids).toEqual(['t.page', 't.part', 't.bad']);
    expect([templates.has('t.page'), templates.has('t.none'), templates.has('constructor')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('escapes every value', () => {
    const name = `<script>alert("1")</script>{{x}}'`;
    expect(templates.render('t.page', { name }, renderContext())).not.toMatch(/<script|"1"/);
  });

  test('does not read what a value only inherits', () => {
    const own = build([
      addon('u', {
        'u.page':
          '{{a.constructor.name}}|{{a.__proto__.x}}|{{a.secret}}|{{lookup a "toString"}}|{{constructor.constructor}}',
      }),
    ]);
    class Thing {
      get secret(): string {
        return 'secret';
      }
    }
    expect(own.templates.render('u.page', { a: new Thing() }, renderContext())).toBe('||||');
  });

  test.each(['t.none', '', '../t.page', 'constructor', '__proto__', 't.page\0'])(
    'refuses the name "%s" with a clear error',
    (id) => {
      expect(() => templates.render(id, {}, renderContext())).toThrow(TemplateError);
    },
  );

  const noNames: readonly unknown[] = [
    7,
    null,
    undefined,
    ['t.page'],
    { type: 'Program', body: [] },
    { toString: () => 't.page' },
  ];
  test.each(noNames.map((id) => ({ id })))('refuses $id as a name', ({ id }) => {
    expect(() => templates.render(id as string, {}, renderContext())).toThrow('A template is named by a text.');
    expect(templates.has(id as string)).toBe(false);
  });

  test('data is never compiled, whatever it looks like', () => {
    const ast = { type: 'Program', body: [{ type: 'MustacheStatement' }] };
    const html = templates.render('t.page', { name: '{{7}}{{#with this}}{{/with}}' }, renderContext());
    expect(html).toContain('{{7}}');
    expect(() =>
      templates.render('t.page', { name: ast, 't.part': ast, '@partial-block': ast }, renderContext()),
    ).not.toThrow();
  });

  test('arguments of a layout are for the layout: its block and parts see the values around them', () => {
    const own = build([
      addon('l', {
        'l.layout':
          '{{#> head}}none{{/head}}|{{title}}|{{#if title}}{{> @partial-block}}{{/if}}|{{#each rows}}{{> @partial-block}};{{/each}}|{{> @partial-block title="Its"}}',
        'l.page':
          '{{#> l.layout title="Layout"}}{{title}}{{#each rows}} {{../title}}-{{title}}{{/each}}{{#*inline "head"}}{{title}}{{/inline}}{{/l.layout}}',
        'l.frame': '{{#> l.layout}}({{> @partial-block}}){{/l.layout}}',
        'l.framed': '{{#> l.frame title="Frame"}}{{title}}{{/l.frame}}',
      }),
    ]).templates;
    const values = { title: 'Page', rows: [{ title: 'A' }] };
    expect(own.render('l.page', values, renderContext())).toBe('Page|Layout|Page Page-A|A;|Its');
    expect(own.render('l.framed', { title: 'Page' }, renderContext())).toBe('none|Frame|(Page)||(Its)');
  });

  test('a template that fails says which one and where, and keeps the cause', () => {
    const failing = () => templates.render('t.bad', {}, renderContext());
    expect(failing).toThrow('The template "t.bad" failed: t.bad:1 {{field}}: its row is empty');
    expect(failing).toThrow(expect.objectContaining({ status: 500, cause: expect.any(Error) }));
  });

  test('an error of a hook comes out as it was thrown', () => {
    const own = build([addon('u', { 'u.page': '{{fragment "a.b"}}' })]).templates;
    const fault = new TemplateError('mine');
    const context = renderContext({
      fragment: () => {
        throw fault;
      },
    });
    expect(() => own.render('u.page', {}, context)).toThrow(fault);
  });
});

test('two sets with different addons live side by side', () => {
  const one = build([web, addon('a', { 'a.x': '{{> a.y}}', 'a.y': 'one' })]).templates;
  const two = build([web, addon('a', { 'a.x': '{{> a.y}}', 'a.y': 'two' })]).templates;
  expect([one, two, one].map((set) => set.render('a.x', {}, renderContext()))).toEqual(['one', 'two', 'one']);
});

test('one request renders while another one is rendered', () => {
  const { templates } = build([
    addon('t', {
      't.page': '{{fragment "t.inner"}}{{#group "a"}}in{{/group}}',
      't.inner': '{{#group "a"}}never{{/group}}x',
    }),
  ]);
  const inner = renderContext();
  const outer = renderContext({ groups: new Set(['a']), fragment: () => templates.render('t.inner', {}, inner) });
  expect(templates.render('t.page', {}, outer)).toBe('xin');
});

test('building in slices lets others in and ends with the same', async () => {
  const many = addon(
    't',
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`t.page${n}`, `<p>${'text '.repeat(200)}{{a}}</p>`])),
  );
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses++;
  };
  const input = { addons: [many], helpers: coreHelpers, languages: ['en_US'], translate: () => undefined };
  const { templates, problems } = await inSlices(templateSteps(input), pause);
  expect(problems).toEqual([]);
  expect(templates.ids).toHaveLength(60);
  expect(pauses).toBeGreaterThan(60);
});
