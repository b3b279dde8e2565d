import { t } from 'pergola/browser';
import { lazy, type ReactNode, Suspense, useId } from 'react';
import { formatDay, formatMoney, formatNumber } from '../lib/format.ts';
import { Go } from '../lib/go.tsx';
import { Icon } from '../lib/icon.tsx';
import { useStart } from '../lib/start.tsx';
import type { DashboardFigure, DashboardLine, DashboardTrend, DashboardWidget } from '../types.ts';

const FiguresChart = lazy(() => import('../figures/chart.tsx'));

/** A widget of the dashboard. */
export function Widget({ widget, children }: { widget: DashboardWidget; children: ReactNode }) {
  const id = useId();
  const { label, icon, content } = widget;
  return (
    <section className="home-widget" aria-labelledby={id} data-widget={widget.id}>
      <header>
        <h2 id={id}>
          <Icon name={icon} /> {label}
        </h2>
        {children}
      </header>
      {content === null ? (
        <p className="text-body-secondary">{t('This couldn’t be calculated.')}</p>
      ) : (
        <>
          {content.trend && <Trend trend={content.trend} label={label} />}
          {content.figures.length > 0 && <Figures figures={content.figures} />}
          {content.lines.length > 0 && <Lines lines={content.lines} />}
          {!content.trend && content.figures.length + content.lines.length === 0 && (
            <p className="text-body-secondary">{t('Nothing to do here.')}</p>
          )}
        </>
      )}
    </section>
  );
}

function Figures({ figures }: { figures: readonly DashboardFigure[] }) {
  return (
    <ul className="home-figures">
      {figures.map(({ label, value, urgent, to }) => (
        <li key={label}>
          <Go to={to} className={urgent ? 'urgent' : undefined}>
            <strong>{formatNumber(value)}</strong> <span>{label}</span>
          </Go>
        </li>
      ))}
    </ul>
  );
}

function Lines({ lines }: { lines: readonly DashboardLine[] }) {
  return (
    <ul className="home-lines">
      {lines.map(({ label, note, count, urgent, done: isDone, to }) => (
        <li key={`${label} ${note}`} className={isDone ? 'done' : undefined}>
          {isDone !== null && <Icon name={isDone ? 'check-circle' : 'circle'} />}
          <Go to={to}>
            {label}
            {isDone && <span className="visually-hidden"> ({t('done')})</span>}
          </Go>
          {note && <span className="text-body-secondary">{note}</span>}
          {count !== null && <span className={`backend-badge${urgent ? ' urgent' : ''}`}>{formatNumber(count)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** A series of days with its total, compared with the preceding period. */
function Trend({ trend: { labels, series, to }, label }: { trend: DashboardTrend; label: string }) {
  const { currencies } = useStart();
  const text = (value: number, currency: string | null): string =>
    currency ? formatMoney(value, [0, currency], currencies) : formatNumber(value);
  return (
    <>
      <ul className="home-sums">
        {series.map(({ label: name, currency, values, before: previous }) => {
          const sum = values.reduce((all, value) => all + value, 0);
          return (
            <li key={`${name} ${currency}`}>
              <Go to={to}>
                <strong>{text(sum, currency)}</strong> <span>{name}</span>
              </Go>
              <Change sum={sum} before={previous} text={text(previous, currency)} />
            </li>
          );
        })}
      </ul>
      {series.length > 0 && (
        <Suspense fallback={<div className="figures-chart small" />}>
          <FiguresChart kind="bar" small labels={labels.map(formatDay)} series={series} label={label} format={text} />
        </Suspense>
      )}
    </>
  );
}

function Change({ sum, before: previous, text }: { sum: number; before: number; text: string }) {
  if (previous === 0) return null;
  const change = formatNumber((sum - previous) / previous, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  return (
    <span className="home-change text-body-secondary">
      <Icon name={sum >= previous ? 'arrow-up' : 'arrow-down'} />{' '}
      {t('{change} (previously {amount})', { change, amount: text })}
    </span>
  );
}

/** Buttons that move or hide a widget. */
export function WidgetTools({
  id,
  label,
  isFirst,
  isLast,
  onMove,
  onHide,
}: {
  id: string;
  label: string;
  isFirst: boolean;
  isLast: boolean;
  onMove(step: -1 | 1): void;
  onHide(): void;
}) {
  return (
    <span className="home-tools">
      <button
        type="button"
        className={`btn btn-icon${isFirst ? ' disabled' : ''}`}
        aria-disabled={isFirst}
        aria-label={t('Move “{name}” forward', { name: label })}
        onClick={() => !isFirst && onMove(-1)}
      >
        <Icon name="arrow-left" />
      </button>
      <button
        type="button"
        className={`btn btn-icon${isLast ? ' disabled' : ''}`}
        aria-disabled={isLast}
        aria-label={t('Move “{name}” back', { name: label })}
        onClick={() => !isLast && onMove(1)}
      >
        <Icon name="arrow-right" />
      </button>
      <button
        type="button"
        className="btn btn-icon"
        data-toggles={id}
        aria-label={t('Remove {name}', { name: label })}
        onClick={onHide}
      >
        <Icon name="x-lg" />
      </button>
    </span>
  );
}

/** Hidden widgets, which can be shown again. */
export function HiddenWidgets({
  hidden,
  onShow,
}: {
  hidden: readonly { readonly id: string; readonly label: string }[];
  onShow(id: string): void;
}) {
  if (hidden.length === 0) return <p className="text-body-secondary mt-3">{t('Everything is already shown.')}</p>;
  return (
    <section className="home-hidden" data-slot="hidden-widgets">
      <h2 className="h5">{t('Hidden')}</h2>
      <ul>
        {hidden.map(({ id, label }) => (
          <li key={id}>
            <button
              type="button"
              className="btn btn-sm btn-outline-secondary"
              data-toggles={id}
              onClick={() => onShow(id)}
            >
              <Icon name="plus-lg" /> {label}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
