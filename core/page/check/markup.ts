import type { HelperRules } from '../helpers/rules.ts';
import type { Mustache } from '../source/mustaches.ts';
import { type AttributeRange, attributesOf, isBalanced, type ParsedSource, within } from '../source/source.ts';
import { type ElementPiece, type Piece, textContent, treeOf } from '../source/tree.ts';
import type { Fault } from './fault.ts';

/** Attributes whose value is an address. */
export const urlAttributes: ReadonlySet<string> = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'poster',
  'cite',
  'data',
  'ping',
  'background',
  'manifest',
  'xlink:href',
]);
/** Script types that run nothing. */
const dataScript = /^(application\/(ld\+)?json|importmap|speculationrules)$/;

/**
 * What the markup of a source must keep to: every end tag written, no opening tag torn apart by a block, and no value where escaping HTML is
 * not enough to make it safe (addresses, scripts, unquoted attributes).
 */
export function checkMarkup(parsed: ParsedSource, helpers: HelperRules): Fault[] {
  const faults: Fault[] = [];
  const walk = (pieces: readonly Piece[]): void => {
    for (const piece of pieces) {
      if (piece.type === 'text') strayEndTag(parsed, piece.start, piece.end, faults);
      else if (piece.type === 'block') for (const branch of piece.branches) walk(branch.pieces);
      else if (piece.type === 'element') {
        checkElement(parsed, piece, helpers, faults);
        if (!holdsText(piece)) walk(piece.content.pieces);
      }
    }
  };
  walk(treeOf(parsed).pieces);
  for (const mustache of parsed.mustaches) checkMustache(parsed, mustache, helpers, faults);
  return faults.sort((a, b) => a.offset - b.offset);
}

function holdsText({ element }: ElementPiece): boolean {
  return ['script', 'style', 'textarea', 'title'].includes(element.name);
}

function strayEndTag({ html }: ParsedSource, start: number, end: number, faults: Fault[]): void {
  const at = html.slice(start, end).search(/<\/[A-Za-z]/);
  if (at < 0) return;
  const name = /^<\/([\w:-]+)/.exec(html.slice(start + at))?.[1] ?? '';
  faults.push({
    offset: start + at,
    message: `</${name}> closes nothing.`,
    remedy: 'Take it out, or write the tag it belongs to.',
  });
}

function checkElement(parsed: ParsedSource, piece: ElementPiece, helpers: HelperRules, faults: Fault[]): void {
  const { element, range } = piece;
  const { start, openEnd, closeStart, empty } = range;
  if (parsed.html[start + 1] === '/') {
    const name = `</${element.name}>`;
    faults.push({
      offset: start,
      message: `${name} closes nothing.`,
      remedy: `An element inside may have closed <${element.name}> already.`,
    });
    return;
  }
  if (!isBalanced(parsed.mustaches, start, openEnd)) {
    const message = `The opening tag of <${element.name}> is split over a block.`;
    faults.push({
      offset: start,
      message,
      remedy: 'Write the whole tag once, with the block around single attributes.',
    });
    return;
  }
  if (!empty && closeStart < 0) {
    const message = `<${element.name}> has no end tag.`;
    faults.push({
      offset: start,
      message,
      remedy: `Write </${element.name}>; nothing is closed by itself in templates.`,
    });
  }
  if (empty && parsed.html[openEnd - 2] === '/' && !isVoid(element.name) && !inForeign(piece)) {
    const message = `<${element.name}/> opens an element without closing it: browsers do not know the slash.`;
    faults.push({ offset: start, message, remedy: `Write <${element.name}></${element.name}>.` });
  }
  for (const attribute of attributesOf(parsed, element, range))
    checkAttribute(parsed, piece, attribute, helpers, faults);
  checkScript(parsed, piece, faults);
  checkForm(parsed, piece, faults);
}

/** A form that is posted to this site proves where it comes from. */
function checkForm(parsed: ParsedSource, { element, range }: ElementPiece, faults: Fault[]): void {
  const { method = '', action = '' } = element.attribs;
  if (element.name !== 'form' || method.toLowerCase() !== 'post' || /^https?:/.test(action)) return;
  const inside = within(parsed.mustaches, range.openEnd, range.end);
  // a partial may bring it along
  if (inside.some(({ kind, name }) => name === 'csrf' || kind === 'partial')) return;
  faults.push({
    offset: range.start,
    message: 'The form has no {{csrf}}, so posting it is refused.',
    remedy: 'Write {{csrf}} in it.',
  });
}

function isVoid(name: string): boolean {
  return /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/.test(name);
}

/** Drawing elements know the slash; in a change their `<svg>` may not be in sight. */
function inForeign({ element }: ElementPiece): boolean {
  if (/^(path|circle|ellipse|rect|line|polyline|polygon|use|stop|g)$/.test(element.name)) return true;
  for (let node: ElementPiece['element']['parent'] = element; node; node = node.parent) {
    if ('name' in node && (node.name === 'svg' || node.name === 'math')) return true;
  }
  return false;
}

function checkAttribute(
  parsed: ParsedSource,
  { element }: ElementPiece,
  attribute: AttributeRange,
  helpers: HelperRules,
  faults: Fault[],
): void {
  const { name, start, end, valueStart, valueEnd, quoted } = attribute;
  if (/^on/i.test(name)) {
    const message = `${name}="…" is script in an attribute, which the site's content policy blocks.`;
    faults.push({ offset: start, message, remedy: 'Use an island or a module.' });
  }
  if (!quoted && end > valueStart && within(parsed.mustaches, valueStart, valueEnd).length > 0) {
    faults.push({ offset: start, message: `The value of ${name} has no quotes.`, remedy: `Write ${name}="…".` });
  }
  const isPatched = element.name === 'attribute' && name === 'name';
  if (isPatched && urlAttributes.has(parsed.source.slice(valueStart, valueEnd)))
    checkPatchedUrl(parsed, element, helpers, faults);
  if (urlAttributes.has(name)) checkUrl(parsed, name, valueStart, valueEnd, helpers, faults);
}

/** `<attribute name="href">…</attribute>` in a patch. */
function checkPatchedUrl(
  parsed: ParsedSource,
  element: ElementPiece['element'],
  helpers: HelperRules,
  faults: Fault[],
): void {
  const text = element.firstChild;
  const from = text?.startIndex ?? 0;
  const to = (element.lastChild?.endIndex ?? from - 1) + 1;
  if (text) checkUrl(parsed, element.attribs.name ?? '', from, to, helpers, faults);
}

function checkUrl(
  parsed: ParsedSource,
  name: string,
  from: number,
  to: number,
  helpers: HelperRules,
  faults: Fault[],
): void {
  const bare = firstBareValue(parsed, textContent(parsed, from, to).pieces, helpers);
  if (typeof bare !== 'object') return;
  const helper = name === 'src' || name === 'poster' ? 'src' : 'href';
  faults.push({
    offset: bare.start,
    message: `${parsed.source.slice(bare.start, bare.end)} begins the address in ${name}: a value like "javascript:…" would run.`,
    remedy: `Write {{${helper} …}}, which lets only harmless addresses through, or begin with a fixed path.`,
  });
}

/** The first value that could decide an address's scheme; true when something fixed comes before, false when nothing does. */
function firstBareValue(parsed: ParsedSource, pieces: readonly Piece[], helpers: HelperRules): Mustache | boolean {
  for (const piece of pieces) {
    if (piece.type === 'text') {
      if (parsed.html.slice(piece.start, piece.end).trim() !== '') return true;
    } else if (piece.type === 'mustache') {
      if (piece.mustache.kind === 'comment') continue;
      return piece.mustache.kind === 'value' && helpers.get(piece.mustache.name)?.url ? true : piece.mustache;
    } else if (piece.type === 'block') {
      const answers = piece.branches.map((branch) => firstBareValue(parsed, branch.pieces, helpers));
      const bare = answers.find((answer) => typeof answer === 'object');
      if (bare) return bare;
      if (piece.branches.length > 1 && answers.every((answer) => answer === true)) return true;
    }
  }
  return false;
}

function checkScript(parsed: ParsedSource, { element, range, content }: ElementPiece, faults: Fault[]): void {
  if (element.name !== 'script' && element.name !== 'style') return;
  const type = element.attribs.type ?? '';
  if (element.name === 'script' && element.attribs.src === undefined && !dataScript.test(type)) {
    const message = "A script in the page is blocked by the site's content policy.";
    faults.push({
      offset: range.start,
      message,
      remedy: 'Put it into a module, or write type="application/json" for data.',
    });
  }
  const end = range.closeStart < 0 ? range.end : range.closeStart;
  for (const mustache of within(parsed.mustaches, range.openEnd, end)) {
    const fits =
      mustache.kind !== 'value' && mustache.kind !== 'partial'
        ? true
        : element.name === 'script' && mustache.name === 'json';
    if (fits || content.pieces.length === 0) continue;
    const message = `${parsed.source.slice(mustache.start, mustache.end)} stands inside <${element.name}>, where HTML escaping does not protect.`;
    faults.push({
      offset: mustache.start,
      message,
      remedy: element.name === 'script' ? 'Write {{json …}}.' : 'Use a class or a style attribute.',
    });
  }
}

function checkMustache(parsed: ParsedSource, mustache: Mustache, helpers: HelperRules, faults: Fault[]): void {
  const found = mustacheFault(parsed, mustache, helpers);
  if (found) faults.push({ offset: mustache.start, message: found[0], remedy: found[1] });
}

/** What is wrong with a mustache where it stands, and what would be right. */
function mustacheFault(
  parsed: ParsedSource,
  mustache: Mustache,
  helpers: HelperRules,
): readonly [string, string] | undefined {
  const { start, end, kind, sigil, place, name } = mustache;
  const text = parsed.source.slice(start, end);
  if (kind === 'raw') return [`${text.slice(0, 20)}… is a raw block.`, 'Raw blocks are not used in templates.'];
  if (kind !== 'value') return undefined;
  if (sigil === '{' || sigil === '&')
    return [`${text} prints HTML as it is.`, 'Write {{html …}} or {{field …}}, which sanitise it.'];
  if (sigil === '*') return [`${text} is a decorator.`, 'Only {{#*inline "name"}} is used in templates.'];
  if (place === 'tag' && isWholeAttribute(parsed, mustache)) {
    return [`${text} stands where attributes are written.`, 'Write name="{{…}}", or {{#if …}}name{{/if}}.'];
  }
  const rule = helpers.get(name);
  if (place !== 'quoted' || !rule?.markup) return undefined;
  if (rule.plain && new RegExp(`\\b${rule.plain}=true\\b`).test(text)) return undefined;
  const remedy = rule.plain ? `Write {{${name} … ${rule.plain}=true}}.` : 'Print the value itself.';
  return [`{{${name}}} makes markup, which cannot stand in an attribute.`, remedy];
}

/** `<input {{x}}>`, but not `<h{{level}}>` or `data-{{x}}="…"`. */
function isWholeAttribute({ html }: ParsedSource, { start, end }: Mustache): boolean {
  return /\s/.test(html[start - 1] ?? '') && /[\s/>]/.test(html[end] ?? '');
}
