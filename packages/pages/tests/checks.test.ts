import { checkEdited, vocabularyOf } from '../check/edited.ts';
import { checkTemplateUses } from '../check/template-uses.ts';
import { helperRules } from '../helpers/index.ts';
import { withoutIndentation } from '../source/whitespace.ts';
import { addon, build, line, problemsOf, renderSource } from './support.ts';

describe('a template is refused', () => {
  test.each([
    ['<p>x', '<p> has no end tag. Write </p>'],
    ['<ul><li>1<li>2</li></ul>', '<li> has no end tag.'],
    ['<p>x<div>y</div></p>', '<p> has no end tag.'],
    ['<div>x</div></div>', '</div> closes nothing.'],
    ['<div/>', '<div/> opens an element without closing it'],
    ['<div {{#if a}}class="x">{{else}}>{{/if}}</div>', 'The opening tag of <div> is split over a block.'],
    ['<div onclick="x()">y</div>', 'onclick="…" is script in an attribute'],
    ['<input value={{x}}>', 'The value of value has no quotes.'],
    ['<input {{x}}>', '{{x}} stands where attributes are written.'],
    ['<script>go()</script>', "A script in the page is blocked by the site's content policy."],
    ['<script type="application/json">{"a": {{a}} }</script>', '{{a}} stands inside <script>'],
    ['<style>p { color: {{c}} }</style>', '{{c}} stands inside <style>'],
    ['{{{x}}}', '{{{x}}} prints HTML as it is.'],
    ['{{&x}}', '{{&x}} prints HTML as it is.'],
    ['{{* x}}', '{{* x}} is a decorator.'],
    ['{{{{raw}}}}x{{{{/raw}}}}', 'is a raw block.'],
    ['<a title="{{field row "name"}}">x</a>', '{{field}} makes markup, which cannot stand in an attribute.'],
    ['<a title="{{date d}}">x</a>', 'Write {{date … plain=true}}.'],
    ['<form method="post" action="/x"><button>Go</button></form>', 'The form has no {{csrf}}'],
    ['{{#if x}}y', '{{#if x}} is not closed.'],
    ['{{#if x}}y{{/each}}', "if doesn't match each"],
    ['{{foo bar}}', 'There is no helper "foo".'],
    ['{{monye a b}}', 'There is no helper "monye". Did you mean “money”?'],
    ['{{#items}}x{{/items}}', 'There is no helper "items". Write {{#if …}}, {{#each …}} or {{#with …}}.'],
    ['{{icon "calender"}}', 'There is no Bootstrap icon "calender". Did you mean “calendar”?'],
    ['{{log x}}', 'There is no helper "log".'],
    ['{{money a}}', '{{money}} takes 2 value(s) and is given 1.'],
    ['<p>{{url}}</p>', '{{url}} takes 1 value(s) and is given 0. To print a value of that name, write {{this.url}}.'],
    ['{{#money a b}}x{{/money}}', '{{#money}} is not a block.'],
    ['{{if x}}', '{{if}} is a block.'],
    ['{{number n digit=2}}', '{{number}} has no option "digit". Did you mean “digits”?'],
    ['{{#group name}}x{{/group}}', '{{group}} names its group by a value.'],
    ['{{island name}}', '{{island}} names its island by a value.'],
    ['{{t "At most {most}" mots=3}}', '{{t}} has no value for “{most}” of its text. Did you mean “mots”?'],
    ['{{t "At most {most}"}}', '{{t}} has no value for “{most}” of its text. Write {{t … most=…}}.'],
    ['{{plural n "{n} seat of {event}" "{n} seats"}}', '{{plural}} has no value for “{event}” of its text.'],
    ['{{plural n one other}}', '{{plural}} takes its texts written out.'],
    ['{{object}}', '{{object}} makes values to be handed on'],
    [
      '{{> t.page object=a lang=b}}',
      '{{> t.page}} is given "object", which is the name of a helper: {{object}} in it would call that and not print the value. Give the value another name.',
    ],
    ['{{> t.page title="x" lang=b}}', 'is given "lang", which is the name of a helper'],
    ['{{> t.other}}', 'There is no template "t.other".'],
    ['{{> t.paeg}}', 'There is no template "t.paeg". Did you mean “t.page”?'],
    ['{{> card}}', 'There is no part "card" in this template.'],
    ['{{#> t.layout}}x{{/t.layout}}', 'There is no template "t.layout".'],
    ['{{> (lookup . "name")}}', 'The name of a partial is worked out from data.'],
    ['{{> @old}}', '{{> @old}} means nothing here.'],
    ['{{#*inline "a.b"}}x{{/inline}}', 'The part "a.b" is named like a template.'],
    ['{{#*foo "a"}}x{{/foo}}', '{{#*foo}} is not known.'],
  ])('%s: %s', (source, why) => {
    expect(problemsOf(source).join('\n')).toContain(why);
  });

  test('with file and line', () => {
    expect(problemsOf('<p>\n  {{foo\n bar}}\n</p>\n<b>')).toEqual([
      't templates/t.page.hbs:2 There is no helper "foo".',
      't templates/t.page.hbs:5 <b> has no end tag. Write </b>; nothing is closed by itself in templates.',
    ]);
  });
});

test('a missing block or fragment is reported with the nearest name', () => {
  const known = {
    block: new Map([['t.next', {}]]),
    fragment: new Map(),
    group: new Map([['t.user', {}]]),
    propsOf: () => undefined,
    hasStylesheet: () => false,
  } as unknown as Parameters<typeof checkTemplateUses>[1];
  const where = { addon: 't', file: 'templates/t.page.hbs', line: 3 };
  const uses = [
    { ...where, kind: 'block', id: 't.nxt' },
    { ...where, kind: 'fragment', id: 't.any' },
  ] as unknown as Parameters<typeof checkTemplateUses>[0];
  expect(checkTemplateUses(uses, known)).toEqual([
    { ...where, message: 'there is no block "t.nxt".', remedy: expect.stringContaining('t.next') },
    { ...where, message: 'there is no fragment "t.any".', remedy: undefined },
  ]);
});

test('an edited mail may hold nothing that needs a browser', () => {
  const rules = helperRules();
  const known = vocabularyOf(['<p>{{name}}</p>'], rules);
  expect(checkEdited('<p>Hello {{name}}</p>', known, rules)).toEqual([]);
  expect(checkEdited('<p>Hello</p>\n<button>Go</button>', known, rules)).toMatchObject([
    { kind: 'broken', line: 2, detail: '<button> has no place in a mail.' },
  ]);
});

test('indentation of a source is left out, but for elements that keep their spaces', () => {
  const source = '<div>\n  <pre>\n  a\n</pre>\n  <p>b</p>\n  <textarea>\n  c</textarea>\n</div>';
  expect(withoutIndentation(source)).toBe('<div>\n<pre>\n  a\n</pre>\n<p>b</p>\n<textarea>\n  c</textarea>\n</div>');
});

describe('an address', () => {
  test.each([
    '<a href="javascript:alert(1)">y</a>',
    '<a href=" java&#10;script&colon;alert({{x}})">y</a>',
    '<a href="{{#if a}}/x{{else}}JavaScript:y{{/if}}">y</a>',
    '<form action="data:text/html,x"></form>',
    '{{#at "a" "attributes"}}<attribute name="href">javascript:alert(1)</attribute>{{/at}}',
  ])('may not be script: %s', (source) => {
    expect(problemsOf(source).join('\n')).toContain('is script');
  });

  test('may be a picture, a path with a colon or a telephone number', () => {
    const source = '<img src="data:image/png;base64,x" alt=""><a href="/javascript:x">a</a><a href="tel:{{x}}">b</a>';
    expect(problemsOf(source)).toEqual([]);
  });

  test.each([
    '<a href="{{x}}">y</a>',
    '<a href=" {{x}}">y</a>',
    '<a href="{{#if a}}{{x}}{{/if}}">y</a>',
    '<a href="{{#if a}}/x{{else}}{{y}}{{/if}}">y</a>',
    '<a href="{{#if a}}/x{{/if}}{{y}}">y</a>',
    '<a href="{{> t.page}}">y</a>',
    '<img src="{{x}}" alt="">',
    '<form action="{{x}}"></form>',
    '<button formaction="{{concat x y}}">z</button>',
    '<object data="{{x}}"></object>',
  ])('may not begin with a bare value: %s', (source) => {
    expect(problemsOf(source).join('\n')).toContain('begins the address in');
  });

  test.each([
    '<a href="/x/{{x}}">y</a>',
    '<a href="{{href x}}">y</a>',
    '<a href="{{url x page=2}}&amp;a={{b}}">y</a>',
    '<a href="#{{x}}">y</a>',
    '<a href="{{#if a}}/x{{else}}/y{{/if}}{{z}}">y</a>',
    '<img src="{{src x}}" alt="{{x}}">',
    '<a data-href="{{x}}" href="mailto:{{x}}">y</a>',
    '<form method="post" action="/x">{{csrf}}</form>',
    '<form method="post" action="/x">{{> t.page}}</form>',
  ])('is fine as %s', (source) => {
    expect(problemsOf(source)).toEqual([]);
  });
});

test('a value called like a helper is printed by its full name', () => {
  expect(renderSource('{{this.url}} {{./date}} {{#if url}}yes{{/if}}', { url: 'u', date: 'd' })).toBe('u d yes');
});

describe('an addon', () => {
  test('names its templates after itself', () => {
    const { problems } = build([addon('forum', { index: '', 'web.index': '', 'forum.a b': '', 'forum.ok': '' })]);
    expect(problems.map(({ file }) => file)).toEqual([
      'templates/index.hbs',
      'templates/web.index.hbs',
      'templates/forum.a b.hbs',
    ]);
    expect(problems[0]?.remedy).toBe('Call the file forum.something.hbs, in letters, digits, - and _.');
  });

  test('cannot have a template that another one has already', () => {
    const twice = {
      ...addon('a', { 'a.x': '' }),
      templates: [...addon('a', { 'a.x': '' }).templates, ...addon('a', { 'a.x': '' }).templates],
    };
    expect(build([twice]).problems.map(line)).toEqual([
      'a templates/a.x.hbs:undefined There is a template "a.x" already, in a templates/a.x.hbs. Give one of them another name, or change it by a patch.',
    ]);
  });

  test('is told every problem of every file at once', () => {
    const { problems } = build([
      addon('a', { 'a.x': '<p>', 'a.y': '{{foo bar}}' }),
      addon('b', { 'b.z': '{{{x}}}' }, { 'a.x': '{{#at "#no" "remove"}}{{/at}}', 'a.none': '' }),
    ]);
    expect(problems.map(({ addon, file }) => `${addon} ${file}`)).toEqual([
      'a templates/a.x.hbs',
      'a templates/a.y.hbs',
      'b templates/b.z.hbs',
      'b templates/a.none.patch.hbs',
      'b templates/a.x.patch.hbs',
    ]);
  });
});

test('what templates name is handed on, so that others can check that it is there', () => {
  const source = '{{#group "base.a, base.b"}}x{{/group}}\n{{island "t.I" x}}{{fragment "t.f"}}{{block "t.b"}}';
  const { templates } = build([addon('t', { 't.page': source })]);
  expect(templates.uses.map(({ kind, id, template, line }) => `${kind} ${id} ${template}:${line}`)).toEqual([
    'group base.a t.page:1',
    'group base.b t.page:1',
    'island t.I t.page:2',
    'fragment t.f t.page:2',
    'block t.b t.page:2',
  ]);
});

test('parts that a template defines and calls are no problem', () => {
  expect(
    renderSource(
      '{{#*inline "row"}}<b>{{this}}</b>{{/inline}}{{#each rows}}{{> row}}{{/each}}{{#> other}}none{{/other}}',
      { rows: [1, 2] },
    ),
  ).toBe('<b>1</b><b>2</b>none');
});
