import { createRequire } from 'node:module';
import type { FontFile, HasGlyph } from './fallback-fonts.ts';
import type { PdfKitDocument, ShapedFont, ShapeFeatures } from './shaped-font.ts';
import { clustersOf, isPlain, type LineBreak, mirrored, textRuns, visualOrder } from './text-runs.ts';

/*
 * Supports text of every script in pdfmake, which assumes one font per text, one direction, and words that fit their column. Overrides
 * pdfmake's words (TextBreaker), fonts (PDFDocument), lines (LayoutBuilder) and column widths (columnCalculator), so that every document
 * benefits automatically. pdfmake's version is pinned: check these modules when it changes.
 */

type Style = Record<string, unknown>;
interface Item extends Style {
  readonly text?: unknown;
}
/** A part of a line, as pdfmake measures and draws it. */
interface Inline extends Style {
  text: string;
  width: number;
  x: number;
  leadingCut: number;
  trailingCut: number;
  lineEnd?: boolean;
  noNewLine?: boolean;
  readonly noWrap?: boolean | null;
  readonly bidiLevel?: number;
  /** Index of the styled text within its paragraph. */
  readonly source?: number;
  readonly fontFeatures?: ShapeFeatures | null;
  readonly characterSpacing?: number;
  readonly font: Pick<ShapedFont, 'widthOfString'>;
  readonly fontSize: number;
}
interface Line {
  readonly maxWidth: number;
  readonly inlines: Inline[];
  inlineWidths: number;
  leadingCut: number;
  trailingCut: number;
  newLineForced?: boolean;
  lastLineInParagraph?: boolean;
  addInline(inline: Inline): void;
}
interface Column {
  width?: unknown;
  _calcWidth: number;
  _minWidth: number;
}
interface FontOwner extends PdfKitDocument {
  readonly fontCache: Record<string, Record<string, unknown>>;
  readonly _fontFamilies: Record<string, unknown>;
  _fontCount: number;
  provideFont(family: unknown, bold: boolean, italics: boolean): unknown;
}
interface Modules {
  readonly TextBreaker: { prototype: { getBreaks(texts: unknown, styles: unknown): Item[] } };
  readonly TextInlines: {
    prototype: {
      buildInlines(texts: unknown, styles: unknown): { items: Inline[]; minWidth: number; maxWidth: number };
    };
  };
  readonly StyleContextStack: {
    getStyleProperty(item: unknown, styles: unknown, property: string, value: unknown): unknown;
  };
  readonly PDFDocument: { prototype: FontOwner };
  readonly LayoutBuilder: {
    prototype: {
      buildNextLine(
        this: { readonly writer: { context(): { readonly availableWidth: number } } },
        node: { _inlines?: Inline[] },
      ): Line | null;
    };
  };
  readonly Line: new (maxWidth: number) => Line;
  readonly columnCalculator: {
    buildColumnWidths(columns: Column[], available: number, offset?: number, table?: unknown): void;
  };
}

/** Words up to this width, in points, stay whole if there is any room. */
const WHOLE_WORD = 150;
/** Minimum width that a column with longer words requests. */
const BROKEN_WORD = 72;
/** Minimum width of flexible columns when other columns need room. */
const MIN_COLUMN_WIDTH = 60;
/** Number of letters of a word that are measured at once. */
const LONG_PART = 200;
const EPSILON = 0.01;

/**
 * Adds scripts, directions and long words to pdfmake. Call it once per thread.
 *
 * @param language language of the document being laid out, such as `en-US`
 * @param hasGlyph characters that the documents' own font has
 */
export function extendPdfmake(language: () => string, hasGlyph: HasGlyph): void {
  const modules = pdfmakeModules();
  splitByScript(modules, language, hasGlyph);
  provideFallbacks(modules);
  breakAnywhere(modules);
  keepColumnsOnPage(modules);
}

function pdfmakeModules(): Modules {
  const require = createRequire(import.meta.url);
  const names = [
    'TextBreaker',
    'TextInlines',
    'StyleContextStack',
    'PDFDocument',
    'LayoutBuilder',
    'Line',
    'columnCalculator',
  ];
  return Object.fromEntries(
    names.map((name) => [name, (require(`pdfmake/js/${name}.js`) as { default: unknown }).default]),
  ) as unknown as Modules;
}

function splitByScript({ TextBreaker, StyleContextStack }: Modules, language: () => string, hasGlyph: HasGlyph): void {
  const { getBreaks } = TextBreaker.prototype;
  // architecture-exempt(outlives-request): set once in the documents thread, which knows no requests
  TextBreaker.prototype.getBreaks = function (texts, styles) {
    const items = (Array.isArray(texts) ? texts : [texts]).map((item): Item => (isItem(item) ? item : { text: item }));
    const strings = items.map(({ text }) =>
      String(text ?? '')
        .normalize('NFC')
        .replaceAll('\t', ' '),
    );
    // References to pages get their text later, and are numbers.
    if (strings.every(isPlain) || items.some((item) => item._textRef || item._pageRef || item._tocItemRef))
      return getBreaks.call(this, texts, styles).flatMap(inParts);
    const text = strings.join('');
    const property = (item: Item, name: string) => StyleContextStack.getStyleProperty(item, styles, name, null);
    const starts = strings.map((_, index) => strings.slice(0, index).join('').length);
    const keepsTogether = items.some((item) => property(item, 'noWrap'));
    const breaks = breaksOf(text, getBreaks.call(this, [{ text }], null)).filter(
      ({ lineFeed }) => lineFeed > 0 || !keepsTogether,
    );
    const runs = textRuns(text, { breaks, boundaries: new Set(starts), language: language(), hasGlyph });
    const pieces = runs.map((run, index): Item => {
      const source = starts.findLastIndex((start) => start <= run.start);
      const { text: _, ...style } = items[source] ?? {};
      const alignment = property(style, 'alignment') ?? 'left';
      return {
        ...style,
        text: run.text,
        bidiLevel: run.level,
        source,
        ...(run.font ? { font: run.font, fontFeatures: { rtl: run.level % 2 === 1 } } : {}),
        ...(run.endsLine ? { lineEnd: true } : {}),
        ...(run.canBreak || index === runs.length - 1 ? {} : { noNewLine: true }),
        // Aligns a paragraph to the side where its reading starts.
        ...(run.baseLevel % 2 === 1 && alignment === 'left' ? { alignment: 'right' } : {}),
      };
    });
    return pieces.flatMap(inParts);
  };
}

/** Splits very long words, so that they aren't measured as a whole for each line. */
function inParts(item: Item): Item[] {
  const text = String(item.text ?? '');
  if (text.length <= LONG_PART) return [item];
  const clusters = clustersOf(text);
  const parts: Item[] = [];
  for (let index = 0; index < clusters.length; index += LONG_PART)
    parts.push({ ...item, text: clusters.slice(index, index + LONG_PART).join(''), lineEnd: false, noNewLine: true });
  const last = parts.pop();
  return [...parts, { ...item, text: last?.text }];
}

function isItem(item: unknown): item is Item {
  return typeof item === 'object' && item !== null;
}

/** Returns where pdfmake's words end in the text. */
function breaksOf(text: string, pieces: readonly Item[]): LineBreak[] {
  let position = 0;
  return pieces.map((piece) => {
    position += String(piece.text).length;
    const lineFeed = piece.lineEnd
      ? (/^(?:\r\n|[\n\r\u0085\u2028\u2029\v\f])/.exec(text.slice(position))?.[0].length ?? 0)
      : 0;
    position += lineFeed;
    return { position, lineFeed };
  });
}

function provideFallbacks({ PDFDocument }: Modules): void {
  const { provideFont } = PDFDocument.prototype;
  // architecture-exempt(outlives-request): set once in the documents thread, which knows no requests
  PDFDocument.prototype.provideFont = function (family, bold, italics) {
    if (typeof family === 'string') return provideFont.call(this, family, bold, italics);
    const file = family as FontFile;
    const key = `${file.name}-${file.weight(bold)}`;
    let font = this._fontFamilies[key];
    if (!font) {
      this._fontCount += 1;
      font = file.open(this, bold, `F${this._fontCount}`);
      this._fontFamilies[key] = font;
    }
    return font;
  };
}

function breakAnywhere({ LayoutBuilder, TextInlines, Line }: Modules): void {
  const { buildInlines } = TextInlines.prototype;
  // architecture-exempt(outlives-request): set once in the documents thread, which knows no requests
  TextInlines.prototype.buildInlines = function (texts, styles) {
    const built = buildInlines.call(this, texts, styles);
    const isFixed = built.items.some(({ noWrap }) => noWrap);
    return { ...built, minWidth: isFixed ? built.maxWidth : narrowest(built.items) };
  };
  // architecture-exempt(outlives-request): set once in the documents thread, which knows no requests
  LayoutBuilder.prototype.buildNextLine = function (node) {
    const pending = node._inlines ?? [];
    if (pending.length === 0) return null;
    const line = new Line(this.writer.context().availableWidth);
    while (pending.length > 0 && !line.newLineForced) {
      const word = pending.slice(0, wordLength(pending));
      if (fits(line, word)) {
        for (const inline of word) line.addInline(inline);
        pending.splice(0, word.length);
      } else {
        if (line.inlines.length === 0) addPart(line, pending);
        break;
      }
    }
    line.lastLineInParagraph = pending.length === 0;
    if (line.inlines.some(({ bidiLevel }) => bidiLevel)) reorder(line);
    return line;
  };
}

/** Returns the number of inlines from `start` that belong together. */
function wordLength(inlines: readonly Inline[], start = 0): number {
  for (let index = start; index < inlines.length; index++) {
    const { noNewLine, lineEnd } = inlines[index] ?? {};
    if (!noNewLine || lineEnd) return index - start + 1;
  }
  return inlines.length - start;
}

/** Returns the width of a word without surrounding spaces. */
function wordWidth(word: readonly Inline[]): number {
  const width = word.reduce((sum, inline) => sum + inline.width, 0);
  return width - trailingSpace(word);
}

function trailingSpace(inlines: readonly Inline[]): number {
  let space = 0;
  for (const { width, trailingCut } of inlines.toReversed()) {
    space += trailingCut;
    if (trailingCut < width - EPSILON) break;
  }
  return space;
}

function narrowest(inlines: readonly Inline[]): number {
  let widest = 0;
  for (let index = 0; index < inlines.length; ) {
    const length = wordLength(inlines, index);
    const width = wordWidth(inlines.slice(index, index + length));
    widest = Math.max(widest, width > WHOLE_WORD ? BROKEN_WORD : width);
    index += length;
  }
  return widest;
}

function fits(line: Line, word: readonly Inline[]): boolean {
  const leadingCut = line.inlines.length > 0 ? line.leadingCut : (word[0]?.leadingCut ?? 0);
  return line.inlineWidths + wordWidth(word) - leadingCut <= line.maxWidth + EPSILON;
}

/** Adds as much of an overlong word to the line as fits, at least one letter; the remainder stays in `pending`. */
function addPart(line: Line, pending: Inline[]): void {
  for (let inline = pending[0]; inline; inline = pending[0]) {
    const room = line.maxWidth + EPSILON - line.inlineWidths;
    if (inline.width - inline.trailingCut <= room) {
      line.addInline(inline);
      pending.shift();
      continue;
    }
    const clusters = clustersOf(inline.text);
    let count = 0;
    while (count < clusters.length && widthOf(inline, clusters.slice(0, count + 1).join('')) <= room) count++;
    // Breaks between an amount and its currency rather than within the number.
    const space = clusters.slice(0, count + 1).lastIndexOf('\u00a0');
    if (space > 0 && !/\d/.test(clusters[space + 1] ?? '')) count = space + 1;
    if (count === 0 && line.inlines.length > 0) return;
    const head = clusters.slice(0, Math.max(count, 1)).join('');
    const tail = inline.text.slice(head.length);
    if (!tail) {
      line.addInline(inline);
      pending.shift();
      return;
    }
    line.addInline({ ...inline, text: head, width: widthOf(inline, head), trailingCut: 0, lineEnd: false });
    pending[0] = { ...inline, text: tail, width: widthOf(inline, tail), leadingCut: 0 };
    return;
  }
}

function widthOf(inline: Inline, text: string): number {
  const spacing = (inline.characterSpacing ?? 0) * Math.max(0, text.length - 1);
  return inline.font.widthOfString(text, inline.fontSize, inline.fontFeatures ?? undefined) + spacing;
}

/** Reorders the inlines of a line visually, and drops trailing spaces. */
function reorder(line: Line): void {
  line.inlineWidths -= trailingSpace(line.inlines);
  line.trailingCut = 0;
  for (const inline of line.inlines.toReversed()) {
    const isSpace = inline.trailingCut >= inline.width - EPSILON;
    inline.text = inline.text.trimEnd();
    inline.width -= inline.trailingCut;
    inline.trailingCut = 0;
    if (!isSpace) break;
  }
  let x = -line.leadingCut;
  // Draws from left to right, as PDF readers expect: they reverse right-to-left texts themselves.
  const visual = visualOrder(line.inlines.map(({ bidiLevel }) => bidiLevel ?? 0)).flatMap(
    (index) => line.inlines[index] ?? [],
  );
  line.inlines.length = 0;
  for (const inline of visual) {
    const previous = line.inlines.at(-1);
    if (previous?.fontFeatures?.rtl && previous.font === inline.font && previous.source === inline.source) {
      previous.text = inline.text + previous.text;
      previous.width += inline.width;
    } else {
      if (!inline.fontFeatures && (inline.bidiLevel ?? 0) % 2 === 1) inline.text = mirrored(inline.text);
      inline.x = x;
      line.inlines.push(inline);
    }
    x += inline.width;
  }
}

function keepColumnsOnPage({ columnCalculator }: Modules): void {
  const { buildColumnWidths } = columnCalculator;
  // architecture-exempt(outlives-request): set once in the documents thread, which knows no requests
  columnCalculator.buildColumnWidths = (columns, available, offset, table) => {
    buildColumnWidths(columns, available, offset, table);
    let excess = columns.reduce((sum, { _calcWidth }) => sum + _calcWidth, 0) - available;
    if (excess <= EPSILON) return;
    const isElastic = ({ width }: Column) => width === undefined || width === null || width === '*' || width === 'star';
    for (const column of columns.filter(isElastic)) {
      const less = Math.min(excess, Math.max(0, column._calcWidth - MIN_COLUMN_WIDTH));
      column._calcWidth -= less;
      excess -= less;
    }
    // Shrinks columns that are still too wide, starting with the widest, to a common width.
    const widths = columns.map(({ _calcWidth }) => _calcWidth).sort((a, b) => a - b);
    let remaining = available;
    let limit = Number.POSITIVE_INFINITY;
    for (const [index, width] of widths.entries()) {
      const share = remaining / (widths.length - index);
      if (width > share) {
        limit = Math.max(0, share);
        break;
      }
      remaining -= width;
    }
    for (const column of columns) column._calcWidth = Math.min(column._calcWidth, limit);
  };
}
