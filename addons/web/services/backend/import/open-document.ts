import { Parser } from 'htmlparser2';

/** Size and hidden sheets of an OpenDocument spreadsheet, read before its cells. */
export interface OpenDocument {
  /** Names of hidden sheets. They are hidden by a table style, which SheetJS doesn't report. */
  readonly hidden: ReadonlySet<string>;
  /** Number of cells that SheetJS creates for all sheets. It copies repeated cells and cells of repeated rows. */
  readonly cells: number;
  /** Number of rows with such cells in the longest sheet. */
  readonly rows: number;
  /** Number of spaces that texts contain as a count. */
  readonly spaces: number;
}

/** Measures the `content.xml` of an OpenDocument file, or a flat one. */
export function measureOpenDocument(xml: string): OpenDocument {
  const hiddenStyles = new Set<string>();
  const hidden = new Set<string>();
  let style = '';
  let cells = 0;
  let longest = 0;
  let spaces = 0;
  let sheetRows = 0;
  let row = { repeats: 1, hasCells: false };
  const addCells = (count: number): void => {
    cells += count;
    if (!row.hasCells) sheetRows += row.repeats;
    row.hasCells = true;
    longest = Math.max(longest, sheetRows);
  };
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        // SheetJS ignores empty cells without content, which programs repeat to the end of a sheet.
        const isEmpty = xml[parser.endIndex - 1] === '/';
        const columns = repeats(attributes, 'number-columns-repeated');
        switch (localName(tag)) {
          case 'style':
            style = attributes['style:name'] ?? '';
            break;
          case 'table-properties':
            if (attributes['table:display'] === 'false') hiddenStyles.add(style);
            break;
          case 'table':
            sheetRows = 0;
            if (hiddenStyles.has(attributes['table:style-name'] ?? '')) hidden.add(attributes['table:name'] ?? '');
            break;
          case 'table-row':
            row = { repeats: repeats(attributes, 'number-rows-repeated'), hasCells: false };
            break;
          case 'table-cell':
            if (!isEmpty) addCells(columns * row.repeats);
            break;
          case 'covered-table-cell':
            addCells(columns);
            break;
          case 's':
            spaces += Number(attributes['text:c'] ?? 1);
            break;
        }
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return { hidden, cells, rows: longest, spaces };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Returns the repeat count of an element. Like SheetJS, ignores the prefix of the attribute. */
function repeats(attributes: Readonly<Record<string, string>>, name: string): number {
  const [, value] = Object.entries(attributes).find(([key]) => localName(key) === name) ?? [];
  return Math.max(1, Number(value ?? 1) || 1);
}
