import { decodeHTML } from 'entities';
import type { HelperRules } from '../helpers/rules.ts';
import type { Mustache } from '../source/mustaches.ts';
import {
  type AttributeRange,
  attributesOf,
  isBalanced,
  type ParsedSource,
  voidElements,
  within,
} from '../source/source.ts';
import { type ElementPiece, type Piece, textContent, treeOf } from '../source/tree.ts';
import type { Fault } from './fault.ts';

/** Attributes that contain an address. */
const urlAttributes: ReadonlySet<string> = new Set([
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
const scriptAddress = /^[\p{Cc}\p{Cf}\p{Z}]*(?:(?:javascript|vbscript):|data:(?!image\/|,))/iu;
/** Script types that aren't executed. */
const dataScript = /^(application\/(ld\+)?json|importmap|speculationrules)$/;

/** SVG elements, which may be self-closing like `<path/>`. */
const drawingElement = /^(path|circle|ellipse|rect|line|polyline|polygon|use|stop|g)$/;

/**
 * Checks the markup rules of sources: every end tag written, no opening tag split by a block, and no value in a place where HTML escaping
 * doesn't make it safe (addresses, scripts, unquoted attributes).
 */
export function checkMarkup(parsed: ParsedSource, helpers: HelperRules): Fault[] {
  const checker = new MarkupChecker(parsed, helpers);
  checker.pieces(treeOf(parsed).pieces);
  for (const mustache of parsed.mustaches) checker.mustache(mustache);
  // End tags after an unclosed element are consequential errors.
  const unclosed = Math.min(...checker.unclosed);
  const faults = checker.faults.filter((fault) => !checker.stray.has(fault) || fault.offset < unclosed);
  return faults.sort((a, b) => a.offset - b.offset);
}

class MarkupChecker {
  readonly faults: Fault[] = [];
  /** Offsets of elements without an end tag. */
  readonly unclosed: number[] = [];
  /** End tags without a matching start tag. */
  readonly stray = new Set<Fault>();
  readonly #parsed: ParsedSource;
  readonly #helpers: HelperRules;

  constructor(parsed: ParsedSource, helpers: HelperRules) {
    this.#parsed = parsed;
    this.#helpers = helpers;
  }

  pieces(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (piece.type === 'text') this.#strayEndTag(piece.start, piece.end);
      else if (piece.type === 'block') for (const branch of piece.branches) this.pieces(branch.pieces);
      else if (piece.type === 'element') {
        this.#element(piece);
        const holdsText = ['script', 'style', 'textarea', 'title'].includes(piece.element.name);
        if (!holdsText) this.pieces(piece.content.pieces);
      }
    }
  }

  mustache(mustache: Mustache): void {
    const fault = this.#mustacheFault(mustache);
    if (fault) this.#fault(mustache.start, ...fault);
  }

  /** Problem of a mustache in its place, and the remedy. */
  #mustacheFault(mustache: Mustache): readonly [message: string, remedy: string] | undefined {
    const { start, end, kind, sigil, place, name } = mustache;
    const text = this.#parsed.source.slice(start, end);
    if (kind === 'raw') return [`${text.slice(0, 20)}… is a raw block.`, 'Raw blocks are not used in templates.'];
    if (kind !== 'value') return undefined;
    if (sigil === '{' || sigil === '&')
      return [`${text} prints HTML as it is.`, 'Write {{html …}} or {{field …}}, which sanitise it.'];
    if (sigil === '*') return [`${text} is a decorator.`, 'Only {{#*inline "name"}} is used in templates.'];
    if (place === 'tag' && isWholeAttribute(this.#parsed, mustache))
      return [`${text} stands where attributes are written.`, 'Write name="{{…}}", or {{#if …}}name{{/if}}.'];
    const rule = this.#helpers.get(name);
    if (place !== 'quoted' || !rule?.markup) return undefined;
    if (rule.plain && new RegExp(`\\b${rule.plain}=true\\b`).test(text)) return undefined;
    const remedy = rule.plain ? `Write {{${name} … ${rule.plain}=true}}.` : 'Print the value itself.';
    return [`{{${name}}} makes markup, which cannot stand in an attribute.`, remedy];
  }

  #fault(offset: number, message: string, remedy: string): Fault {
    const fault = { offset, message, remedy };
    this.faults.push(fault);
    return fault;
  }

  #strayEndTag(start: number, end: number): void {
    const { html } = this.#parsed;
    const index = html.slice(start, end).search(/<\/[A-Za-z]/);
    if (index < 0) return;
    const name = /^<\/([\w:-]+)/.exec(html.slice(start + index))?.[1] ?? '';
    const remedy = 'Take it out, or write the tag it belongs to.';
    this.stray.add(this.#fault(start + index, `</${name}> closes nothing.`, remedy));
  }

  #element(piece: ElementPiece): void {
    const { html, mustaches } = this.#parsed;
    const { element, range } = piece;
    const { start, openEnd, closeStart, empty } = range;
    const { name } = element;
    if (html[start + 1] === '/') {
      const remedy = `An element inside may have closed <${name}> already.`;
      this.stray.add(this.#fault(start, `</${name}> closes nothing.`, remedy));
      return;
    }
    if (!isBalanced(mustaches, start, openEnd)) {
      const remedy = 'Write the whole tag once, with the block around single attributes.';
      this.#fault(start, `The opening tag of <${name}> is split over a block.`, remedy);
      return;
    }
    if (!empty && closeStart < 0) {
      this.unclosed.push(start);
      this.#fault(start, `<${name}> has no end tag.`, `Write </${name}>; nothing is closed by itself in templates.`);
    }
    if (empty && html[openEnd - 2] === '/' && !voidElements.test(name) && !inForeign(piece)) {
      const message = `<${name}/> opens an element without closing it: browsers do not know the slash.`;
      this.#fault(start, message, `Write <${name}></${name}>.`);
    }
    for (const attribute of attributesOf(this.#parsed, element, range)) this.#attribute(piece, attribute);
    this.#script(piece);
    this.#form(piece);
  }

  /** A form posted to this site needs a CSRF token. */
  #form({ element, range }: ElementPiece): void {
    const { method = '', action = '' } = element.attribs;
    if (element.name !== 'form' || method.toLowerCase() !== 'post' || /^https?:/.test(action)) return;
    const inside = within(this.#parsed.mustaches, range.openEnd, range.end);
    // a partial may contain it
    if (inside.some(({ kind, name }) => name === 'csrf' || kind === 'partial')) return;
    this.#fault(range.start, 'The form has no {{csrf}}, so posting it is refused.', 'Write {{csrf}} in it.');
  }

  #attribute({ element }: ElementPiece, { name, start, end, valueStart, valueEnd, quoted }: AttributeRange): void {
    const { source, mustaches } = this.#parsed;
    if (/^on/i.test(name)) {
      const message = `${name}="…" is script in an attribute, which the site's content policy blocks.`;
      this.#fault(start, message, 'Use an island or a module.');
    }
    if (!quoted && end > valueStart && within(mustaches, valueStart, valueEnd).length > 0)
      this.#fault(start, `The value of ${name} has no quotes.`, `Write ${name}="…".`);
    if (urlAttributes.has(name)) this.#url(name, valueStart, valueEnd);
    // `<attribute name="href">…</attribute>` in a patch
    const patched = element.name === 'attribute' && name === 'name' ? source.slice(valueStart, valueEnd) : '';
    const { firstChild, lastChild } = element;
    if (urlAttributes.has(patched) && firstChild)
      this.#url(patched, firstChild.startIndex ?? 0, (lastChild?.endIndex ?? -1) + 1);
  }

  #url(name: string, from: number, to: number): void {
    // Checks the branches of a block too.
    const texts = this.#parsed.source.slice(from, to).split(/\{\{.*?\}\}/s);
    if (texts.some((text) => scriptAddress.test(decodeHTML(text).replace(/[\t\n\r]/g, '')))) {
      const message = `The address in ${name} is script, which the site's content policy blocks.`;
      this.#fault(from, message, 'Write a path, or an address that begins with https:, mailto: or tel:.');
    }
    const bare = this.#firstBareValue(textContent(this.#parsed, from, to).pieces);
    if (typeof bare !== 'object') return;
    const helper = name === 'src' || name === 'poster' ? 'src' : 'href';
    this.#fault(
      bare.start,
      `${this.#parsed.source.slice(bare.start, bare.end)} begins the address in ${name}: a value like "javascript:…" would run.`,
      `Write {{${helper} …}}, which lets only harmless addresses through, or begin with a fixed path.`,
    );
  }

  /** First value that could determine an address's scheme; true if fixed text precedes it, false if nothing does. */
  #firstBareValue(pieces: readonly Piece[]): Mustache | boolean {
    for (const piece of pieces) {
      if (piece.type === 'text') {
        if (this.#parsed.html.slice(piece.start, piece.end).trim() !== '') return true;
      } else if (piece.type === 'mustache') {
        const { mustache } = piece;
        if (mustache.kind === 'comment') continue;
        return mustache.kind === 'value' && this.#helpers.get(mustache.name)?.url ? true : mustache;
      } else if (piece.type === 'block') {
        const answers = piece.branches.map((branch) => this.#firstBareValue(branch.pieces));
        const bare = answers.find((answer) => typeof answer === 'object');
        if (bare) return bare;
        if (piece.branches.length > 1 && answers.every((answer) => answer === true)) return true;
      }
    }
    return false;
  }

  #script({ element, range, content }: ElementPiece): void {
    const { name, attribs } = element;
    const isScript = name === 'script';
    if (!isScript && name !== 'style') return;
    if (isScript && attribs.src === undefined && !dataScript.test(attribs.type ?? '')) {
      const message = "A script in the page is blocked by the site's content policy.";
      this.#fault(range.start, message, 'Put it into a module, or write type="application/json" for data.');
    }
    if (content.pieces.length === 0) return;
    const end = range.closeStart < 0 ? range.end : range.closeStart;
    for (const mustache of within(this.#parsed.mustaches, range.openEnd, end)) {
      const prints = mustache.kind === 'value' || mustache.kind === 'partial';
      if (!prints || (isScript && mustache.name === 'json')) continue;
      const text = this.#parsed.source.slice(mustache.start, mustache.end);
      this.#fault(
        mustache.start,
        `${text} stands inside <${name}>, where HTML escaping does not protect.`,
        isScript ? 'Write {{json …}}.' : 'Use a class or a style attribute.',
      );
    }
  }
}

/** Whether the element may be self-closing: a patch may not show the surrounding `<svg>`. */
function inForeign({ element }: ElementPiece): boolean {
  if (drawingElement.test(element.name)) return true;
  for (let node: ElementPiece['element']['parent'] = element; node; node = node.parent) {
    if ('name' in node && (node.name === 'svg' || node.name === 'math')) return true;
  }
  return false;
}

/** `<input {{x}}>`, but not `<h{{level}}>` or `data-{{x}}="…"`. */
function isWholeAttribute({ html }: ParsedSource, { start, end }: Mustache): boolean {
  return /\s/.test(html[start - 1] ?? '') && /[\s/>]/.test(html[end] ?? '');
}
