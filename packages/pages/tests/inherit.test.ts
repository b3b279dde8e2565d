import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { addon, build, patchProblems, renderContext } from './support.ts';

const cases = path.join(import.meta.dirname, 'cases');
const read = (...names: string[]): string => readFileSync(path.join(cases, ...names), 'utf8');
/** Spaces that matter to nobody: several are one. */
const folded = (html: string): string => html.replace(/\s+/g, ' ').trim();

describe('changes to templates', () => {
  test.each(readdirSync(cases))('%s', (name) => {
    const files = readdirSync(path.join(cases, name));
    const patches = readdirSync(path.join(cases, name, 'patches'))
      .sort()
      .map((file) => addon(`p${file.slice(0, 1)}`, {}, { 't.page': read(name, 'patches', file) }));
    const own: Record<string, string> = { 't.page': read(name, 'source.hbs') };
    if (files.includes('layout.hbs')) own['t.layout'] = read(name, 'layout.hbs');
    const { templates, problems } = build([addon('t', own), ...patches]);
    expect(problems).toEqual([]);
    const html = templates.render('t.page', JSON.parse(read(name, 'data.json')), renderContext());
    expect(folded(html)).toBe(folded(read(name, 'expected.html')));
  });

  test('what a change does not touch stays as it was, to the letter', () => {
    const source = "<p  a = '1'   >\n\t{{~ x ~}} &nbsp;<br/></p ><b>y</b>";
    const { templates } = build([
      addon('t', { 't.page': source }),
      addon('p', {}, { 't.page': '{{#at "b" "replace"}}{{> @old}}{{/at}}' }),
    ]);
    expect(templates.sourceOf('t.page')?.replace(/\{\{!--.*?--\}\}/g, '')).toBe(source);
  });
});

describe('a change that cannot be made', () => {
  const page =
    '<header data-slot="header"><a id="cart-link" href="/">c</a></header>\n<p class="x">1</p>\n<p class="x">2</p>';

  test('names addon, file, line and the nearest anchors when nothing matches', () => {
    expect(patchProblems(page, '\n\n{{#at "[data-slot=hedaer] #cart" "inside"}}<b>1</b>{{/at}}')).toEqual([
      'p templates/t.page.patch.hbs:3 Nothing in t.page matches "[data-slot=hedaer] #cart". The nearest anchors are [data-slot="header"] (<header>, line 1), #cart-link (<a>, line 1).',
    ]);
  });

  test('says where all the nodes are when several match', () => {
    expect(patchProblems(page, '{{#at ".x" "remove"}}{{/at}}')).toEqual([
      'p templates/t.page.patch.hbs:1 2 nodes of t.page match ".x" (lines 2, 3). Be more exact.',
    ]);
  });

  test.each([
    ['{{#if a}}<b class="n">{{else}}<b class="m">{{/if}}x</b>', '.m', 'has no end tag'],
    [
      '{{#if a}}<a class="n">{{/if}}<b>x</b>{{#if a}}</a>{{/if}}',
      '.n',
      'a block begins or ends across its tags. Select a node inside of it or around it.',
    ],
    ['<ul><li class="n">1<li>2</ul>', '.n', '<li> has no end tag'],
    ['<b class="n">{{#if a}}</b><i>{{/if}}</i>', '.n', 'a block begins or ends across its tags'],
    ['{{#if a}}<b class="n">x{{else}}y</b>{{/if}}', '.n', 'a block begins or ends across its tags'],
    [
      '{{#if a}}{{#if b}}<b class="n">{{/if}}{{#if c}}</b>{{/if}}{{/if}}',
      '.n',
      'a block begins or ends across its tags',
    ],
  ])('in %s the node %s is refused: %s', (source, selector, why) => {
    expect(patchProblems(source, `{{#at "${selector}" "after"}}X{{/at}}`).join('\n')).toContain(why);
  });

  test('leaves the children of such a node open to changes', () => {
    expect(
      patchProblems(
        '{{#if a}}<a class="n">{{/if}}<b>x</b>{{#if a}}</a>{{/if}}',
        '{{#at "b" "replace"}}<s>{{> @old}}</s>{{/at}}',
      ),
    ).toEqual([]);
  });

  test.each([
    [
      '{{#at "li" "attributes"}}<attribute name="class">y</attribute>{{/at}}',
      'its attribute class is inside of a block in the opening tag',
    ],
    [
      '{{#at "li" "attributes"}}<attribute name="onclick">x</attribute>{{/at}}',
      'onclick would be script in an attribute',
    ],
    ['{{#at "li" "attributes"}}<attribute name="id"><b>x</b></attribute>{{/at}}', 'the value of id holds a tag'],
    ['{{#at "li" "attributes"}}<attribute name="id" ad="x"></attribute>{{/at}}', '<attribute> has no option "ad"'],
    ['{{#at "li" "attributes"}}<attribute name="a b">y</attribute>{{/at}}', '"a b" is no name of an attribute'],
    ['{{#at "li" "attributes"}}<b>y</b>{{/at}}', 'not made of <attribute name="…"> only'],
    ['{{#at "li" "attributes"}}<attribute name="href">{{x}}</attribute>{{/at}}', 'begins the address in href'],
    ['{{#at "br" "inside"}}y{{/at}}', '<br> has no inside'],
    ['{{#at "li[" "remove"}}{{/at}}', 'is not understood'],
    ['{{#at "p" "inside"}}<div>no</div>{{/at}}', 'After this change, t.page is no sound markup: <p> has no end tag'],
  ])('%s: %s', (patch, why) => {
    expect(
      patchProblems('<ul id="u"><li {{#if a}}class="x"{{/if}} id="l">t</li></ul><br><p>x</p>', patch).join('\n'),
    ).toContain(why);
  });

  test('does not keep the others from being made', () => {
    const patch = '{{#at "#no" "remove"}}{{/at}}{{#at "p" "inside"}}!{{/at}}';
    const { templates, problems } = build([addon('t', { 't.page': '<p>x</p>' }), addon('p', {}, { 't.page': patch })]);
    expect(problems).toHaveLength(1);
    expect(templates.render('t.page', {}, renderContext())).toBe('<p>x!</p>');
  });
});

describe('a patch file', () => {
  test.each([
    ['<p>x</p>', 'This stands outside of every {{#at}}.'],
    ['{{#if x}}y{{/if}}', 'stands outside of every {{#at}}.'],
    ['{{#at "p"}}y{{/at}}', '{{#at}} takes a selector and a position'],
    ['{{#at sel "inside"}}y{{/at}}', '{{#at}} takes a selector and a position'],
    ['{{#at "p" "insde"}}y{{/at}}', 'There is no position "insde". Did you mean “inside”?'],
    ['{{#at "p" "inside" all=true}}y{{/at}}', 'and nothing else.'],
    ['{{#at "p:contains(x)" "inside"}}y{{/at}}', 'selects by a text that is another one in every language'],
    ['{{#at "[title=x]" "inside"}}y{{/at}}', 'selects by a text that is another one in every language'],
    ['{{#at "p" "inside"}}{{/at}}', '"inside" has nothing to put there.'],
    ['{{#at "p" "remove"}}y{{/at}}', '"remove" takes no content.'],
    ['{{#at "p" "inside"}}{{#at "p" "inside"}}y{{/at}}{{/at}}', '{{#at}} stands inside another one.'],
    ['{{#at "p" "inside"}}y{{else}}z{{/at}}', '{{#at}} has no {{else}}.'],
    ['{{#at "p" "inside"}}y', 'is not closed. Write {{/at}}.'],
    ['{{#at "p" "inside"}}y{{/at}}{{/if}}', '{{/if}} closes nothing.'],
    ['{{#at "p" "inside"}}{{> @old}}{{/at}}', '{{> @old}} means nothing here.'],
    ['{{#at "p" "inside"}}<b>{{/at}}', '<b> has no end tag'],
    ['{{#at "p" "inside"}}{{> t.nope}}{{/at}}', 'There is no template "t.nope".'],
  ])('%s: %s', (patch, why) => {
    expect(patchProblems('<p>x</p>', patch).join('\n')).toContain(why);
  });

  test('for a template that does not exist names the nearest one', () => {
    const { problems } = build([
      addon('t', { 't.page': '<p>x</p>' }),
      addon('p', {}, { 't.paeg': '{{#at "p" "inside"}}y{{/at}}' }),
    ]);
    expect(problems).toEqual([
      {
        addon: 'p',
        file: 'templates/t.paeg.patch.hbs',
        message: 'It changes "t.paeg", and there is no such template.',
        remedy: 'Did you mean “t.page”?',
      },
    ]);
  });

  test('names the line of a fault inside of a change', () => {
    const patch = '{{#at "p" "inside"}}\n  <b>x</b>\n  <a href="{{y}}">z</a>\n{{/at}}';
    expect(patchProblems('<p>x</p>', patch)).toEqual([
      expect.stringContaining('p templates/t.page.patch.hbs:3 {{y}} begins the address'),
    ]);
  });
});

test('the source for developers says who added, changed and took away what', () => {
  const patch =
    '{{#at "b" "after"}}<i>1</i>{{/at}}\n{{#at "p" "attributes"}}<attribute name="id">x</attribute>{{/at}}\n{{#at "s" "remove"}}{{/at}}';
  const { templates } = build([
    addon('t', { 't.page': '<p><b>x</b><s>y</s></p>' }),
    addon('p', {}, { 't.page': patch }),
  ]);
  const file = 'p templates/t.page.patch.hbs';
  expect(templates.sourceOf('t.page')).toBe(
    `{{!-- ${file}:2 attributes --}}<p id="x"><b>x</b>{{!-- ${file}:1 after --}}<i>1</i>{{!-- /p --}}{{!-- ${file}:3 remove: taken from here --}}</p>`,
  );
  expect(templates.sourceOf('t.none')).toBeUndefined();
});

test('slots are the data-slot and id of the final source, those of changes too, and none that is worked out', () => {
  const patch = '{{#at "#a" "after"}}\n<i data-slot="new">1</i>{{/at}}';
  const { templates } = build([
    addon('t', { 't.page': '<p id="a">x</p><b id="b{{n}}" data-slot="c">x</b>' }),
    addon('p', {}, { 't.page': patch }),
  ]);
  expect(templates.slots()).toEqual([
    {
      template: 't.page',
      addon: 't',
      file: 'templates/t.page.hbs',
      anchors: [
        { selector: '#a', kind: 'id', name: 'a', element: 'p', line: 1 },
        { selector: '[data-slot="new"]', kind: 'slot', name: 'new', element: 'i', line: 1 },
        { selector: '[data-slot="c"]', kind: 'slot', name: 'c', element: 'b', line: 1 },
      ],
    },
  ]);
});
