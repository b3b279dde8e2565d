/** Table actions: add and remove rows and columns next to a cell. Cells that span several rows or columns keep their span. */
type Side = 'before' | 'after';

/** Adds an empty row before or after the cell's row. */
export function addRow(cell: HTMLTableCellElement, side: Side): void {
  const row = rowOf(cell);
  const first = tableOf(cell).tBodies[0]?.rows[0]?.cells[0];
  // Below the header row, the new row goes into the table body.
  if (first && side === 'after' && row.parentElement?.localName === 'thead' && !row.nextElementSibling) {
    addRow(first, 'before');
    return;
  }
  const made = row.cloneNode(false) as HTMLTableRowElement;
  for (const one of row.cells)
    made.append(emptyLike(one, row.parentElement?.localName === 'thead' ? 'th' : one.localName));
  row[side](made);
}

/** Adds an empty column before or after the cell's column. */
export function addColumn(cell: HTMLTableCellElement, side: Side): void {
  for (const one of columnOf(cell)) one[side](emptyLike(one, one.localName));
}

/** Removes the cell's row, and the table with its last row. */
export function removeRow(cell: HTMLTableCellElement): void {
  const table = tableOf(cell);
  rowOf(cell).remove();
  tidy(table);
}

/** Removes the cell's column, and the table with its last column. */
export function removeColumn(cell: HTMLTableCellElement): void {
  const table = tableOf(cell);
  for (const one of columnOf(cell)) one.remove();
  tidy(table);
}

/** Toggles the cells of the row between column headers and plain cells. */
export function headRow(cell: HTMLTableCellElement): void {
  toggleHeads([...rowOf(cell).cells], 'col');
}

/** Toggles the cells of the column between row headers and plain cells. Keeps the column's own header. */
export function headColumn(cell: HTMLTableCellElement): void {
  const cells = columnOf(cell).filter((one) => one.scope !== 'col' && !one.closest('thead'));
  toggleHeads(cells, 'row');
}

/** Adds an editable caption with these words, or removes the caption. */
export function turnCaption(cell: HTMLTableCellElement, words: string): void {
  const table = tableOf(cell);
  if (table.caption) table.deleteCaption();
  else table.createCaption().textContent = words;
}

function toggleHeads(cells: readonly HTMLTableCellElement[], scope: 'col' | 'row'): void {
  const isHead = cells.every(({ localName }) => localName === 'th');
  for (const one of cells) {
    const made = emptyLike(one, isHead ? 'td' : 'th');
    if (isHead) made.removeAttribute('scope');
    else made.setAttribute('scope', scope);
    made.replaceChildren(...one.childNodes);
    one.replaceWith(made);
  }
}

function rowOf(cell: HTMLTableCellElement): HTMLTableRowElement {
  return cell.parentElement as HTMLTableRowElement;
}

function tableOf(cell: HTMLTableCellElement): HTMLTableElement {
  return cell.closest('table') as HTMLTableElement;
}

/** Cells of the same column, in every row that has one. */
function columnOf(cell: HTMLTableCellElement): HTMLTableCellElement[] {
  return [...tableOf(cell).rows].flatMap((row) => row.cells[cell.cellIndex] ?? []);
}

function emptyLike(cell: HTMLTableCellElement, name: string): HTMLElement {
  const made = document.createElement(name);
  for (const { name: attribute, value } of [...cell.attributes])
    if (/^(class|scope|style)$/.test(attribute)) made.setAttribute(attribute, value);
  return made;
}

/** Removes empty table sections, and the table if it has no cells. */
function tidy(table: HTMLTableElement): void {
  for (const row of [...table.rows]) if (row.cells.length === 0) row.remove();
  for (const part of table.querySelectorAll('thead, tbody, tfoot')) if (part.children.length === 0) part.remove();
  if (table.rows.length === 0) (table.closest('.table-responsive') ?? table).remove();
}
