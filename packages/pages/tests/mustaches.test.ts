import { maskMustaches, SourceError } from '../source/mustaches.ts';

/** The kinds and places of a source's mustaches. */
const found = (source: string): string[] =>
  maskMustaches(source).mustaches.map(
    ({ start, end, kind, place, name }) => `${source.slice(start, end)} ${kind} ${place} ${name}`,
  );

test.each([
  ['a{{b}}c', ['{{b}} value text b']],
  [
    '{{#if x}}y{{else if z}}{{^}}{{/if}}',
    ['{{#if x}} open text if', '{{else if z}} else text if', '{{^}} else text ', '{{/if}} close text if'],
  ],
  ['{{^x}}{{/x}}', ['{{^x}} open text x', '{{/x}} close text x']],
  ['{{elsewhere}}', ['{{elsewhere}} value text elsewhere']],
  [
    '{{> a.b c=1}}{{#> a}}{{/a}}{{#*inline "p"}}{{/inline}}',
    [
      '{{> a.b c=1}} partial text a.b',
      '{{#> a}} open text a',
      '{{/a}} close text a',
      '{{#*inline "p"}} open text inline',
      '{{/inline}} close text inline',
    ],
  ],
  ['{{{x}}}{{&y}}', ['{{{x}}} value text x', '{{&y}} value text y']],
  [
    '{{!-- }} --}}{{! " }}{{~!-- x --~}}',
    ['{{!-- }} --}} comment text ', '{{! " }} comment text ', '{{~!-- x --~}} comment text '],
  ],
  [
    '{{a "}}<b>"}}{{a \'}}\' "\\"}}"}}{{a.[b}}"]}}',
    ['{{a "}}<b>"}} value text a', '{{a \'}}\' "\\"}}"}} value text a', '{{a.[b}}"]}} value text a.[b'],
  ],
  ['\\{{x}} {{y}}', ['{{x}} literal text x', '{{y}} value text y']],
  ['{{{{raw}}}}{{x}}{{{{/raw}}}}', ['{{{{raw}}}}{{x}}{{{{/raw}}}} raw text raw']],
  [
    '<a b="{{c}}" {{d}} e={{f}}>{{g}}</a>',
    ['{{c}} value quoted c', '{{d}} value tag d', '{{f}} value tag f', '{{g}} value text g'],
  ],
  [
    '<!-- {{a}} --><script>{{b}}</script><title>{{c}}<{{d}}</title>{{e}}',
    [
      '{{a}} value opaque a',
      '{{b}} value opaque b',
      '{{c}} value opaque c',
      '{{d}} value opaque d',
      '{{e}} value text e',
    ],
  ],
  ["<p>don't {{a}}</p><p it's {{b}}>", ['{{a}} value text a', '{{b}} value tag b']],
  ['a < b {{c}} <3 {{d}}', ['{{c}} value text c', '{{d}} value text d']],
])('in %s it finds %j', (source, expected) => {
  expect(found(source)).toEqual(expected);
  expect(maskMustaches(source).html).toHaveLength(source.length);
});

test('blocks leave the attributes they stand around readable, and values stay part of theirs', () => {
  const { html } = maskMustaches('<li {{#if a}}class="x"{{/if}} id="a{{b}}c" data-{{k}}="v"{{#if d}} hidden{{/if}}>');
  expect(html).toMatch(/^<li {10}class="x" {8}id="am\w+-*c" data-m\w+-*="v" {10}hidden {7}>$/);
});

test('the same mustache has the same mask, so that tags made of it pair', () => {
  const { html } = maskMustaches('<{{tag}}>x</{{tag}}>');
  expect(html).toMatch(/^<(m[\w-]+)>x<\/\1>$/);
});

test.each(['{{a', 'x{{!-- a }}', '{{{a}}', '{{a "}}', '{{{{raw}}}} x'])('%s is not closed', (source) => {
  expect(() => maskMustaches(source)).toThrow(SourceError);
});
