import { Parser } from 'htmlparser2';

/** Contents of a page, in a form for comparing pages. */
export interface HtmlFacts {
  /** Value of `lang` of the page. */
  readonly lang: string;
  /** Elements in order, with their attributes. */
  readonly elements: readonly string[];
  /** Visible texts in order. */
  readonly texts: readonly string[];
  /** Obstacles for people with assistive technology. */
  readonly barriers: readonly string[];
  /** Paths of links on this site. */
  readonly links: readonly string[];
  /** Same page in other languages, by language. */
  readonly alternates: Readonly<Record<string, string>>;
}

/** Attributes with another value on each page, or after each build. */
const VOLATILE = new Set(['nonce', 'integrity', 'data-prefix']);
/** Longer values, and those in JSON, such as the state of an island, aren't compared: they show in its texts. */
const MAX_VALUE = 300;
/** Elements without visible text. */
const UNSEEN = new Set(['script', 'style', 'template', 'noscript', 'head', 'title']);
/** Elements that have to be closed: if one isn't, the rest of the page lies in it. */
const CLOSED = new Set(
  'div section main header footer nav article aside form table ul ol span a button h1 h2 h3 h4 h5 h6 label'.split(' '),
);
const CONTROLS = new Set(['input', 'select', 'textarea', 'button', 'a']);
const NAMELESS_INPUTS = new Set(['hidden', 'submit', 'button', 'reset', 'image']);

/** A control whose name isn't known yet. */
interface OpenControl {
  readonly tag: string;
  readonly description: string;
  isNamed: boolean;
}

/** Reads the facts of a page. `base` is the site's address. */
export function htmlFacts(html: string, base: string): HtmlFacts {
  const reader = new PageReader(new URL(base));
  const parser = new Parser(reader, { decodeEntities: true });
  parser.write(html);
  parser.end();
  return reader.facts();
}

class PageReader {
  readonly #base: URL;
  readonly #elements: string[] = [];
  readonly #texts: string[] = [];
  readonly #barriers: string[] = [];
  readonly #links = new Set<string>();
  readonly #alternates: Record<string, string> = {};
  readonly #stack: string[] = [];
  readonly #ids = new Map<string, number>();
  readonly #labelled = new Set<string>();
  readonly #fields: { readonly id: string; readonly description: string }[] = [];
  readonly #controls: OpenControl[] = [];
  #lang = '';
  #text = '';
  #unseen = 0;
  #headings: number[] = [];

  constructor(base: URL) {
    this.#base = base;
  }

  onopentag(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (isBlock(tag)) this.#flush();
    if (tag === 'html') this.#lang = attributes.lang ?? '';
    this.#elements.push(`${describe(tag, attributes)}`);
    this.#noteBarriers(tag, attributes);
    this.#noteLink(tag, attributes);
    if (UNSEEN.has(tag)) this.#unseen += 1;
    this.#stack.push(tag);
  }

  ontext(text: string): void {
    if (this.#unseen > 0) return;
    this.#text += text;
    if (text.trim() !== '') for (const control of this.#controls) control.isNamed = true;
  }

  onclosetag(tag: string, isImplied: boolean): void {
    if (isBlock(tag)) this.#flush();
    const index = this.#stack.lastIndexOf(tag);
    if (index >= 0) this.#stack.splice(index, 1);
    if (UNSEEN.has(tag) && this.#unseen > 0) this.#unseen -= 1;
    if (isImplied && CLOSED.has(tag)) this.#elements.push(`not closed: <${tag}>`);
    if (!CONTROLS.has(tag) || this.#controls.at(-1)?.tag !== tag) return;
    const control = this.#controls.pop();
    if (control && !control.isNamed) this.#barriers.push(`no name: ${control.description}`);
  }

  facts(): HtmlFacts {
    this.#flush();
    for (const { id, description } of this.#fields)
      if (!this.#labelled.has(id)) this.#barriers.push(`no name: ${description}`);
    for (const [id, count] of this.#ids) if (count > 1) this.#barriers.push(`id used ${count} times: ${id}`);
    if (this.#elements.length > 0 && !this.#headings.includes(1)) this.#barriers.push('no main heading');
    this.#headings.forEach((level, index) => {
      const previous = this.#headings[index - 1] ?? level;
      if (level > previous + 1) this.#barriers.push(`heading skips from ${previous} to ${level}`);
    });
    return {
      lang: this.#lang,
      elements: this.#elements,
      texts: this.#texts,
      barriers: this.#barriers,
      links: [...this.#links],
      alternates: this.#alternates,
    };
  }

  #flush(): void {
    const text = this.#text.replace(/\s+/g, ' ').trim();
    this.#text = '';
    if (text !== '') this.#texts.push(text);
  }

  #noteBarriers(tag: string, attributes: Readonly<Record<string, string>>): void {
    const { id, alt, type = '', title, placeholder } = attributes;
    const label = attributes['aria-label'] ?? attributes['aria-labelledby'] ?? title;
    if (id !== undefined) this.#ids.set(id, (this.#ids.get(id) ?? 0) + 1);
    if (tag === 'img') {
      if (alt === undefined) this.#barriers.push(`image without alternative text: ${pathOf(attributes.src ?? '')}`);
      if (alt) for (const control of this.#controls) control.isNamed = true;
    }
    if (/^h[1-6]$/.test(tag)) this.#headings.push(Number(tag[1]));
    if (tag === 'label' && attributes.for !== undefined) this.#labelled.add(attributes.for);
    if (!CONTROLS.has(tag)) return;
    const description = describe(tag, attributes);
    if (tag === 'a' || tag === 'button') {
      if (tag === 'button' || attributes.href !== undefined)
        this.#controls.push({ tag, description, isNamed: label !== undefined || attributes['aria-hidden'] === 'true' });
    } else if (
      !NAMELESS_INPUTS.has(type) &&
      label === undefined &&
      placeholder === undefined &&
      !this.#stack.includes('label')
    )
      this.#fields.push({ id: id ?? '', description });
  }

  #noteLink(tag: string, { href, rel, hreflang }: Readonly<Record<string, string>>): void {
    if (href === undefined) return;
    const url = URL.parse(href, this.#base);
    if (url?.host !== this.#base.host) return;
    if (tag === 'link' && rel === 'alternate' && hreflang !== undefined) this.#alternates[hreflang] = url.pathname;
    else if (tag === 'a') this.#links.add(url.pathname);
  }
}

/** Elements inside a line of text don't end it; links are often a list without spaces. */
const INLINE = new Set('abbr b bdi br cite code em i kbd mark q s small span strong sub sup time u wbr'.split(' '));

function isBlock(tag: string): boolean {
  return !INLINE.has(tag);
}

/** `<a class="nav-link" href="/shop">`, without what differs on each page. */
function describe(tag: string, attributes: Readonly<Record<string, string>>): string {
  const isToken = tag === 'input' && attributes.name === 'csrf_token';
  const parts = Object.entries(attributes).flatMap(([name, value]) => {
    if (VOLATILE.has(name) || (isToken && name === 'value')) return [];
    if (value.length > MAX_VALUE || /^[[{]/.test(value)) return [name];
    return value === '' ? [name] : [`${name}="${stable(value)}"`];
  });
  return `<${[tag, ...parts.toSorted()].join(' ')}>`;
}

/** Removes hashes of builds, the times and tokens of one reply, and the number of an island on its page. */
function stable(value: string): string {
  if (!/[\d?]|_assets/.test(value)) return value;
  return value
    .replace(/(\/_assets\/[^"\s]*?)[-.][A-Za-z0-9_-]{8,}(?=\.\w+)/g, '$1')
    .replace(/_i\d+(?=R_)/g, '_i')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, '…')
    .replace(/([?&](?:v|csrf_token|unique|t)=)[^&"]*/g, '$1…');
}

function pathOf(address: string): string {
  return stable(address.split('?')[0] ?? '').slice(0, MAX_VALUE);
}
