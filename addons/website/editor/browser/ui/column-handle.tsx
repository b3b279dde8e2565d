import { t } from 'pergola/browser';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { SnippetOption } from '../../../snippets/point.ts';
import { neighbour } from '../dom/blocks.ts';
import { setValue } from '../options.ts';
import type { EditSession, SessionView } from '../session.ts';

export interface ColumnHandleProps {
  readonly session: EditSession;
  readonly block: NonNullable<SessionView['block']>;
  /** Width option of columns, with one choice per twelfth. */
  readonly width: SnippetOption;
  readonly style: CSSProperties;
}

/** Resize handle on a column's edge, used by dragging or with arrow keys. The next column takes the remaining width of both. */
export function ColumnHandle({ session, block: { field, element }, width, style }: ColumnHandleProps) {
  const row = element.parentElement;
  const dragStart = useRef<{
    readonly before: unknown;
    readonly beside: HTMLElement | null;
    readonly all: number;
  } | null>(null);
  const [twelfths, setTwelfths] = useState(() => twelfthsOf(element));
  if (!row) return null;
  const widen = (column: HTMLElement, to: number): void => setValue(column, width, width.choices[to - 1]?.value ?? '');
  const show = (target: number): void => {
    const { beside: nextColumn = null, all = 12 } = dragStart.current ?? {};
    const next = Math.min(Math.max(Math.round(target), 1), nextColumn ? all - 1 : 12);
    setTwelfths(next);
    widen(element, next);
    if (nextColumn) widen(nextColumn, all - next);
  };
  const begin = (): void => {
    field.deactivate();
    const next = nextInLine(element);
    const all = twelfthsOf(element) + (next ? twelfthsOf(next) : 0);
    dragStart.current = { before: field.value(), beside: next, all };
  };
  const end = (): void => {
    if (!dragStart.current) return;
    field.restructured(dragStart.current.before);
    dragStart.current = null;
    session.selectBlock(field, element);
  };
  const press = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    begin();
  };
  const drag = (event: PointerEvent<HTMLElement>): void => {
    if (!dragStart.current) return;
    const { left, right } = element.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(row).direction === 'rtl';
    const offset = isRightToLeft ? right - event.clientX : event.clientX - left;
    show((offset / row.clientWidth) * 12);
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    begin();
    show(twelfthsOf(element) + step);
    end();
  };
  return (
    <div
      className="ed-column-edge"
      style={style}
      role="slider"
      tabIndex={0}
      aria-label={t('Column width')}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={12}
      aria-valuenow={twelfths}
      aria-valuetext={t('{n} of 12', { n: twelfths })}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={key}
    />
  );
}

/** Next column if it is in the same line. */
function nextInLine(column: HTMLElement): HTMLElement | null {
  const next = neighbour(column, 'down');
  return next && next.offsetTop < column.offsetTop + column.offsetHeight ? next : null;
}

/** Displayed width of a column in twelfths of its line. */
function twelfthsOf(element: HTMLElement): number {
  const all = element.parentElement?.clientWidth ?? 0;
  return all === 0 ? 12 : Math.min(Math.max(Math.round((element.offsetWidth / all) * 12), 1), 12);
}
