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
  const newRow = row.cloneNode(false) as HTMLTableRowElement;
  for (const sibling of row.cells)
    newRow.append(emptyLike(sibling, row.parentElement?.localName === 'thead' ? 'th' : sibling.localName));
  row[side](newRow);
}

/** Adds an empty column before or after the cell's column. */
export function addColumn(cell: HTMLTableCellElement, side: Side): void {
  for (const sibling of columnOf(cell)) sibling[side](emptyLike(sibling, sibling.localName));
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
  for (const columnCell of columnOf(cell)) columnCell.remove();
  tidy(table);
}

/** Toggles the cells of the row between column headers and plain cells. */
export function headRow(cell: HTMLTableCellElement): void {
  toggleHeads([...rowOf(cell).cells], 'col');
}

/** Toggles the cells of the column between row headers and plain cells. Keeps the column's own header. */
export function headColumn(cell: HTMLTableCellElement): void {
  const cells = columnOf(cell).filter((columnCell) => columnCell.scope !== 'col' && !columnCell.closest('thead'));
  toggleHeads(cells, 'row');
}

/** Adds an editable caption with these words, or removes the caption. */
export function toggleCaption(cell: HTMLTableCellElement, words: string): void {
  const table = tableOf(cell);
  if (table.caption) table.deleteCaption();
  else table.createCaption().textContent = words;
}

function toggleHeads(cells: readonly HTMLTableCellElement[], scope: 'col' | 'row'): void {
  const isHead = cells.every(({ localName }) => localName === 'th');
  for (const original of cells) {
    const replacement = emptyLike(original, isHead ? 'td' : 'th');
    if (isHead) replacement.removeAttribute('scope');
    else replacement.setAttribute('scope', scope);
    replacement.replaceChildren(...original.childNodes);
    original.replaceWith(replacement);
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
  const copy = document.createElement(name);
  for (const { name: attribute, value } of [...cell.attributes])
    if (/^(class|scope|style)$/.test(attribute)) copy.setAttribute(attribute, value);
  return copy;
}

/** Removes empty table sections, and the table if it has no cells. */
function tidy(table: HTMLTableElement): void {
  for (const row of [...table.rows]) if (row.cells.length === 0) row.remove();
  for (const part of table.querySelectorAll('thead, tbody, tfoot')) if (part.children.length === 0) part.remove();
  if (table.rows.length === 0) (table.closest('.table-responsive') ?? table).remove();
}
