import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Face, Font } from 'harfbuzzjs';
import type { PdfKitDocument, ShapedFont } from './shaped-font.ts';

/*
 * Noto fonts for characters that Roboto lacks. Each package splits a family into files by character range, as browsers load them. Only the
 * files needed for a document are read, and only used glyphs get into the PDF.
 */

/** Loaded with the first text that needs it. */
async function importTools() {
  const [harfbuzz, woff2, shaped] = await Promise.all([
    import('harfbuzzjs'),
    import('woff2-encoder/decompress'),
    import('./shaped-font.ts'),
  ]);
  return { ...harfbuzz, decompress: woff2.default, ShapedFont: shaped.ShapedFont };
}
// architecture-exempt(mutable-module): runs in the documents thread only, and fonts are the same for every application
let tools: Awaited<ReturnType<typeof importTools>> | null = null;

function loadedTools() {
  if (!tools) throw new Error('The fonts are not loaded.');
  return tools;
}

/** A font family and its files. */
interface Family {
  readonly id: string;
  /** Weights of the files, unless the font is variable. */
  readonly weights?: readonly number[];
  /** Set if the ranges are narrower than the file's contents. */
  readonly anyCharacter?: boolean;
}

/** Font families by script, named after their packages. */
const byScript: readonly (readonly [RegExp, string])[] = [
  [/\p{Script_Extensions=Arabic}/u, 'noto-sans-arabic'],
  [/\p{Script=Hebrew}/u, 'noto-sans-hebrew'],
  [/\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}/u, 'noto-sans'],
  [/\p{Script_Extensions=Devanagari}/u, 'noto-sans-devanagari'],
  [/\p{Script=Thai}/u, 'noto-sans-thai'],
  [/\p{Script=Bengali}/u, 'noto-sans-bengali'],
  [/\p{Script=Tamil}/u, 'noto-sans-tamil'],
  [/\p{Script=Telugu}/u, 'noto-sans-telugu'],
  [/\p{Script=Gujarati}/u, 'noto-sans-gujarati'],
  [/\p{Script=Gurmukhi}/u, 'noto-sans-gurmukhi'],
  [/\p{Script=Kannada}/u, 'noto-sans-kannada'],
  [/\p{Script=Malayalam}/u, 'noto-sans-malayalam'],
  [/\p{Script=Oriya}/u, 'noto-sans-oriya'],
  [/\p{Script=Sinhala}/u, 'noto-sans-sinhala'],
  [/\p{Script=Khmer}/u, 'noto-sans-khmer'],
  [/\p{Script=Lao}/u, 'noto-sans-lao'],
  [/\p{Script=Myanmar}/u, 'noto-sans-myanmar'],
  [/\p{Script=Armenian}/u, 'noto-sans-armenian'],
  [/\p{Script=Georgian}/u, 'noto-sans-georgian'],
  [/\p{Script=Ethiopic}/u, 'noto-sans-ethiopic'],
];
const emoji = 'noto-emoji';
/** Families for characters of no script, such as arrows and combining marks. */
const symbols = ['noto-sans', 'noto-sans-math', 'noto-sans-symbols', 'noto-sans-symbols-2', emoji];
const families = new Map<string, Family>(
  [
    ...byScript.map(([, id]) => ({ id })),
    ...['noto-sans-jp', 'noto-sans-kr', 'noto-sans-sc', 'noto-sans-tc', 'noto-sans-symbols', emoji].map((id) => ({
      id,
    })),
    { id: 'noto-sans-math', weights: [400], anyCharacter: true },
    { id: 'noto-sans-symbols-2', weights: [400], anyCharacter: true },
    { id: 'noto-sans-myanmar', weights: [400, 600] },
  ].map((family) => [family.id, family]),
);

const ideographs = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}/u;
/** Punctuation and full-width forms of East Asian texts, which belong to no script. */
const eastAsian = /[\u3000-\u303f\u30fb\u30fc\u31c0-\u33ff\ufe30-\ufe4f\uff00-\uffef]/u;
const asEmoji = /\p{Emoji_Presentation}|[\ufe0f\u20e3]|\p{Emoji}\p{Emoji_Modifier}/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** Characters that aren't printed themselves. */
export const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;
const ignorable = /^\p{Default_Ignorable_Code_Point}$/u;

/** Whether the document's own font has a character. */
export type HasGlyph = (codePoint: number) => boolean;

/** East Asian families in the order to try them: the same ideographs look different in each. */
export type EastAsianOrder = readonly string[];

/** Returns the order for a text: by letters that only one language uses, or else by the document's language. */
export function eastAsianOrder(text: string, language: string): EastAsianOrder {
  const first = /\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)
    ? 'jp'
    : /\p{Script=Hangul}/u.test(text)
      ? 'kr'
      : /\p{Script=Bopomofo}/u.test(text)
        ? 'tc'
        : /^ja/i.test(language)
          ? 'jp'
          : /^ko/i.test(language)
            ? 'kr'
            : /^zh[-_](hant|tw|hk|mo)/i.test(language)
              ? 'tc'
              : 'sc';
  return [...new Set([first, 'sc', 'tc', 'jp', 'kr'])].map((suffix) => `noto-sans-${suffix}`);
}

/** A file of a family: a font for certain character ranges. */
export class FontFile {
  readonly family: Family;
  readonly #name: string;
  readonly #ranges: readonly (readonly [number, number])[];
  readonly #contents = new Map<number, { readonly sfnt: Uint8Array; readonly face: Face }>();
  readonly #fonts = new Map<number, Font>();
  #characters: ReadonlySet<number> | null = null;

  constructor(family: Family, subset: string, ranges: string) {
    this.family = family;
    this.#name = `${family.id}-${subset.replace(/[[\]]/g, '')}`;
    this.#ranges = ranges.split(',').map((range) => {
      const [from = '0', to = from] = range.trim().replace(/^U\+/i, '').split('-');
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
    });
  }

  get name(): string {
    return this.#name;
  }

  get isLoaded(): boolean {
    return this.#characters !== null;
  }

  /** Whether the file is meant for all these characters; loading it shows whether it has them. */
  claims(codePoints: readonly number[]): boolean {
    return (
      this.family.anyCharacter ||
      codePoints.every((point) => this.#ranges.some(([from, to]) => point >= from && point <= to))
    );
  }

  /** Whether the loaded file has glyphs for all these characters. */
  has(codePoints: readonly number[]): boolean {
    const characters = this.#characters;
    return characters !== null && codePoints.every((point) => characters.has(point));
  }

  /** Reads the file in all weights. */
  async load(): Promise<void> {
    for (const weight of this.family.weights ?? [0]) {
      if (this.#contents.has(weight)) continue;
      const file = path.join(
        packageFolder(this.family),
        'files',
        `${this.#name}-${weight === 0 ? 'wght' : weight}-normal.woff2`,
      );
      const { Blob, Face, decompress } = loadedTools();
      const sfnt = new Uint8Array(await decompress(await readFile(file)));
      const face = new Face(new Blob(sfnt.slice().buffer));
      this.#contents.set(weight, { sfnt, face });
      this.#characters ??= new Set(face.collectUnicodes());
    }
  }

  /** Returns the family's weight that goes with Roboto Regular or Medium. */
  weight(bold: boolean): number {
    return bold && this.family.weights?.length !== 1 ? 600 : 400;
  }

  /** Returns the font for shaping. The file must be loaded. */
  font(weight: number): Font {
    let font = this.#fonts.get(weight);
    if (!font) {
      const { Font, Variation } = loadedTools();
      font = new Font(this.#content(weight).face);
      if (!this.family.weights) font.setVariations([new Variation('wght', weight)]);
      this.#fonts.set(weight, font);
    }
    return font;
  }

  /** Returns the font for a document in which it is called `id`. */
  open(document: PdfKitDocument, bold: boolean, id: string): ShapedFont {
    return new (loadedTools().ShapedFont)(document, this, bold, id);
  }

  face(weight: number): Face {
    return this.#content(weight).face;
  }

  /** Returns the uncompressed font. */
  sfnt(weight: number): Uint8Array {
    return this.#content(weight).sfnt;
  }

  #content(weight: number) {
    const content = this.#contents.get(this.family.weights ? weight : 0);
    if (!content) throw new Error(`The font ${this.#name} is not loaded in the weight ${weight}.`);
    return content;
  }
}

function packageFolder({ id, weights }: Family): string {
  const scope = weights ? '@fontsource' : '@fontsource-variable';
  return path.dirname(fileURLToPath(import.meta.resolve(`${scope}/${id}/unicode.json`)));
}

// architecture-exempt(mutable-module): runs in the documents thread only, and fonts are the same for every application
const files = new Map<string, readonly FontFile[]>();

function filesOf(id: string): readonly FontFile[] {
  let entries = files.get(id);
  if (!entries) {
    const family = families.get(id);
    if (!family) throw new Error(`There is no font family ${id}.`);
    const ranges = JSON.parse(readFileSync(path.join(packageFolder(family), 'unicode.json'), 'utf8')) as Record<
      string,
      string
    >;
    entries = Object.entries(ranges).map(([subset, range]) => new FontFile(family, subset, range));
    files.set(id, entries);
  }
  return entries;
}

function visiblePoints(cluster: string): number[] {
  return [...cluster].filter((char) => !ignorable.test(char)).map((char) => char.codePointAt(0) ?? 0);
}

function* candidates(cluster: string, order: EastAsianOrder): Generator<FontFile> {
  const points = [...cluster].map((char) => char.codePointAt(0) ?? 0);
  const visible = visiblePoints(cluster);
  const ids = new Set<string>();
  if (asEmoji.test(cluster)) ids.add(emoji);
  if (ideographs.test(cluster) || eastAsian.test(cluster)) for (const id of order) ids.add(id);
  for (const [script, id] of byScript) if (script.test(cluster)) ids.add(id);
  if (ids.size === 0 || asEmoji.test(cluster)) for (const id of [...symbols, ...order]) ids.add(id);
  for (const id of ids) {
    const family = filesOf(id);
    // Files for the whole sequence come first: others have its parts, but not the combined picture.
    const exactFiles = family.filter((file) => file.claims(points));
    yield* exactFiles;
    yield* family.filter((file) => !exactFiles.includes(file) && file.claims(visible));
  }
}

/** Whether to show a text as an emoji picture, even if a text font has the character. */
export function isEmoji(cluster: string): boolean {
  return asEmoji.test(cluster);
}

/** Loads the first file with all characters of a cluster; returns whether one exists. */
async function loadFontFor(cluster: string, order: EastAsianOrder): Promise<boolean> {
  const points = visiblePoints(cluster);
  if (points.length === 0) return true;
  for (const file of candidates(cluster, order)) {
    if (!file.isLoaded) await file.load();
    if (file.has(points)) return true;
  }
  return false;
}

// architecture-exempt(mutable-module): runs in the documents thread only, and fonts are the same for every application
const fileByKey = new Map<string, FontFile>();

/** Returns the loaded file for a cluster, or null if no font has it. */
export function fontFor(cluster: string, order: EastAsianOrder): FontFile | null {
  const key = `${order[0]}/${cluster}`;
  const cachedFile = fileByKey.get(key);
  if (cachedFile) return cachedFile;
  const points = visiblePoints(cluster);
  for (const file of candidates(cluster, order)) {
    if (!file.isLoaded || !file.has(points)) continue;
    fileByKey.set(key, file);
    return file;
  }
  return null;
}

/** Loads the fonts for texts; adds characters that no font has to `missing`. */
export async function loadFonts(
  texts: Iterable<string>,
  {
    language,
    hasGlyph,
    missing,
  }: { readonly language: string; readonly hasGlyph: HasGlyph; readonly missing: Set<string> },
): Promise<void> {
  const seen = new Set<string>();
  tools ??= await importTools();
  for (const text of texts) {
    const order = eastAsianOrder(text, language);
    for (const { segment } of graphemes.segment(text)) {
      const key = `${order[0]}/${segment}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const visible = segment.replace(invisible, '');
      if (!visible || (!isEmoji(segment) && hasAll(visible, hasGlyph))) continue;
      if ((await loadFontFor(segment, order)) || hasAll(visible.normalize('NFKC'), hasGlyph)) continue;
      for (const char of visible) {
        if (!hasGlyph(char.codePointAt(0) ?? 0) && !(await loadFontFor(char, order))) missing.add(char);
      }
    }
  }
}

export function hasAll(text: string, hasGlyph: HasGlyph): boolean {
  return [...text].every((char) => hasGlyph(char.codePointAt(0) ?? 0));
}

/** Returns the characters for which a font file has glyphs. Requires `loadFonts` first. */
export function charactersOf(file: string): ReadonlySet<number> {
  const { Blob, Face } = loadedTools();
  return new Set(new Face(new Blob(new Uint8Array(readFileSync(file)).buffer)).collectUnicodes());
}
