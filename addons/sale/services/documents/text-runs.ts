import bidiFactory from 'bidi-js';
import {
  type EastAsianOrder,
  eastAsianOrder,
  type FontFile,
  fontFor,
  type HasGlyph,
  hasAll,
  invisible,
  isEmoji,
} from './fallback-fonts.ts';

// Its types declare an ES module, but its Node entry is CommonJS.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Left-to-right texts that Roboto covers completely: most texts, which skip all further work. */
const plain =
  /^[\t\n\r\x20-\x7e\xa0-\xac\xae-\u017f\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac]*$/;
/** Scripts that write no spaces between words. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Printed for characters that no font has. */
const replacement = '\ufffd';

export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** A part of a text with one font and one direction, up to the next line break opportunity or change of font, direction or style. */
export interface TextRun {
  readonly text: string;
  /** Offset of its first character in the text. */
  readonly start: number;
  /** Fallback font, or null for the document's own. */
  readonly font: FontFile | null;
  /** Level in the Unicode bidirectional algorithm: odd for right to left. */
  readonly level: number;
  /** Level of the paragraph: 1 if it runs from right to left. */
  readonly baseLevel: number;
  /** Whether a line may break after the run. */
  readonly canBreak: boolean;
  /** Whether the run ends the paragraph. */
  readonly endsLine: boolean;
}

/** A line break opportunity. */
export interface LineBreak {
  readonly position: number;
  /** Length of a line feed before `position`, if any. */
  readonly lineFeed: number;
}

/**
 * Splits a text into runs.
 *
 * @param breaks positions where lines may or must break, in order
 * @param boundaries additional offsets where a run must end, such as changes of style
 */
export function textRuns(
  text: string,
  {
    breaks,
    boundaries,
    language,
    hasGlyph,
  }: {
    readonly breaks: readonly LineBreak[];
    readonly boundaries: ReadonlySet<number>;
    readonly language: string;
    readonly hasGlyph: HasGlyph;
  },
): TextRun[] {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  const order = eastAsianOrder(text, language);
  const breakByPosition = new Map(breaks.map((lineBreak) => [lineBreak.position, lineBreak]));
  if (unspaced.test(text))
    for (const { index, segment, isWordLike } of words.segment(text))
      if (
        isWordLike &&
        unspaced.test(segment) &&
        index > 0 &&
        !breakByPosition.has(index) &&
        unspaced.test(text[index - 1] ?? '')
      )
        breakByPosition.set(index, { position: index, lineFeed: 0 });
  const runs: TextRun[] = [];
  let pending = '';
  let start = 0;
  let font: FontFile | null = null;
  let level = 0;
  let paragraph = 0;
  const baseLevel = () => paragraphs[paragraph]?.level ?? 0;
  const close = (canBreak: boolean, endsLine: boolean) => {
    if (pending || endsLine)
      runs.push({ text: pending, start, font, level, baseLevel: baseLevel(), canBreak, endsLine });
    // Invisible characters can separate a word from its line break position.
    else if (canBreak && runs.length > 0) runs[runs.length - 1] = { ...(runs.at(-1) as TextRun), canBreak };
    pending = '';
  };
  for (const { segment, index } of graphemes.segment(text)) {
    while (paragraph < paragraphs.length - 1 && index > (paragraphs[paragraph]?.end ?? 0)) paragraph++;
    const lineBreak = breakByPosition.get(index + segment.length);
    const feed = lineBreak?.lineFeed ?? 0;
    const cluster = feed > 0 ? segment.slice(0, segment.length - feed) : segment;
    const nextLevel = levels[index] ?? 0;
    // PDF readers keep the order of right-to-left words in the same font, including the spaces between them.
    const isInside: boolean =
      nextLevel % 2 === 1 && cluster === ' ' && pending !== '' && level === nextLevel && (font?.has([32]) ?? false);
    const glyphs: Shown = isInside ? { text: cluster, font } : glyphsOf(cluster, order, hasGlyph);
    if (glyphs.text) {
      if (pending && (glyphs.font !== font || nextLevel !== level || boundaries.has(index))) close(false, false);
      if (!pending) start = index;
      font = glyphs.font;
      level = nextLevel;
      pending += glyphs.text;
    }
    if (lineBreak) {
      if (!pending) [start, font, level] = [index, null, baseLevel()];
      close(true, feed > 0);
    }
  }
  close(true, false);
  return runs;
}

/** Text to print for a cluster, and its font; null for the document's default. */
interface Shown {
  readonly text: string;
  readonly font: FontFile | null;
}

function glyphsOf(cluster: string, order: EastAsianOrder, hasGlyph: HasGlyph): Shown {
  const visible = cluster.replace(invisible, '');
  if (!visible) return { text: '', font: null };
  if (!isEmoji(cluster) && hasAll(visible, hasGlyph)) return { text: visible, font: null };
  const font = fontFor(cluster, order);
  if (font) return { text: cluster, font };
  if (hasAll(visible, hasGlyph)) return { text: visible, font: null };
  const plain = visible.normalize('NFKC');
  if (hasAll(plain, hasGlyph)) return { text: plain, font: null };
  // If no font has a mark, drops the mark but keeps its letter.
  const [base = ''] = visible;
  const ofBase = base === visible ? null : glyphsOf(base, order, hasGlyph);
  return ofBase && ofBase.text !== replacement ? ofBase : { text: replacement, font: null };
}

/** Splits a text into clusters, between which a word that is too long may be cut. */
export function clustersOf(text: string): string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

/** Mirrors a right-to-left text without letters, such as brackets and spaces, for drawing from left to right. */
export function mirrored(text: string): string {
  return clustersOf(text)
    .map((cluster) => bidi.getMirroredCharacter(cluster) ?? cluster)
    .reverse()
    .join('');
}

/** Returns the order in which to draw the items of a line from left to right, by their bidirectional levels. */
export function visualOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, index) => index);
  for (let level = Math.max(...levels); level > 0; level--) {
    for (let index = 0; index < order.length; index++) {
      if ((levels[order[index] ?? 0] ?? 0) < level) continue;
      let end = index;
      while (end + 1 < order.length && (levels[order[end + 1] ?? 0] ?? 0) >= level) end++;
      order.splice(index, end - index + 1, ...order.slice(index, end + 1).reverse());
      index = end;
    }
  }
  return order;
}
