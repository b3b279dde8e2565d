import { Direction, type Font, Buffer as ShapeBuffer, shape } from 'harfbuzzjs';
import type { FontFile } from './fallback-fonts.ts';
import { type PlacedGlyph, subsetFont } from './font-subset.ts';

/** An object of the PDF file, as created by pdfkit. */
export interface PdfReference {
  data: Record<string, unknown>;
  end(content?: Uint8Array | string): void;
}
/** The part of pdfkit's document that fonts need. */
export interface PdfKitDocument {
  ref(data?: Record<string, unknown>): PdfReference;
}
/** Passed through pdfmake as "font features", from measuring to drawing. */
export interface ShapeFeatures {
  readonly rtl: boolean;
}

/** Some fonts reserve height for stacked marks that hardly any text has. */
const MAX_ASCENDER = 1069;
const MAX_DESCENDER = 450;

/** Glyphs that belong together, such as a letter and its marks, in font units. */
interface Cluster {
  /** Characters for copying and searching. */
  readonly text: string;
  readonly glyphs: readonly PlacedGlyph[];
  readonly advance: number;
}

function shapeText(file: FontFile, weight: number, text: string, rtl: boolean): Cluster[] {
  return shapeWith(file.font(weight), text, rtl);
}

/** Shapes a text of one direction with HarfBuzz, like browsers; returns its clusters from left to right. */
export function shapeWith(font: Font, text: string, rtl: boolean): Cluster[] {
  const buffer = new ShapeBuffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  buffer.setDirection(rtl ? Direction.RTL : Direction.LTR);
  shape(font, buffer);
  const infos = buffer.getGlyphInfos();
  const positions = buffer.getGlyphPositions();
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b);
  const ends = new Map(starts.map((start, index) => [start, starts[index + 1] ?? text.length]));
  const clusters = new Map<number, { text: string; glyphs: PlacedGlyph[]; advance: number }>();
  for (const [index, { codepoint: id, cluster: start }] of infos.entries()) {
    let cluster = clusters.get(start);
    if (!cluster) {
      cluster = { text: text.slice(start, ends.get(start)), glyphs: [], advance: 0 };
      clusters.set(start, cluster);
    }
    const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[index] ?? {};
    cluster.glyphs.push({ id, x: cluster.advance + xOffset, y: yOffset });
    cluster.advance += xAdvance;
  }
  return [...clusters.values()];
}

/** Cluster behind a character code of the file. */
interface Entry extends Cluster {
  readonly width: number;
}

/**
 * A PDF font whose texts are shaped by HarfBuzz; pdfkit and pdfmake use it like their own. A cluster of several glyphs becomes a single
 * glyph in the file, so copied and searched text keeps the order of typed letters, even if the script moves or joins them.
 */
export class ShapedFont {
  readonly id: string;
  readonly name: string;
  readonly ascender: number;
  readonly descender: number;
  readonly lineGap: number;
  readonly xHeight = 536;
  readonly capHeight = 714;
  readonly #document: PdfKitDocument;
  readonly #file: FontFile;
  readonly #weight: number;
  readonly #scale: number;
  readonly #codes = new Map<string, number>();
  readonly #entries: Entry[] = [];
  readonly #shaped = new Map<string, Cluster[]>();
  #dictionary: PdfReference | null = null;
  #isEmbedded = false;

  constructor(document: PdfKitDocument, file: FontFile, bold: boolean, id: string) {
    this.#document = document;
    this.#file = file;
    this.#weight = file.weight(bold);
    this.#scale = 1000 / file.face(this.#weight).upem;
    this.id = id;
    this.name = `${file.name}-${this.#weight}`;
    const { ascender, descender, lineGap } = file.font(this.#weight).hExtents();
    this.ascender = Math.min(ascender * this.#scale, MAX_ASCENDER);
    this.descender = Math.max(descender * this.#scale, -MAX_DESCENDER);
    this.lineGap = lineGap * this.#scale;
    this.#codeOf({ text: '', glyphs: [{ id: 0, x: 0, y: 0 }], advance: 0 }, false);
  }

  lineHeight(size: number, includeGap = false): number {
    return ((this.ascender + (includeGap ? this.lineGap : 0) - this.descender) / 1000) * size;
  }

  widthOfString(text: string, size: number, features?: ShapeFeatures): number {
    return (this.#shape(text, features).reduce((width, { advance }) => width + advance, 0) * this.#scale * size) / 1000;
  }

  /** Returns codes and positions of a text, in thousandths of the font size. */
  encode(text: string, features?: ShapeFeatures) {
    const codes: string[] = [];
    const positions: object[] = [];
    for (const cluster of this.#shape(text, features)) {
      const [code, width] = this.#codeOf(cluster, features?.rtl ?? false);
      codes.push(hex(code));
      positions.push(positionOf(cluster.advance * this.#scale, width));
      if (features?.rtl) continue;
      for (const char of charactersOf(cluster.text).slice(1)) {
        codes.push(hex(this.#silentCode(char)));
        positions.push(positionOf(0, 0));
      }
    }
    return [codes, positions] as const;
  }

  ref(): PdfReference {
    this.#dictionary ??= this.#document.ref();
    return this.#dictionary;
  }

  /** Writes the font to the file, with the used glyphs. */
  finalize(): void {
    if (this.#isEmbedded || !this.#dictionary) return;
    this.#isEmbedded = true;
    const file = this.#document.ref();
    const { content, composed } = subsetFont(this.#file.sfnt(this.#weight), {
      glyphs: this.#entries.flatMap(({ glyphs }) => glyphs.map(({ id }) => id)),
      compose: this.#entries.filter(isComposed).map(({ glyphs, advance }) => ({ glyphs, advance })),
      weight: this.#file.family.weights ? null : this.#weight,
    });
    file.end(content);
    let next = composed;
    const ids = this.#entries.map((entry) => (isComposed(entry) ? next++ : (entry.glyphs[0]?.id ?? 0)));
    // Readers distinguish font subsets by six letters before the name.
    const prefix = [...this.id.padStart(6, 'A')].map((char) => (/[A-Z]/.test(char) ? char : letterOf(char))).join('');
    const name = `${prefix}+${this.name}`;
    const descriptor = this.#document.ref({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: 4,
      FontBBox: [-1000, this.descender, 3000, this.ascender],
      ItalicAngle: 0,
      Ascent: this.ascender,
      Descent: this.descender,
      CapHeight: this.capHeight,
      XHeight: this.xHeight,
      StemV: 0,
      FontFile2: file,
    });
    descriptor.end();
    const glyphOfCode = this.#document.ref();
    glyphOfCode.end(new Uint8Array(ids.flatMap((id) => [id >> 8, id & 0xff])));
    const descendant = this.#document.ref({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
      FontDescriptor: descriptor,
      W: [0, this.#entries.map(({ width }) => width)],
      CIDToGIDMap: glyphOfCode,
    });
    descendant.end();
    this.#dictionary.data = {
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: this.#toUnicode(),
    };
    this.#dictionary.end();
  }

  #shape(text: string, features?: ShapeFeatures): Cluster[] {
    const rtl = features?.rtl ?? false;
    const key = `${rtl}/${text}`;
    const shaped = this.#shaped.get(key) ?? shapeText(this.#file, this.#weight, text, rtl);
    this.#shaped.set(key, shaped);
    return shaped;
  }

  /** Returns the code of a cluster, and its width in the file. */
  #codeOf({ text, glyphs, advance }: Cluster, rtl: boolean): readonly [number, number] {
    const [first] = glyphs;
    const isSingle = glyphs.length === 1 && first?.x === 0 && first.y === 0;
    const key = `${text}/${glyphs.map(({ id, x, y }) => `${id},${x},${y}`).join('/')}${isSingle ? '' : `/${advance}`}`;
    let code = this.#codes.get(key);
    if (code === undefined) {
      const units = isSingle ? this.#file.font(this.#weight).glyphHAdvance(first.id) : advance;
      code =
        this.#entries.push({
          text: rtl ? reversed(text) : (charactersOf(text)[0] ?? ''),
          glyphs,
          advance: units,
          width: units * this.#scale,
        }) - 1;
      this.#codes.set(key, code);
    }
    return [code, this.#entries[code]?.width ?? 0];
  }

  #silentCode(char: string): number {
    const key = `silent/${char}`;
    let code = this.#codes.get(key);
    if (code === undefined) {
      code = this.#entries.push({ text: char, glyphs: [], advance: 0, width: 0 }) - 1;
      this.#codes.set(key, code);
    }
    return code;
  }

  #toUnicode(): PdfReference {
    const entries = this.#entries.map(({ text }, code) => `<${hex(code)}> <${utf16(text)}>`);
    const blocks: string[] = [];
    for (let index = 0; index < entries.length; index += 100) {
      const block = entries.slice(index, index + 100);
      blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
    }
    const map = this.#document.ref();
    map.end(
      [
        '/CIDInit /ProcSet findresource begin',
        '12 dict begin',
        'begincmap',
        '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
        '/CMapName /Adobe-Identity-UCS def',
        '/CMapType 2 def',
        '1 begincodespacerange',
        '<0000><ffff>',
        'endcodespacerange',
        ...blocks,
        'endcmap',
        'CMapName currentdict /CMap defineresource pop',
        'end',
        'end',
      ].join('\n'),
    );
    return map;
  }
}

function hex(value: number): string {
  return value.toString(16).padStart(4, '0');
}

function positionOf(xAdvance: number, advanceWidth: number) {
  return { xAdvance, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth };
}

function isComposed({ glyphs: [first, ...others] }: Entry): boolean {
  return others.length > 0 || first?.x !== 0 || first.y !== 0;
}

/** PDF readers expect a code for each letter, except invisible ones such as joiners, which they would drop. */
function charactersOf(text: string): string[] {
  return /\p{Cf}/u.test(text) ? [text] : [...text];
}

/** PDF readers reverse right-to-left text letter by letter. */
function reversed(text: string): string {
  return [...text].reverse().join('');
}

/** Encodes a text in UTF-16, as hexadecimal digits. */
function utf16(text: string): string {
  return [...Array(text.length).keys()].map((index) => hex(text.charCodeAt(index))).join('');
}

function letterOf(char: string): string {
  return String.fromCharCode(65 + (char.charCodeAt(0) % 26));
}
