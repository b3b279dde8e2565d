import { createRequire } from 'node:module';
import { namedCache } from '@pergola/caches';
import type sanitize from 'sanitize-html';
import { declarationsOf, isHidden } from './inline-style.ts';
import { escapeAttribute, isSitePath } from './safe-url.ts';
import { tablesAsLines } from './table-lines.ts';

const require = createRequire(import.meta.url);

/**
 * Allowed HTML. `page`: for people with edit rights; keeps block attributes, and `data-opt-…` for options of building blocks (scripts read
 * such a value as a number or a word, never as an address). `comment`: for any visitor; tables become lines of text. `mail`: for email
 * clients, which support only inline styles. The last two drop hidden text, which would become visible without its style.
 */
export type SanitizeProfile = 'page' | 'comment' | 'mail';

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const textElements = words(`p br hr h1 h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd div span a img
  abbr b bdi bdo cite code data del dfn em i ins kbd mark q s samp small strike strong sub sup time u var wbr
  table caption colgroup col thead tbody tfoot tr th td`);
const pageElements = words(
  'section article header footer nav aside main address hgroup figure figcaption picture source video audio details summary',
);

const cellAttributes = ['colspan', 'rowspan', 'scope', 'headers'];
const everywhere = ['title', 'lang', 'dir', 'translate'];
const elementAttributes: Readonly<Record<string, string[]>> = {
  a: ['href', 'target', 'rel', 'hreflang', 'download'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding', 'fetchpriority'],
  source: ['src', 'srcset', 'sizes', 'media', 'type', 'width', 'height'],
  video: ['src', 'poster', 'controls', 'loop', 'muted', 'playsinline', 'preload', 'width', 'height'],
  audio: ['src', 'controls', 'loop', 'muted', 'preload'],
  ol: ['start', 'type', 'reversed'],
  li: ['value'],
  td: cellAttributes,
  th: [...cellAttributes, 'abbr'],
  col: ['span'],
  colgroup: ['span'],
  time: ['datetime'],
  data: ['value'],
  del: ['datetime', 'cite'],
  ins: ['datetime', 'cite'],
  blockquote: ['cite'],
  q: ['cite'],
  details: ['open'],
};

const color = /^(#[0-9a-f]{3,8}|[a-z]{3,20}|(rgb|hsl)a?\([\d\s.,%/deg]{1,40}\)|var\(--[\w-]{1,40}\))$/i;
const length = /^(auto|0|-?\d{1,4}(\.\d{1,3})?(px|em|rem|%|pt|ex|ch|vw|vh))$/i;
const lengths = /^((auto|0|\d{1,4}(\.\d{1,3})?(px|em|rem|%|pt|ex|ch|vw|vh))\s*){1,4}$/i;
const border = /^(\d{1,2}px\s+)?(none|solid|dashed|dotted|double)(\s+(#[0-9a-f]{3,8}|[a-z]{3,20}))?$/i;
const styles: Readonly<Record<string, RegExp[]>> = {
  color: [color],
  'background-color': [color],
  'text-align': [/^(left|right|center|justify|start|end)$/],
  'text-decoration': [/^(none|underline|line-through)$/],
  'font-weight': [/^(normal|bold|[1-9]00)$/],
  'font-style': [/^(normal|italic|oblique)$/],
  'font-size': [length, /^(x{0,2}-?small|medium|x{0,2}-?large|smaller|larger)$/],
  'font-family': [/^[\w\s,"'-]{1,100}$/],
  'line-height': [/^(normal|\d(\.\d{1,2})?)$/, length],
  'letter-spacing': [length],
  'vertical-align': [/^(top|middle|bottom|baseline|sub|super|text-top|text-bottom)$/],
  'list-style-type': [/^[a-z-]{3,30}$/],
  float: [/^(left|right|none)$/],
  clear: [/^(left|right|both|none)$/],
  width: [length],
  'max-width': [length],
  'min-width': [length],
  height: [length],
  'max-height': [length],
  'aspect-ratio': [/^\d{1,4}(\s*\/\s*\d{1,4})?$/],
  padding: [lengths],
  'padding-top': [lengths],
  'padding-right': [lengths],
  'padding-bottom': [lengths],
  'padding-left': [lengths],
  margin: [lengths],
  'margin-top': [lengths],
  'margin-right': [lengths],
  'margin-bottom': [lengths],
  'margin-left': [lengths],
  border: [border],
  'border-top': [border],
  'border-bottom': [border],
  'border-radius': [lengths],
  'border-color': [color],
  'border-collapse': [/^(collapse|separate)$/],
};
const commentStyles: Readonly<Record<string, RegExp[]>> = { 'text-align': [/^(left|right|center|justify|start|end)$/] };

/** Elements removed together with their text; of other unknown elements, the text is kept. */
const dropped = words(
  'script style textarea option noscript template xmp iframe noembed noframes plaintext svg math title object embed applet select',
);

const pictures = { img: withSources, source: withSources };

const common: sanitize.IOptions = {
  disallowedTagsMode: 'discard',
  nonTextTags: dropped,
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: {
    img: ['http', 'https'],
    source: ['http', 'https'],
    video: ['http', 'https'],
    audio: ['http', 'https'],
  },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  allowProtocolRelative: false,
  enforceHtmlBoundary: false,
  nestingLimit: 100,
  transformTags: { ...pictures, a: safeLink },
};

const profiles: Readonly<Record<SanitizeProfile, sanitize.IOptions>> = {
  page: {
    ...common,
    allowedTags: [...textElements, ...pageElements],
    allowedAttributes: {
      ...elementAttributes,
      details: ['open', 'name'],
      '*': [
        ...everywhere,
        'id',
        'class',
        'style',
        'role',
        'aria-*',
        'data-block',
        'data-options',
        'data-slot',
        'data-name',
        'data-opt-*',
      ],
    },
    allowedStyles: { '*': styles },
    transformTags: { ...pictures, a: safeLink, '*': withSafeNames },
  },
  comment: {
    ...common,
    allowedTags: textElements,
    allowedAttributes: { ...elementAttributes, '*': [...everywhere, 'style'], code: ['class'], pre: ['class'] },
    allowedClasses: { code: [/^language-[\w-]{1,30}$/], pre: [/^language-[\w-]{1,30}$/] },
    allowedStyles: { '*': commentStyles },
    transformTags: { ...pictures, a: visitorsLink, '*': withoutHidden },
  },
  mail: {
    ...common,
    allowedTags: [...textElements, 'center', 'font'],
    allowedAttributes: {
      ...elementAttributes,
      '*': [...everywhere, 'style', 'align', 'valign', 'bgcolor', 'width', 'height'],
      table: ['border', 'cellpadding', 'cellspacing', 'role'],
      font: ['color', 'face', 'size'],
    },
    allowedStyles: { '*': styles },
    allowedSchemesByTag: { img: ['http', 'https', 'cid'] },
    transformTags: { ...common.transformTags, '*': withoutHidden },
  },
};

/**
 * Removes everything from HTML that could run scripts, load frames, submit forms or cover the page. Never kept, in any profile: svg, math,
 * style, template, noscript, textarea, xmp and all form controls.
 */
export function sanitizeHtml(html: string, profile: SanitizeProfile = 'page'): string {
  let depth = 0;
  const onOpenTag = (): void => {
    if (++depth > maxDepth) throw new TooDeep();
  };
  const onCloseTag = (): void => {
    depth--;
  };
  try {
    // Loaded on first use: the library has seventy modules.
    const clean = require('sanitize-html') as typeof sanitize;
    const sanitized = clean(html, { ...profiles[profile], onOpenTag, onCloseTag });
    return profile === 'comment' ? tablesAsLines(sanitized) : sanitized;
  } catch (error) {
    if (error instanceof TooDeep) return escapeAttribute(html);
    throw error;
  }
}

/**
 * Far deeper than any real page. The parser's work grows with the square of the depth, so deeper HTML is an attack and is shown as text.
 */
const maxDepth = 256;
class TooDeep extends Error {}

/** A sanitiser that caches its results, up to `maxLength` characters; pages show the same texts again and again. */
export function createSanitizer(maxLength = 2_000_000): typeof sanitizeHtml {
  // Uses the text itself as the key: V8 caches a string's hash, but would compute it each time for a concatenated key.
  const cache = namedCache<string, { readonly profile: SanitizeProfile; readonly clean: string }>('sanitized', {
    maxSize: maxLength,
    sizeCalculation: ({ profile, clean }, html) => profile.length + html.length + clean.length,
  });
  return (html, profile = 'page') => {
    const cached = cache.get(html);
    if (cached?.profile === profile) return cached.clean;
    const clean = sanitizeHtml(html, profile);
    cache.set(html, { profile, clean });
    return clean;
  };
}

/** Turns hidden elements into ones that are removed with their text. */
function withoutHidden(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  const style = attribs.style === undefined ? null : declarationsOf(attribs.style);
  const isDropped = attribs.hidden !== undefined || (style !== null && isHidden(style));
  return isDropped ? { tagName: 'template', attribs: {} } : { tagName, attribs };
}

/** Links that open other windows must not have access to ours. */
function safeLink(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  if (attribs.target === undefined) return { tagName, attribs };
  const { target, rel, ...rest } = attribs;
  return target === '_blank'
    ? { tagName, attribs: { ...rest, target, rel: joined(rel, 'noopener') } }
    : { tagName, attribs: rest };
}

/** The site doesn't vouch for visitors' links. */
function visitorsLink(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  const link = safeLink(tagName, attribs);
  const isExternal =
    link.attribs.href !== undefined && !isSitePath(link.attribs.href) && !link.attribs.href.startsWith('#');
  return isExternal ? { ...link, attribs: { ...link.attribs, rel: 'nofollow ugc noopener' } } : link;
}

/**
 * Ids are for links within the page; one that isn't a plain name could shadow a script's variables. Names are for exclusive `details`, and
 * editor choices are words and numbers.
 */
function withSafeNames(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  const safeAttributes = Object.entries(attribs).filter(([name, value]) => {
    if (name === 'id' || name === 'name') return /^[A-Za-z][\w-]{0,60}$/.test(value) && !(value in Object.prototype);
    return !name.startsWith('data-opt-') || /^[\w.,: -]{0,60}$/.test(value);
  });
  return { tagName, attribs: Object.fromEntries(safeAttributes) };
}

/** The library prints invalid `srcset` values, which visitors could use to fill the logs, so it only gets well-formed ones. */
function withSources(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  const { srcset, ...rest } = attribs;
  const isSource = (text: string): boolean => {
    const [url, size, ...more] = text.trim().split(/\s+/);
    return (
      !!url && more.length === 0 && (size === undefined || /^([1-9]\d{0,5}w|[1-9]\d{0,2}(\.\d{1,4})?x)$/.test(size))
    );
  };
  return srcset === undefined || srcset.split(/,\s/).every(isSource)
    ? { tagName, attribs }
    : { tagName, attribs: rest };
}

function joined(rel: string | undefined, word: string): string {
  const words = rel?.split(/\s+/).filter(Boolean) ?? [];
  return words.includes(word) ? words.join(' ') : [...words, word].join(' ');
}
