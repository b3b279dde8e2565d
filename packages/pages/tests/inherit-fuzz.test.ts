import { selectAll } from 'css-select';
import type { AnyNode, Element } from 'domhandler';
import fc from 'fast-check';
import Handlebars from 'handlebars';
import { parseDocument } from 'htmlparser2';
import { applyChange } from '../patch/patch.ts';
import type { Change, Position } from '../patch/patch-file.ts';
import { parseSource } from '../source/source.ts';

/** Random templates with every kind of mustache in every kind of place; each element has its own id. */
const text = fc.constantFrom(
  't ',
  "don't {{a}} ",
  '{{!-- <p> --}}',
  '<!-- {{a}} <p> -->',
  '{{! x}}',
  '<br>',
  'a &lt; b " ',
  '{{up "}}"}}',
  '<img src="{{a}}" alt=">">',
  '<script type="application/json">{"a": "</b>{{a}}" }</script>',
);
const attribute = fc.constantFrom(
  '',
  ' title="{{a}} > \'q\'"',
  ' {{#if a}}data-c="1"{{/if}}',
  ' class="x {{#if b}}y{{else}}z{{/if}}"',
  ' alt=\'{{up "}}"}}\'',
  '{{#if b}} hidden{{/if}}',
  ' data-{{tag}}="{{a}}-{{b}}"',
);
const tag = fc.constantFrom('div', 'section', 'b', '{{@root.tag}}', 'em', 'ul');
const ID = 'ID'; // numbered once the whole template is there

const { nodes } = fc.letrec<{ node: string; nodes: string }>((tie) => ({
  nodes: fc.array(tie('node'), { minLength: 1, maxLength: 3, depthIdentifier: 'n' }).map((all) => all.join('')),
  node: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'n' },
    text,
    fc.tuple(tag, attribute, tie('nodes')).map(([name, more, kids]) => `<${name} id="${ID}"${more}>${kids}</${name}>`),
    fc.tuple(tie('nodes'), tie('nodes')).map(([yes, no]) => `{{#if a}}${yes}{{else}}${no}{{/if}}`),
    tie('nodes').map((kids) => `{{#each list}}${kids}{{/each}}`),
    tie('nodes').map((kids) => `{{#if a}}<i id="${ID}" class="w1">{{else}}<i id="${ID}" class="w2">{{/if}}${kids}</i>`),
    tie('nodes').map((kids) => `{{#if a}}<u id="${ID}">{{/if}}${kids}{{#if a}}</u>{{/if}}`),
  ),
}));
const template = nodes.map((source) => {
  let number = 0;
  return source.replaceAll(ID, () => `n${number++}`);
});

/** `FUZZ_RUNS=2000` looks longer. */
const runs = Number(process.env.FUZZ_RUNS ?? 25);

const handlebars = Handlebars.create();
handlebars.registerHelper('up', (value: string) => value);
const contexts = [
  { a: 1, b: 0, list: [1, 2], tag: 'main' },
  { a: 0, b: 1, list: [1], tag: 'nav' },
];
const render = (source: string): string[] => {
  const compiled = handlebars.compile(source);
  return contexts.map((context) => compiled(context));
};

function change(id: string, position: Position, content: string): Change {
  const place = { addon: 'f', file: 'f.hbs', line: 1, target: 't', contentLine: 1 };
  return { ...place, selector: `#${id}`, position, content };
}
/** What a page is without what the changes put in. */
const without = (html: string): string => html.replaceAll('<mark>K</mark>', '').replaceAll(' data-k="1"', '');

describe('any change to any template', () => {
  const marks = '<mark>K</mark>';
  const contents: readonly (readonly [Position, string])[] = [
    ['before', marks],
    ['after', marks],
    ['inside', marks],
    ['prepend', marks],
    ['replace', `${marks}{{> @old}}`],
    ['attributes', '<attribute name="data-k">1</attribute>'],
  ];

  test('is refused or right: it lands where it was meant to and leaves everything else as it was', () => {
    let [made, refused] = [0, 0];
    const property = fc.property(template, (source) => {
      const parsed = parseSource(source);
      const before = render(source);
      expect(parsed.html).toHaveLength(source.length);
      for (const [, id = ''] of source.matchAll(/id="(n\d+)"/g)) {
        for (const [position, content] of contents) {
          const result = applyChange(parsed, change(id, position, content));
          if ('fault' in result) {
            refused++;
            continue;
          }
          made++;
          const pages = render(result.source);
          expect(pages.map(without)).toEqual(before);
          for (const html of pages) expectLanded(html, id, position);
        }
      }
    });
    fc.assert(property, { numRuns: runs, seed: 20_261_121 });
    expect(made).toBeGreaterThan(runs * 8);
    expect(refused).toBeGreaterThan(runs);
  });

  test('that puts the old node in its own place changes nothing', () => {
    const property = fc.property(template, (source) => {
      for (const [, id = ''] of source.matchAll(/id="(n\d+)"/g)) {
        const result = applyChange(parseSource(source), change(id, 'replace', '{{> @old}}'));
        if (!('fault' in result)) expect(result.source).toBe(source);
      }
    });
    fc.assert(property, { numRuns: runs, seed: 7 });
  });
});

/** The mark is where the position says, seen by a parser that knows nothing of templates. */
function expectLanded(html: string, id: string, position: Position): void {
  const found = selectAll<AnyNode, Element>(`#${id}`, parseDocument(html));
  for (const element of found) {
    const isMark = (node: AnyNode | null | undefined): boolean => node?.type === 'tag' && node.name === 'mark';
    const landed = {
      before: () => isMark(element.prev),
      after: () => isMark(element.next),
      inside: () => isMark(element.children.at(-1)),
      prepend: () => isMark(element.children[0]),
      replace: () => isMark(element.prev),
      attributes: () => element.attribs['data-k'] === '1',
    };
    const isThere = Object.entries(landed).find(([name]) => name === position)?.[1]();
    if (!isThere) throw new Error(`${position} did not land in ${html}`);
  }
}
