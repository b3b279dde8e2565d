import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, readonly [row: number, cell: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves between cells of a table body by arrow keys, unless the user is typing. */
export function walkCells(event: KeyboardEvent<HTMLTableElement>): void {
  const step = steps[event.key];
  const target = event.target as HTMLElement;
  if (!step || target.closest('input:not([type=checkbox]), select, textarea, [role=combobox], [role=separator]'))
    return;
  const cell = target.closest('td');
  const row = cell?.closest('tr');
  if (!cell || !row) return;
  const [down, right] = step;
  let next: Element | null = row;
  if (down !== 0) next = down > 0 ? row.nextElementSibling : row.previousElementSibling;
  const cells = [...(next?.children ?? [])];
  const place = Math.min(Math.max(cell.cellIndex + right, 0), cells.length - 1);
  const targetCell = cells[place];
  if (!(targetCell instanceof HTMLElement)) return;
  event.preventDefault();
  const inside = targetCell.querySelector<HTMLElement>('a, button, input');
  const focused = inside ?? targetCell;
  if (focused === targetCell && !targetCell.hasAttribute('tabindex')) targetCell.tabIndex = -1;
  focused.focus();
  targetCell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
