import fc from 'fast-check';
import Handlebars from 'handlebars';
import { checkHandlebars } from '../check/handlebars.ts';
import { helperRules } from '../helpers/index.ts';
import { parseSource } from '../source/source.ts';
import { textsOfPatch, textsOfTemplate } from '../translate/texts.ts';
import { type SourceTranslator, translatable, translateSource } from '../translate/translate.ts';

const rules = helperRules();
const texts = (source: string): string[] => textsOfTemplate(source).map(({ id }) => id);

function translate(source: string, translator: Partial<SourceTranslator> | Readonly<Record<string, string>>) {
  const { calls } = checkHandlebars(source, rules, true);
  const known = new Map(Object.entries(translator).filter(([, text]) => typeof text === 'string'));
  const own: SourceTranslator = { text: (id) => known.get(id), forms: () => undefined };
  return translateSource(translatable(parseSource(source), calls), { ...own, ...translator } as SourceTranslator);
}
/** Every letter of a message in capitals, its values and tags as they are. */
const loud = (message: string): string =>
  message.replace(/<[^>]*>|\{[^}]*\}|&#?\w+;|./gsu, (part) =>
    part.length > 1 && /^[<{&]/.test(part) ? part : part.toUpperCase(),
  );

describe('the texts of a template', () => {
  test.each<[string, string, string[]]>([
    ['a block element is one text', '<p>Hello  {{user.name}},\n  welcome</p>', ['Hello {name}, welcome']],
    ['entities are read', '<p>Terms &amp; conditions &copy;&nbsp;us</p>', ['Terms & conditions ©\u00a0us']],
    [
      'signs that mean something to translators are kept apart',
      '<p>a &lt; b &#123;c&#125;</p>',
      ['a &lt; b &#123;c&#125;'],
    ],
    [
      'markup around words is a tag',
      '<p>Please <a href="/x">sign <b>in</b></a> or <a href="/y">join</a></p>',
      ['Please <a>sign <b>in</b></a> or <a2>join</a2>'],
    ],
    ['markup around a value belongs to the value', '<p>By <b>{{author}}</b></p>', ['By {author}']],
    [
      'conditions are tags',
      '<p>By {{a}}{{#if d}} on {{d}}{{else}} today{{/if}}</p>',
      ['By {a}<if> on {d}</if><else> today</else>'],
    ],
    [
      'a chain of conditions is a row of tags',
      '<p>x {{#if a}}one{{else if b}}two{{/if}}</p>',
      ['x <if>one</if><else>two</else>'],
    ],
    ['a condition alone is no part of a sentence', '<p>{{#if a}}Yes{{else}}No{{/if}}</p>', ['Yes', 'No']],
    [
      'links side by side are texts of their own',
      '<nav><a href="/">Home</a> · <a href="/s"><span>Shop</span></a></nav>',
      ['Home', 'Shop'],
    ],
    ['decoration at the ends is left out', '<button><i class="icon"></i> Save <i class="more"></i></button>', ['Save']],
    ['values at the ends are kept', '<p>{{n}} of {{total}}</p>', ['{n} of {total}']],
    [
      'the same value has one name, another one with the same word its own',
      '<p>{{a.name}} and {{a.name}} or {{b.name}}</p>',
      ['{name} and {name} or {name2}'],
    ],
    [
      'helpers are named after what they print',
      '<p>x {{field row "title"}} {{money order.total cur}} {{> t.card}} {{date day}} {{@index}}</p>',
      ['x {title} {total} {card} {day} {index}'],
    ],
    ['blocks in blocks end a text', '<div>One <p>two</p> three</div>', ['One', 'two', 'three']],
    ['labels and their inputs', '<label><input type="checkbox"> Remember me</label>', ['Remember me']],
    ['text without letters is none', '<p>— 42 %</p><p>{{x}}</p>', []],
    [
      'attributes for people',
      '<img src="/a" alt="A cat"><input placeholder="Your {{kind}}" aria-label="Name"><a title="Go">x</a>',
      ['A cat', 'Your {kind}', 'Name', 'Go', 'x'],
    ],
    [
      'attributes for machines are left alone',
      '<a href="/about" class="big" data-title="Title">x</a><input type="text" value="Value">',
      ['x'],
    ],
    [
      'values of buttons and the description of the page',
      '<input type="submit" value="Send"><meta name="description" content="About us"><meta name="robots" content="none">',
      ['Send', 'About us'],
    ],
    ['the page’s title', '<title>{{title}} | My site</title>', ['{title} | My site']],
    [
      'translate="no" is kept, with all in it',
      '<p translate="no">Brand <b title="x">y</b></p><p>Run <code translate="no">npm start</code> now</p>',
      ['Run {code} now'],
    ],
    [
      'scripts, styles and preformatted text are no texts',
      '<script type="application/json">{"a":"b"}</script><pre>code</pre><svg><title>x</title></svg><textarea placeholder="Write">y</textarea>',
      ['Write'],
    ],
    ['comments are none', '<p>a {{! note }}b<!-- c --></p>', ['a b']],
    [
      'texts of helpers',
      '{{t "My page"}}{{#> t.l title=(t "Shop")}}{{/t.l}}{{plural n "{n} vote" "{n} votes"}}',
      ['My page', 'Shop', '{n} vote'],
    ],
    [
      'options of partials that people read',
      '{{#> t.l title="My shop" class="big"}}{{/t.l}}{{> t.card label="Newest" n=2 title="1"}}{{island "t.I" (object text="Hi" id="x")}}',
      ['My shop', 'Newest', 'Hi'],
    ],
    [
      'the body of a layout',
      '{{#> t.l}}Body <b>text</b>{{#*inline "head"}}Head{{/inline}}{{/t.l}}',
      ['Body <b>text</b>', 'Head'],
    ],
    [
      'where a block crosses an element, pieces are texts',
      '{{#if a}}<a href="/x">{{/if}}go{{#if a}}</a>{{/if}} now',
      ['go', 'now'],
    ],
  ])('%s', (_, source, expected) => {
    expect(texts(source)).toEqual(expected);
  });

  test('come with their line and with what their values stand for', () => {
    expect(textsOfTemplate('<p>a</p>\n<p>\n  by {{author.name}}\n</p>')).toMatchObject([
      { id: 'a', line: 1 },
      { id: 'by {name}', line: 3, notes: ['{name} = {{author.name}}'] },
    ]);
  });

  test('of a change are those it brings, with the attributes people read', () => {
    const patch =
      '{{#at "p" "after"}}\n<p>More</p>\n{{/at}}\n{{#at "b" "attributes"}}\n<attribute name="title">Read {{x}}</attribute><attribute name="class">btn</attribute>\n{{/at}}';
    expect(textsOfPatch(patch).map(({ id, line }) => `${id} ${line}`)).toEqual(['More 2', 'Read {x} 5']);
  });
});

describe('a translated template', () => {
  test.each<[string, string, Record<string, string>, string]>([
    [
      'keeps its values and tags, moved',
      '<p>Hi {{a.name}}, <a href="/x?{{q}}">go</a>!</p>',
      { 'Hi {name}, <a>go</a>!': '<a>Va</a>, {name} !' },
      '<p><a href="/x?{{q}}">Va</a>, {{a.name}} !</p>',
    ],
    [
      'keeps the space around its texts',
      '<p>\n  Hi <b>x</b> </p>',
      { 'Hi <b>x</b>': 'Salut <b>y</b>' },
      '<p>\n  Salut <b>y</b> </p>',
    ],
    [
      'keeps conditions with what is in them',
      '<p>By {{a}}{{#if d}} on {{d}}{{else}} today{{/if}}</p>',
      { 'By {a}<if> on {d}</if><else> today</else>': '<if>Le {d}</if> <else>Ce jour</else>, par {a}' },
      '<p>{{#if d}}Le {{d}}{{else}}Ce jour{{/if}}, par {{a}}</p>',
    ],
    [
      'has attributes of its own',
      '<a href="/x" title="Go {{a}}">x</a>',
      { 'Go {a}': 'Allez "{a}" l\'été' },
      '<a href="/x" title="Allez &quot;{{a}}&quot; l&#39;été">x</a>',
    ],
    [
      'has attributes inside of sentences',
      '<p>See <img src="/a" alt="cat"> now</p>',
      { cat: 'chat', 'See {img} now': 'Voir {img}' },
      '<p>Voir <img src="/a" alt="chat"></p>',
    ],
    [
      'has texts of helpers inside of attributes and sentences',
      '<p>See <i title="A {{t "b"}}">c</i> now</p>',
      { b: 'bé', 'A {b}': '{b} A', 'See <i>c</i> now': '<i>C</i> vu' },
      '<p><i title="{{t "bé"}} A">C</i> vu</p>',
    ],
    ['has texts of helpers with quotes', '{{t "a \'b\'"}}', { "a 'b'": 'a "b"' }, '{{t "a \\"b\\""}}'],
    ['has texts of the same helper more than once', '{{t "a"}}{{t "a"}}', { a: 'b' }, '{{t "b"}}{{t "b"}}'],
    [
      'has its decoration where it was',
      '<button><i class="x"></i> Save</button>',
      { Save: 'Enregistrer' },
      '<button><i class="x"></i> Enregistrer</button>',
    ],
    ['is the source where nothing is translated', '<p>Hi</p>', {}, '<p>Hi</p>'],
    ['is the source where the translation is empty', '<p>Hi</p>', { Hi: ' ' }, '<p>Hi</p>'],
  ])('%s', (_, source, known, expected) => {
    expect(translate(source, known)).toEqual({ source: expected, faults: [] });
  });

  test('counts as its language does', () => {
    const { source } = translate('{{plural n "{n} a" "{n} b" x=y}}', {
      text: () => undefined,
      forms: () => ['{n} un', '{n} deux'],
    });
    expect(source).toBe('{{plural n "{n} un" "{n} deux" translated=true x=y}}');
    expect(checkHandlebars(source, rules).faults).toEqual([]);
  });

  test.each([
    ['{{evil}}', undefined],
    ['{{#if x}}', '&#123;&#123;#if x&#125;&#125;'],
    ['{{"x"}} {{> t.secret}}', '&#123;&#123;"x"&#125;&#125; &#123;&#123;&gt; t.secret&#125;&#125;'],
    ['<script>alert(1)</script>', undefined],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['a & b', 'a &amp; b'],
    ['&lt;b&gt;', '&lt;b&amp;gt;'],
    ['back\\', 'back&#92;'],
    ['{name}', undefined],
    ['<a>x</a>', undefined],
  ])('cannot be broken by the translation %s', (translation, expected) => {
    const { source, faults } = translate('<p>Hi</p>', { Hi: translation });
    expect(source).toBe(`<p>${expected ?? 'Hi'}</p>`);
    expect(faults).toHaveLength(expected === undefined ? 1 : 0);
  });

  test('keeps its own text where a translation drops or doubles a value', () => {
    const source = '<p>Hi {{name}}</p>';
    expect(translate(source, { 'Hi {name}': 'Salut' })).toEqual({
      source,
      faults: [{ message: 'Hi {name}', fault: '{name} is missing' }],
    });
    expect(translate(source, { 'Hi {name}': '{name} {name}' }).faults).toHaveLength(1);
  });

  test('never takes what only some may see out of its condition', () => {
    const source = '<p>Hi {{#group "base.a"}}secret {{x}}{{/group}} there</p>';
    expect(texts(source)).toEqual(['Hi <group>secret {x}</group> there']);
    expect(translate(source, { 'Hi <group>secret {x}</group> there': '{x} <group>secret</group>' }).source).toBe(
      source,
    );
  });
});

describe('whatever a template looks like', () => {
  const piece = fc.constantFrom(
    'word ',
    'é &amp; ',
    '{{a}} ',
    '{{b.c}}',
    '<br>',
    '<i class="x"></i>',
    '<img src="/x" alt="pic {{a}}">',
    '{{! c }}',
    '&lt;',
    '{{t "text {n}" n=a}}',
  );
  const { nodes } = fc.letrec<{ nodes: string; node: string }>((tie) => ({
    nodes: fc.array(tie('node'), { minLength: 1, maxLength: 4, depthIdentifier: 'u' }).map((all) => all.join('')),
    node: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'u' },
      piece,
      tie('nodes').map((kids) => `<em class="x" title="to {{a}}">${kids}</em>`),
      tie('nodes').map((kids) => `<b>${kids}</b>`),
      tie('nodes').map((kids) =>
        `<p>${kids}</p>`
          .replace(/<p>(.*<p>)/, '<div>$1')
          .replaceAll('<p>', '<div>')
          .replaceAll('</p>', '</div>'),
      ),
      fc.tuple(tie('nodes'), tie('nodes')).map(([yes, no]) => `{{#if a}}${yes}{{else}}${no}{{/if}}`),
      tie('nodes').map((kids) => `{{#each list}}${kids}{{/each}}`),
      tie('nodes').map((kids) => `{{#if a}}<u>{{/if}}${kids}{{#if a}}</u>{{/if}}`),
    ),
  }));
  const handlebars = Handlebars.create();
  handlebars.registerHelper('t', (text: string, options: Handlebars.HelperOptions) =>
    text.replace('{n}', options.hash.n),
  );
  const page = (source: string): string[] =>
    [
      { a: 'x', b: { c: 'y' }, list: [1, 2] },
      { a: '', b: {}, list: [] },
    ].map((values) => handlebars.compile(source)(values));
  const folded = (html: string): string => html.replace(/\s+/g, '').replaceAll('&#123;', '{').toUpperCase();

  test('saying everything louder changes nothing else', () => {
    const property = fc.property(nodes, (source) => {
      const { source: translated, faults } = translate(source, { text: loud });
      expect(faults).toEqual([]);
      expect(page(translated).map(folded)).toEqual(page(source).map(folded));
    });
    fc.assert(property, { numRuns: Number(process.env.FUZZ_RUNS ?? 60), seed: 28 });
  });
});
