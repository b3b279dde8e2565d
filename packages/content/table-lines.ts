interface Cell {
  html: string;
  hasTable?: boolean;
}

/** A table being parsed. */
interface Table {
  readonly rows: Cell[][];
  cell: Cell | null;
  /** Rows still covered by a cell above, by column. */
  readonly covered: number[];
}

const tag = /<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|[^">])*)>/gi;
const tableTags = /^(table|caption|colgroup|col|thead|tbody|tfoot|tr|td|th)$/;
const hasTableTag = /<(table|caption|colgroup|col|thead|tbody|tfoot|tr|td|th)[\s/>]/i;
const blockTag =
  /<\/?(p|div|h[1-6]|blockquote|pre|ul|ol|li|dl|dt|dd|hr|br|section|article|header|footer|figure|figcaption|details|summary)(\s(?:"[^"]*"|[^">])*|\s*\/)?>/gi;
/** Content that doesn't fit on one line. */
const manyLines = /<(ul|ol|dl|pre|blockquote|h[1-6])[\s/>]/i;
/** Limit for columns that keep their position; spans of wider tables are ignored, so that they can't multiply the text. */
const MAX_COLUMNS = 20;

/**
 * Converts tables to lines of text for places that don't support tables: one line per row, with cells separated by “ | ”. Cells with lists,
 * headings or nested tables become paragraphs instead, and so does the only cell of a row.
 *
 * @param html as written by a browser or the sanitiser: well-formed, attributes in double quotes
 */
export function tablesAsLines(html: string): string {
  if (!hasTableTag.test(html)) return html;
  const open: Table[] = [];
  let output = '';
  const write = (text: string): void => {
    const table = open.at(-1);
    if (!table) output += text;
    else if (table.cell) table.cell.html += text;
    else if (text.trim() !== '') table.rows.push([{ html: text }]);
  };
  let end = 0;
  for (const { 0: tagText, 1: slash, 2: name = '', 3: attributes = '', index } of html.matchAll(tag)) {
    write(html.slice(end, index));
    end = index + tagText.length;
    const element = name.toLowerCase();
    if (!tableTags.test(element)) write(tagText);
    else if (element === 'table' && !slash) open.push({ rows: [], cell: null, covered: [] });
    else if (element === 'table') {
      const table = open.pop();
      const outer = open.at(-1)?.cell;
      if (outer) outer.hasTable = true;
      if (table) write(linesOf(table));
    } else readPart(open.at(-1), element, slash === '/', attributes, write);
  }
  write(html.slice(end));
  for (let table = open.pop(); table; table = open.pop()) write(linesOf(table));
  return output;
}

/** Parses the tag of a row or cell. */
function readPart(
  table: Table | undefined,
  element: string,
  isEnd: boolean,
  attributes: string,
  write: (text: string) => void,
): void {
  const isCell = /^(td|th|caption)$/.test(element);
  if (!table) write(' ');
  else if (isEnd && isCell) table.cell = null;
  else if (element === 'tr' && !isEnd) {
    table.cell = null;
    table.rows.push([]);
  } else if (isCell && !isEnd) {
    if (element === 'caption' || table.rows.length === 0) table.rows.push([]);
    addCell(table, attributes);
    if (element === 'caption') table.rows.push([]);
  }
}

function addCell(table: Table, attributes: string): void {
  const row = table.rows.at(-1) ?? [];
  const { covered } = table;
  const skipCovered = (): void => {
    for (let column = row.length; (covered[column] ?? 0) > 0; column = row.length) {
      covered[column] = (covered[column] ?? 0) - 1;
      row.push({ html: '' });
    }
  };
  skipCovered();
  const cell = { html: '' };
  const columns = Math.min(spanIn(attributes, 'colspan'), Math.max(MAX_COLUMNS - row.length, 1));
  const rows = spanIn(attributes, 'rowspan');
  for (let i = 0; i < columns; i++) {
    if (row.length < MAX_COLUMNS) covered[row.length] = rows - 1;
    row.push(i === 0 ? cell : { html: '' });
  }
  table.cell = cell;
}

function spanIn(attributes: string, name: 'colspan' | 'rowspan'): number {
  return Math.max(Number(new RegExp(`\\b${name}="?(\\d{1,4})`, 'i').exec(attributes)?.[1] ?? 1), 1);
}

function linesOf({ rows }: Table): string {
  let html = '';
  let lines: string[] = [];
  const endParagraph = (): void => {
    if (lines.length > 0) html += `<p>${lines.join('<br>')}</p>`;
    lines = [];
  };
  for (const row of rows) {
    const filled = row.filter((cell) => !isBlank(cell.html));
    if (filled.length === 0) continue;
    if (row.length > 1 && !filled.some((cell) => cell.hasTable || manyLines.test(cell.html))) {
      lines.push(
        row
          .map((cell) => lineOf(cell.html))
          .join(' | ')
          .replace(/(\s\|\s*)+$/, ''),
      );
      continue;
    }
    for (const cell of filled) {
      if (cell.html.search(blockTag) < 0) lines.push(lineOf(cell.html));
      else {
        endParagraph();
        html += `<div>${cell.html.trim()}</div>`;
      }
    }
  }
  endParagraph();
  return html;
}

function lineOf(html: string): string {
  return html.replace(blockTag, ' ').replace(/\s+/g, ' ').trim();
}

function isBlank(html: string): boolean {
  return !/<img[\s/>]/i.test(html) && html.replace(tag, '').replace(/&nbsp;|\s/g, '') === '';
}
