/** What is done to tables: rows and columns come and go beside a cell. Cells that span several are left as wide as they are. */
type Side = 'before' | 'after';

/** A row beside the cell's, its cells empty. */
export function addRow(cell: HTMLTableCellElement, side: Side): void {
  const row = rowOf(cell);
  const first = tableOf(cell).tBodies[0]?.rows[0]?.cells[0];
  // Below the head the body begins.
  if (first && side === 'after' && row.parentElement?.localName === 'thead' && !row.nextElementSibling) {
    addRow(first, 'before');
    return;
  }
  const made = row.cloneNode(false) as HTMLTableRowElement;
  for (const one of row.cells)
    made.append(emptyLike(one, row.parentElement?.localName === 'thead' ? 'th' : one.localName));
  row[side](made);
}

/** A column beside the cell's. */
export function addColumn(cell: HTMLTableCellElement, side: Side): void {
  for (const one of columnOf(cell)) one[side](emptyLike(one, one.localName));
}

/** Takes the cell's row away; with the last one goes the table. */
export function removeRow(cell: HTMLTableCellElement): void {
  const table = tableOf(cell);
  rowOf(cell).remove();
  tidy(table);
}

/** Takes the cell's column away; with the last one goes the table. */
export function removeColumn(cell: HTMLTableCellElement): void {
  const table = tableOf(cell);
  for (const one of columnOf(cell)) one.remove();
  tidy(table);
}

/** Makes the cells of the row heads of their columns, or plain ones again. */
export function headRow(cell: HTMLTableCellElement): void {
  toggleHeads([...rowOf(cell).cells], 'col');
}

/** The same for the column: heads of their rows. What heads the column itself stays so. */
export function headColumn(cell: HTMLTableCellElement): void {
  const cells = columnOf(cell).filter((one) => one.scope !== 'col' && !one.closest('thead'));
  toggleHeads(cells, 'row');
}

/** Gives the table a title that can be written over, or takes it away. */
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

/** The cells of the same column, in every row that has one. */
function columnOf(cell: HTMLTableCellElement): HTMLTableCellElement[] {
  return [...tableOf(cell).rows].flatMap((row) => row.cells[cell.cellIndex] ?? []);
}

function emptyLike(cell: HTMLTableCellElement, name: string): HTMLElement {
  const made = document.createElement(name);
  for (const { name: attribute, value } of [...cell.attributes])
    if (/^(class|scope|style)$/.test(attribute)) made.setAttribute(attribute, value);
  return made;
}

/** Parts without rows go, and a table without cells. */
function tidy(table: HTMLTableElement): void {
  for (const row of [...table.rows]) if (row.cells.length === 0) row.remove();
  for (const part of table.querySelectorAll('thead, tbody, tfoot')) if (part.children.length === 0) part.remove();
  if (table.rows.length === 0) (table.closest('.table-responsive') ?? table).remove();
}
