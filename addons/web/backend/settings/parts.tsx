import { t } from 'pergola/browser';
import type { ReactNode } from 'react';
import { formatMoment, formatNumber, zonedMoment } from '../lib/format.ts';
import { wireMoment } from '../lib/moments.ts';
import { useStart } from '../lib/start.tsx';
import type { Operation } from './calls.ts';

/** A moment in the user's time zone. */
export function Moment({ iso }: { iso: string | null }) {
  const { user } = useStart();
  if (!iso) return null;
  return <time dateTime={dateOf(iso).toISOString()}>{momentText(iso, user.timezone, user)}</time>;
}

/** A moment in the site's time zone, for columns whose heading names the zone. */
export function SiteMoment({ iso }: { iso: string }) {
  const { siteTimezone } = useStart();
  const date = dateOf(iso);
  return <time dateTime={date.toISOString()}>{formatMoment(wireMoment(date), siteTimezone)}</time>;
}

/** Formats a moment in a time zone, which is named if the reader's clock shows another time. */
export function momentText(iso: string, zone: string, reader: { readonly timezone: string }): string {
  return zonedMoment(wireMoment(dateOf(iso)), zone, reader);
}

function dateOf(iso: string): Date {
  return new Date(iso.includes('T') ? iso : `${iso.replace(' ', 'T')}Z`);
}

/** Tabs that filter by state, with counts if there are any. */
export function StateTabs<S extends string>({
  label,
  choices,
  selected,
  onChoose,
}: {
  label: string;
  choices: readonly { readonly state: S; readonly text: string; readonly count?: number }[];
  selected: S;
  onChoose(state: S): void;
}) {
  return (
    <fieldset className="apps-states" aria-label={label}>
      {choices.map(({ state, text, count }) => (
        <button
          key={state}
          type="button"
          className={`btn btn-sm btn-outline-secondary${state === selected ? ' active' : ''}`}
          aria-pressed={state === selected}
          onClick={() => onChoose(state)}
        >
          {text} {count !== undefined && <span className="apps-count">{formatNumber(count)}</span>}
        </button>
      ))}
    </fieldset>
  );
}

/** A table that becomes a list of cards on phones; each cell needs its `data-label`. */
export function CardTable({ label, head, children }: { label: string; head: readonly string[]; children: ReactNode }) {
  return (
    <table className="table settings-table">
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {head.map((text) => (
            <th key={text} scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** Label of an operation. */
export function operationText(operation: Operation): string {
  switch (operation) {
    case 'read':
      return t('Read');
    case 'write':
      return t('Edit');
    case 'create':
      return t('Create');
    default:
      return t('Delete');
  }
}
