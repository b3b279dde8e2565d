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
  const begun = useRef<{ readonly before: unknown; readonly beside: HTMLElement | null; readonly all: number } | null>(
    null,
  );
  const [twelfths, setTwelfths] = useState(() => twelfthsOf(element));
  if (!row) return null;
  const widen = (column: HTMLElement, to: number): void => setValue(column, width, width.choices[to - 1]?.value ?? '');
  const show = (wanted: number): void => {
    const { beside = null, all = 12 } = begun.current ?? {};
    const next = Math.min(Math.max(Math.round(wanted), 1), beside ? all - 1 : 12);
    setTwelfths(next);
    widen(element, next);
    if (beside) widen(beside, all - next);
  };
  const begin = (): void => {
    field.deactivate();
    const beside = besideOf(element);
    const all = twelfthsOf(element) + (beside ? twelfthsOf(beside) : 0);
    begun.current = { before: field.value(), beside, all };
  };
  const end = (): void => {
    if (!begun.current) return;
    field.restructured(begun.current.before);
    begun.current = null;
    session.selectBlock(field, element);
  };
  const press = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    begin();
  };
  const drag = (event: PointerEvent<HTMLElement>): void => {
    if (!begun.current) return;
    const { left, right } = element.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(row).direction === 'rtl';
    const wanted = isRightToLeft ? right - event.clientX : event.clientX - left;
    show((wanted / row.clientWidth) * 12);
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
      aria-label={t('Width of the column')}
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
function besideOf(column: HTMLElement): HTMLElement | null {
  const next = neighbour(column, 'down');
  return next && next.offsetTop < column.offsetTop + column.offsetHeight ? next : null;
}

/** Displayed width of a column in twelfths of its line. */
function twelfthsOf(element: HTMLElement): number {
  const all = element.parentElement?.clientWidth ?? 0;
  return all === 0 ? 12 : Math.min(Math.max(Math.round((element.offsetWidth / all) * 12), 1), 12);
}
