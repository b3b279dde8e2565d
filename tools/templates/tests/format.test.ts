import { globSync, readFileSync } from 'node:fs';
import { withoutIndentation } from '@pergola/pages';
import { formatTemplate } from '../format.ts';
import { firstDifference } from '../meaning.ts';

const lines = (...all: string[]): string => `${all.join('\n')}\n`;

describe('a template formatted', () => {
  const cases: Record<string, [string, string]> = {
    'block-level elements and blocks around them on lines of their own': [
      '<div><p>One</p>{{#if two}}<p>Two</p>{{else}}<p>None</p>{{/if}}</div>',
      lines(
        '<div>',
        '  <p>One</p>',
        '  {{#if two}}',
        '    <p>Two</p>',
        '  {{else}}',
        '    <p>None</p>',
        '  {{/if}}',
        '</div>',
      ),
    ],
    'no space where a reader would see it': [
      '<p><b>One</b>{{#if two}}<i>Two</i>{{/if}}<a href="/three">Three</a></p>',
      lines('<p><b>One</b>{{#if two}}<i>Two</i>{{/if}}<a href="/three">Three</a></p>'),
    ],
    'hidden inputs one a line': [
      '<form method="post">{{csrf}}<input type="hidden" name="id" value="{{id}}"><button>Go</button></form>',
      lines(
        '<form method="post">',
        '  {{csrf}}',
        '  <input type="hidden" name="id" value="{{id}}">',
        '  <button>Go</button>',
        '</form>',
      ),
    ],
    'attributes of a long tag one a line, conditions too': [
      `<input class="${'form-control '.repeat(8)}{{#if error}}is-invalid{{/if}}" name="name"{{#if required}} required{{/if}}>`,
      lines(
        '<input',
        `  class="${'form-control '.repeat(8)}{{#if error}}is-invalid{{/if}}"`,
        '  name="name"',
        '  {{#if required}}required{{/if}}',
        '>',
      ),
    ],
    'arguments of a long call one a line': [
      `{{> web.field id="name" label=(t "A label with some words") help="${'words '.repeat(12).trim()}" required=true}}`,
      lines(
        '{{> web.field',
        '  id="name"',
        '  label=(t "A label with some words")',
        `  help="${'words '.repeat(12).trim()}"`,
        '  required=true',
        '}}',
      ),
    ],
    'text filled into lines, but not where its space is kept': [
      `<p>${'word '.repeat(30)}</p><pre>\n  as\n it is</pre>`,
      lines(
        '<p>',
        `  ${'word '.repeat(23).trim()}`,
        `  ${'word '.repeat(7).trim()}`,
        '</p>',
        '<pre>',
        '  as',
        ' it is</pre>',
      ),
    ],
    'changes of another template': [
      '{{#at "#a" "after"}}\n<div><p>New</p></div>\n{{/at}}\n{{#at "#b" "remove"}}{{/at}}',
      lines('{{#at "#a" "after"}}', '  <div>', '    <p>New</p>', '  </div>', '{{/at}}', '{{#at "#b" "remove"}}{{/at}}'),
    ],
  };
  it.each(Object.entries(cases))('has %s', (_, [source, expected]) => {
    expect(formatTemplate(source)).toBe(expected);
    expect(formatTemplate(expected)).toBe(expected);
    expect(firstDifference(source, expected, source.startsWith('{{#at'))).toBeUndefined();
  });
});

describe('every template of the project', () => {
  const files = globSync('{addons,core,tools}/**/templates/*.hbs').sort();

  it('is found', () => {
    expect(files.length).toBeGreaterThan(200);
  });

  it.each(files)('%s shows the same with and without its format', (file) => {
    const source = readFileSync(file, 'utf8');
    const formatted = formatTemplate(withoutIndentation(source));
    expect(firstDifference(source, formatted, file.endsWith('.patch.hbs'))).toBeUndefined();
    expect(formatTemplate(formatted)).toBe(formatted);
    expect(formatTemplate(source)).toBe(source);
  });
});

describe('what a reader of the page would see', () => {
  it.each([
    ['a space less', '<p>a <b>b</b></p>', '<p>a<b>b</b></p>'],
    ['a space more', '<p>{{a}}{{b}}</p>', '<p>{{a}} {{b}}</p>'],
    ['a space more where a condition holds', '<p>a{{#if b}}<i>b</i>{{/if}}</p>', '<p>a{{#if b}} <i>b</i>{{/if}}</p>'],
    ['a line that Handlebars takes away', '<p>a{{#if b}} b{{/if}} c</p>', '<p>a{{#if b}} b\n{{/if}}\nc</p>'],
    ['another attribute', '<p class="a" id="b"></p>', '<p class="a"></p>'],
    ['another condition', '{{#if a}}<p></p>{{/if}}', '{{#if b}}<p></p>{{/if}}'],
    ['other preformatted text', '<pre>a\n  b</pre>', '<pre>a\nb</pre>'],
    ['a text for translators', '<p>One <b>two</b></p>', '<p>One <b> two</b></p>'],
  ])('%s is a difference', (_, before, after) => {
    expect(firstDifference(before, after, false)).toBeDefined();
  });

  it('space beside block-level elements is none', () => {
    expect(
      firstDifference('<div><p>a</p><p>b</p></div>', '<div>\n  <p>a</p>\n  <p>b</p>\n</div>', false),
    ).toBeUndefined();
  });
});
