import { Parser } from 'htmlparser2';
import { momentText, type NumberFormat, numberFormat } from './formats.ts';
import type { Cell, SheetName, TableRow } from './table.ts';

interface SheetPart extends SheetName {
  readonly path: string;
}

/** Thrown for a sheet that holds more than is read. */
export class TooLargeSheet extends Error {
  override readonly name = 'TooLargeSheet';
  readonly kind: 'rows' | 'columns';

  constructor(kind: 'rows' | 'columns') {
    super(kind);
    this.kind = kind;
  }
}

/**
 * Reads the sheets of an Office Open XML workbook. Unlike the libraries we know, it keeps errors apart from empty cells, and times apart from dates.
 */
export class Workbook {
  readonly sheets: readonly SheetPart[];
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #texts: readonly string[];
  readonly #formats: readonly NumberFormat[];
  readonly #is1904: boolean;

  /** @throws RangeError if the files aren't those of a workbook. */
  constructor(files: ReadonlyMap<string, Buffer>) {
    this.#files = files;
    const path = [...files.keys()].find((name) => /(?:^|\/)workbook\d*\.xml$/.test(name));
    if (path === undefined) throw new RangeError('no workbook');
    const folder = path.replace(/[^/]*$/, '');
    const targets = new Map<string, string>();
    let [texts, styles] = ['', ''];
    this.#walk(`${folder}_rels/${path.slice(folder.length)}.rels`, {
      open: (tag, { Id = '', Type = '', Target = '' }) => {
        if (tag !== 'Relationship') return;
        const target = (Target.startsWith('/') ? Target.slice(1) : `${folder}${Target}`).toLowerCase();
        if (Type.endsWith('/sharedStrings')) texts = target;
        if (Type.endsWith('/styles')) styles = target;
        if (Type.endsWith('/worksheet')) targets.set(Id, target);
      },
    });
    const sheets: SheetPart[] = [];
    let is1904 = false;
    this.#walk(path, {
      open: (tag, attributes) => {
        if (tag === 'workbookPr') is1904 = isTrue(attributes.date1904);
        if (tag !== 'sheet') return;
        const id = Object.entries(attributes).find(([name]) => /(?:^|:)id$/.test(name))?.[1] ?? '';
        const target = targets.get(id);
        const { name = '', state = 'visible' } = attributes;
        if (target !== undefined) sheets.push({ name, hidden: state !== 'visible', path: target });
      },
    });
    this.sheets = sheets;
    this.#is1904 = is1904;
    this.#texts = this.#readTexts(texts);
    this.#formats = this.#readFormats(styles);
  }

  /**
   * The rows of a sheet that have cells, with their numbers.
   *
   * @throws TooLargeSheet
   */
  rows({ path }: SheetPart, limits: { readonly rows: number; readonly columns: number }): TableRow[] {
    const rows: TableRow[] = [];
    let line = 0;
    let cells: Cell[] = [];
    let cell: CellXml | null = null;
    let column = -1;
    let text: 'value' | 'inline' | null = null;
    let isPhonetic = false;
    this.#walk(path, {
      open: (tag, { r, s, t }) => {
        if (tag === 'row') {
          line = Number(r) || line + 1;
          [cells, column] = [[], -1];
        } else if (tag === 'c') {
          column = r === undefined ? column + 1 : columnOf(r);
          cell = { type: t ?? 'n', style: Number(s ?? 0), value: undefined, inline: '', isFormula: false };
        } else if (tag === 'rPh') isPhonetic = true;
        else if (cell !== null && tag === 'f') cell.isFormula = true;
        else if (cell !== null && tag === 'v') {
          cell.value = '';
          text = 'value';
        } else if (cell !== null && tag === 't' && !isPhonetic) text = 'inline';
      },
      text: (part) => {
        if (cell === null || text === null) return;
        if (text === 'value') cell.value += part;
        else cell.inline += part;
      },
      close: (tag) => {
        if (tag === 'v' || tag === 't') text = null;
        else if (tag === 'rPh') isPhonetic = false;
        else if (tag === 'c' && cell !== null) {
          const value = this.#valueOf(cell);
          cell = null;
          if (value === null || value === '') return;
          if (column >= limits.columns) throw new TooLargeSheet('columns');
          while (cells.length < column) cells.push(null);
          cells[column] = value;
        } else if (tag === 'row' && cells.length > 0) {
          if (rows.length >= limits.rows) throw new TooLargeSheet('rows');
          rows.push({ line, cells });
        }
      },
    });
    return rows;
  }

  #valueOf({ type, style, value, inline, isFormula }: CellXml): Cell {
    if (type === 'e') return { error: value?.trim() || '#N/A' };
    if (isFormula && (value === undefined || (value === '' && type !== 'str'))) return { error: '' };
    switch (type) {
      case 's':
        return this.#texts[Number(value)] ?? null;
      case 'str':
        return unescaped(value ?? '');
      case 'inlineStr':
        return unescaped(inline);
      case 'b':
        return value === undefined ? null : isTrue(value);
      case 'd':
        return isoText(value ?? '');
      default:
        return value === undefined || value.trim() === '' ? null : this.#numberOf(Number(value), style);
    }
  }

  #numberOf(number: number, style: number): Cell {
    if (!Number.isFinite(number)) return { error: '#NUM!' };
    const format = this.#formats[style];
    // Spreadsheets calculate with 15 digits; the rest is noise of binary fractions.
    const exact = Number(number.toPrecision(15));
    if (format?.percent) return percentText(exact);
    if (!format?.date && !format?.time) return exact;
    return momentText(number, format, this.#is1904) ?? exact;
  }

  #readTexts(path: string): string[] {
    const texts: string[] = [];
    let text = '';
    let isText = false;
    let isPhonetic = false;
    this.#walk(path, {
      open: (tag) => {
        if (tag === 'si') text = '';
        else if (tag === 'rPh') isPhonetic = true;
        else if (tag === 't') isText = !isPhonetic;
      },
      text: (part) => {
        if (isText) text += part;
      },
      close: (tag) => {
        if (tag === 'si') texts.push(unescaped(text));
        else if (tag === 'rPh') isPhonetic = false;
        else if (tag === 't') isText = false;
      },
    });
    return texts;
  }

  #readFormats(path: string): NumberFormat[] {
    const codes = new Map<number, string>();
    const ids: number[] = [];
    let isCell = false;
    this.#walk(path, {
      open: (tag, attributes) => {
        if (tag === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
        else if (tag === 'cellXfs') isCell = true;
        else if (tag === 'xf' && isCell) ids.push(Number(attributes.numFmtId ?? 0));
      },
      close: (tag) => {
        if (tag === 'cellXfs') isCell = false;
      },
    });
    return ids.map((id) => numberFormat(id, codes.get(id)));
  }

  /** Reads a part of the workbook; names of elements come without their prefix. */
  #walk(path: string, { open, text, close }: Walker): void {
    const content = this.#files.get(path);
    if (!content) return;
    const local = (name: string): string => name.slice(name.indexOf(':') + 1);
    let problem: unknown = null;
    const parser = new Parser(
      {
        onopentag: (name, attributes) => open(local(name), attributes),
        ontext: (part) => text?.(part),
        onclosetag: (name) => close?.(local(name)),
        onerror: (error) => {
          problem = error;
        },
      },
      { xmlMode: true },
    );
    const decoder = new TextDecoder(content[0] === 0xff ? 'utf-16le' : content[0] === 0xfe ? 'utf-16be' : 'utf-8');
    for (let at = 0; at < content.length && problem === null; at += CHUNK)
      parser.write(decoder.decode(content.subarray(at, at + CHUNK), { stream: true }));
    parser.end();
    if (problem !== null) throw problem;
  }
}

const CHUNK = 1_000_000;

interface CellXml {
  readonly type: string;
  readonly style: number;
  value: string | undefined;
  inline: string;
  isFormula: boolean;
}

interface Walker {
  open(tag: string, attributes: Readonly<Record<string, string>>): void;
  text?(part: string): void;
  close?(tag: string): void;
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** The index of a column, 27 for `AB3`. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? '';
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Control characters, which XML can't hold, are written `_x000D_`. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** A date cell (`t="d"`) has ISO text, without a zone. */
function isoText(value: string): Cell {
  const moment = Date.parse(/Z$|[+-]\d\d:\d\d$/.test(value) || !value.includes('T') ? value : `${value}Z`);
  if (Number.isNaN(moment)) return value === '' ? null : value;
  const text = new Date(Math.round(moment / 1000) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return text.replace(/ 00:00:00$/, '').replace(/(?<=:\d\d):00$/, '');
}

/** `12.5%` for 0.125. A fourth decimal tells three of them from thousands. */
function percentText(share: number): string {
  const text = Number((share * 100).toPrecision(15)).toLocaleString('en-US', {
    useGrouping: false,
    maximumFractionDigits: 15,
  });
  return `${/\.\d{3}$/.test(text) ? `${text}0` : text}%`;
}
