import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** HarfBuzz's subsetter; its JavaScript package only wraps the shaper. */
interface Subsetter {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(bytes: number): number;
  free(address: number): void;
  hb_blob_create(address: number, bytes: number, mode: number, userData: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_pin_axis_location(input: number, face: number, axis: number, value: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

/** Constants from hb-subset.h. */
const NO_HINTING = 0x1;
const RETAIN_GIDS = 0x2;
const NOTDEF_OUTLINE = 0x40;
const DROP_TABLE_TAG = 3;
const WRITABLE = 2;

/** Tables that a PDF file doesn't use: text is already shaped, and the file has its own character mapping. */
const unusedTables = ['GSUB', 'GPOS', 'GDEF', 'name', 'cmap', 'OS/2', 'post', 'STAT', 'DSIG', 'gasp'];

// architecture-exempt(mutable-module): runs in the documents thread only, and fonts are the same for every application
let subsetter: Subsetter | null = null;

function load(): Subsetter {
  if (subsetter) return subsetter;
  const file = fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
  subsetter = exports as unknown as Subsetter;
  subsetter._initialize();
  return subsetter;
}

/** A glyph and its position, in font units. */
export interface PlacedGlyph {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}
/** A glyph composed of others. */
export interface ComposedGlyph {
  readonly glyphs: readonly PlacedGlyph[];
  readonly advance: number;
}

/**
 * Creates a static TrueType font with some glyphs of another font, which keep their ids, and glyphs composed of them.
 *
 * @param font a whole TrueType font, variable or static
 * @param glyphs all glyphs in use, including parts of composed ones
 * @param weight position on the `wght` axis, or null if the font has no such axis
 * @returns the font, and the id of the first composed glyph; the others follow
 * @throws Error if HarfBuzz can't read the font
 */
export function subsetFont(
  font: Uint8Array,
  {
    glyphs,
    compose,
    weight,
  }: { readonly glyphs: Iterable<number>; readonly compose: readonly ComposedGlyph[]; readonly weight: number | null },
): { readonly content: Uint8Array; readonly composed: number } {
  return composeGlyphs(reduceFont(font, glyphs, weight), compose);
}

function reduceFont(font: Uint8Array, glyphs: Iterable<number>, weight: number | null): Uint8Array {
  const hb = load();
  const address = hb.malloc(font.byteLength);
  new Uint8Array(hb.memory.buffer, address, font.byteLength).set(font);
  const blob = hb.hb_blob_create(address, font.byteLength, WRITABLE, 0, 0);
  const face = hb.hb_face_create(blob, 0);
  const input = hb.hb_subset_input_create_or_fail();
  let subset = 0;
  try {
    const glyphSet = hb.hb_subset_input_glyph_set(input);
    for (const glyph of glyphs) hb.hb_set_add(glyphSet, glyph);
    const dropped = hb.hb_subset_input_set(input, DROP_TABLE_TAG);
    for (const table of unusedTables) hb.hb_set_add(dropped, tag(table));
    hb.hb_subset_input_set_flags(input, NO_HINTING | RETAIN_GIDS | NOTDEF_OUTLINE);
    if (weight !== null) hb.hb_subset_input_pin_axis_location(input, face, tag('wght'), weight);
    subset = hb.hb_subset_or_fail(face, input);
    if (subset === 0) throw new Error('The font cannot be reduced to the glyphs in use.');
    const result = hb.hb_face_reference_blob(subset);
    const start = hb.hb_blob_get_data(result, 0);
    const content = new Uint8Array(hb.memory.buffer, start, hb.hb_blob_get_length(result)).slice();
    hb.hb_blob_destroy(result);
    return content;
  } finally {
    if (subset) hb.hb_face_destroy(subset);
    hb.hb_subset_input_destroy(input);
    hb.hb_face_destroy(face);
    hb.hb_blob_destroy(blob);
    hb.free(address);
  }
}

function tag(name: string): number {
  return [...name.padEnd(4)].reduce((value, char) => (value << 8) | char.charCodeAt(0), 0);
}

/** Returns the tables of a TrueType font. */
function tablesOf(font: Uint8Array): Map<string, Uint8Array> {
  const view = viewOf(font);
  const tables = new Map<string, Uint8Array>();
  for (let index = 0; index < view.getUint16(4); index++) {
    const record = 12 + index * 16;
    const start = view.getUint32(record + 8);
    tables.set(
      String.fromCharCode(...font.subarray(record, record + 4)),
      font.slice(start, start + view.getUint32(record + 12)),
    );
  }
  return tables;
}

const HAS_WORDS = 0x1;
const ARE_OFFSETS = 0x2;
const MORE_COMPONENTS = 0x20;
/** Length of a composite glyph's header, and of each of its parts. */
const HEAD = 10;
const PART = 8;

function composeGlyphs(
  font: Uint8Array,
  compose: readonly ComposedGlyph[],
): { readonly content: Uint8Array; readonly composed: number } {
  const tables = tablesOf(font);
  const table = (name: string) => tables.get(name) ?? new Uint8Array(64);
  const [head, maxp, hhea] = [viewOf(table('head')), viewOf(table('maxp')), viewOf(table('hhea'))];
  const count = maxp.getUint16(4);
  if (compose.length === 0) return { content: font, composed: count };
  const loca = viewOf(table('loca'));
  const isLong = head.getInt16(50) === 1;
  const offsets = Array.from({ length: count + 1 }, (_, id) =>
    isLong ? loca.getUint32(id * 4) : loca.getUint16(id * 2) * 2,
  );
  const outlines = table('glyf');
  const [metrics, metricsCount] = [viewOf(table('hmtx')), hhea.getUint16(34)];
  const widths = Array.from({ length: count }, (_, id) => metrics.getUint16(Math.min(id, metricsCount - 1) * 4));
  const bearings = Array.from({ length: count }, (_, id) =>
    metrics.getInt16(id < metricsCount ? id * 4 + 2 : metricsCount * 4 + (id - metricsCount) * 2),
  );
  const parts: Uint8Array[] = [outlines, new Uint8Array(-outlines.length & 3)];
  let end = outlines.length + (-outlines.length & 3);
  // Empty glyphs in between need offsets, too; the first composed glyph starts after the padding.
  offsets[count] = offsets[count] ?? outlines.length;
  const starts: number[] = [];
  for (const { glyphs, advance } of compose) {
    const visible = glyphs.filter(({ id }) => (offsets[id + 1] ?? 0) > (offsets[id] ?? 0));
    const glyph = new Uint8Array(
      visible.length === 0 ? 0 : HEAD + visible.length * PART + (visible.length % 2 === 0 ? 2 : 0),
    );
    const boxes = visible.map(({ id, x, y }) => {
      const box = viewOf(outlines).buffer.slice(
        outlines.byteOffset + (offsets[id] ?? 0),
        outlines.byteOffset + (offsets[id] ?? 0) + HEAD,
      );
      const numbers = new DataView(box);
      return [
        numbers.getInt16(2) + x,
        numbers.getInt16(4) + y,
        numbers.getInt16(6) + x,
        numbers.getInt16(8) + y,
      ] as const;
    });
    const bounds = [
      Math.min(...boxes.map(([left]) => left)),
      Math.min(...boxes.map(([, bottom]) => bottom)),
      Math.max(...boxes.map(([, , right]) => right)),
      Math.max(...boxes.map(([, , , top]) => top)),
    ];
    if (visible.length > 0) {
      const view = viewOf(glyph);
      view.setInt16(0, -1);
      for (const [index, bound] of bounds.entries()) view.setInt16(2 + index * 2, Math.round(bound));
      for (const [index, { id, x, y }] of visible.entries()) {
        const start = HEAD + index * PART;
        view.setUint16(start, HAS_WORDS | ARE_OFFSETS | (index < visible.length - 1 ? MORE_COMPONENTS : 0));
        view.setUint16(start + 2, id);
        view.setInt16(start + 4, Math.round(x));
        view.setInt16(start + 6, Math.round(y));
      }
    }
    starts.push(end);
    parts.push(glyph);
    end += glyph.length;
    widths.push(Math.round(advance));
    bearings.push(visible.length > 0 ? Math.round(bounds[0] ?? 0) : 0);
  }
  const total = count + compose.length;
  tables.set('glyf', joined(parts));
  tables.set('loca', encodeNumbers([...offsets.slice(0, count), ...starts, end], 4));
  tables.set(
    'hmtx',
    encodeNumbers(
      widths.flatMap((width, id) => [width, bearings[id] ?? 0]),
      2,
    ),
  );
  head.setInt16(50, 1);
  maxp.setUint16(4, total);
  maxp.setUint16(28, Math.max(maxp.getUint16(28), ...compose.map(({ glyphs }) => glyphs.length)));
  maxp.setUint16(30, maxp.getUint16(30) + 1);
  hhea.setUint16(34, total);
  return { content: fontOf(tables), composed: count };
}

function fontOf(tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const directory = new Uint8Array(12 + sorted.length * 16);
  const view = viewOf(directory);
  const power = Math.floor(Math.log2(sorted.length));
  view.setUint32(0, 0x00010000);
  view.setUint16(4, sorted.length);
  view.setUint16(6, 2 ** power * 16);
  view.setUint16(8, power);
  view.setUint16(10, sorted.length * 16 - 2 ** power * 16);
  const parts: Uint8Array[] = [directory];
  let start = directory.length;
  for (const [index, [name, content]] of sorted.entries()) {
    const record = 12 + index * 16;
    const filled = joined([content, new Uint8Array(-content.length & 3)]);
    view.setUint32(record, tag(name));
    view.setUint32(record + 4, checksum(filled));
    view.setUint32(record + 8, start);
    view.setUint32(record + 12, content.length);
    parts.push(filled);
    start += filled.length;
  }
  return joined(parts);
}

function checksum(content: Uint8Array): number {
  const view = viewOf(content);
  let sum = 0;
  for (let index = 0; index < content.length; index += 4) sum = (sum + view.getUint32(index)) >>> 0;
  return sum;
}

function viewOf(content: Uint8Array): DataView {
  return new DataView(content.buffer, content.byteOffset, content.byteLength);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Encodes numbers in 2 or 4 bytes each. */
function encodeNumbers(numbers: readonly number[], bytes: 2 | 4): Uint8Array {
  const content = new Uint8Array(numbers.length * bytes);
  const view = viewOf(content);
  for (const [index, value] of numbers.entries())
    if (bytes === 2) view.setUint16(index * 2, value & 0xffff);
    else view.setUint32(index * 4, value);
  return content;
}
