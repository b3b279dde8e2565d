import { select } from './patch/anchors.ts';
import { attributesOf, type ParsedSource, parseSource, rangeOf, within } from './source/source.ts';
import { type Edit, splice } from './source/splice.ts';

const linkAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  area: ['href'],
  form: ['action'],
  button: ['formaction'],
  input: ['formaction'],
};

/**
 * Makes the paths of links and forms follow the reader's language, so that authors simply write `href="/shop/{{slug}}"`:
 *
 *     href="/shop/{{slug}}"              href="{{localized "/shop"}}/{{slug}}"
 *     href="/{{page}}"                   href="{{#localized "/"}}/{{page}}{{/localized}}"
 *
 * The first form is faster and is used for paths with a fixed start.
 */
export function localizeLinks(source: string): string {
  if (!/(href|action)\s*=\s*["'][/{]/.test(source)) return source;
  const parsed = parseSource(source);
  const edits: Edit[] = [];
  for (const element of select(parsed, 'a[href], area[href], form[action], button[formaction], input[formaction]')) {
    for (const { name, valueStart, valueEnd } of attributesOf(parsed, element, rangeOf(parsed, element))) {
      if (linkAttributes[element.name]?.includes(name)) edits.push(...localizeValue(parsed, valueStart, valueEnd));
    }
  }
  return splice(source, edits) ?? source;
}

function localizeValue(parsed: ParsedSource, start: number, end: number): Edit[] {
  const [first] = within(parsed.mustaches, start, end);
  const fixed = parsed.source.slice(start, first?.start ?? end);
  if (fixed === '' ? first?.kind !== 'open' : !/^\/(?![/\\])/.test(fixed)) return [];
  const path = fixedPath(fixed, first === undefined);
  if (path !== '') return [{ at: start, remove: path.length, insert: `{{localized "${path}"}}` }];
  return [
    { at: start, remove: 0, insert: fixed === '' ? '{{#localized}}' : '{{#localized "/"}}' },
    { at: end, remove: 0, insert: '{{/localized}}' },
  ];
}

/** Complete segments at the start of a path; empty if a value may be part of the first one, or if the path contains entities. */
function fixedPath(text: string, isWhole: boolean): string {
  const path = /^[^?#]*/.exec(text)?.[0] ?? '';
  const segments = isWhole || path.length < text.length ? path : path.slice(0, path.lastIndexOf('/'));
  return /^[\w./~%-]+$/.test(segments) ? segments : '';
}
