import { t } from 'pergola/browser';
import { momentsAt, zoneName } from 'pergola/zones';
import { useEffect, useRef, useState } from 'react';
import { formatMoment } from '../lib/format.ts';
import { clocksOf, fromLocalInput, localInput, momentOf, needsZone, wireMoment, zoneOf } from '../lib/moments.ts';
import { useStart } from '../lib/start.tsx';
import type { EditProps } from './registry.tsx';
import { inputProps } from './text.tsx';

/** A day without a zone. */
export function DateEdit(props: EditProps) {
  const { value, field, onChange } = props;
  return (
    <input
      {...inputProps(props)}
      type="date"
      value={typeof value === 'string' ? value.slice(0, 10) : ''}
      required={field.required}
      onChange={(event) => onChange(event.target.value || false)}
    />
  );
}

/** Editor for a moment in the zone declared by the field, else in the user's zone, which is named below the input. */
export function DateTimeEdit(props: EditProps) {
  const clocks = clocksOf(useStart());
  const { value, field, record, onChange, describedBy, id, inList } = props;
  const zone = zoneOf(field, record, clocks);
  const [skipped, setSkipped] = useState<string | null>(null);
  const text = localInput(value, zone);
  const choices = momentsAt(text, zone);
  const noteId = `${id}-zone`;
  // Tables of lines have no room to repeat the reader's zone.
  const isObvious = inList && !needsZone(zone, momentOf(value) ?? new Date(), clocks);
  useKeptClock(props, zone);
  const change = (text: string): void => {
    const next = fromLocalInput(text, zone);
    setSkipped(next !== false && localInput(next, zone) !== text.slice(0, 16) ? text : null);
    onChange(next);
  };
  return (
    <>
      <input
        {...inputProps({ ...props, describedBy: [describedBy, noteId].filter(Boolean).join(' ') })}
        type="datetime-local"
        title={inList ? zoneName(zone, t) : undefined}
        value={text}
        required={field.required}
        onChange={(event) => change(event.target.value)}
      />
      {choices.length > 1 && (
        <select
          className="form-select form-select-sm mt-1"
          aria-label={t('Before or after the clock change')}
          disabled={props.disabled}
          value={String(value)}
          onChange={(event) => onChange(event.target.value)}
        >
          {choices.map((moment) => (
            <option key={moment.getTime()} value={wireMoment(moment)}>
              {formatMoment(wireMoment(moment), zone)}
            </option>
          ))}
        </select>
      )}
      {skipped && (
        <small className="form-text d-block" role="status">
          {t('{time} doesn’t exist that day because clocks go forward. The time was adjusted.', {
            time: skipped.slice(11, 16),
          })}
        </small>
      )}
      <small className={isObvious ? 'visually-hidden' : 'form-text d-block'} id={noteId}>
        {zoneName(zone, t)}
      </small>
    </>
  );
}

/** Keeps the local time when the record's zone changes: 7 PM stays 7 PM. */
function useKeptClock({ value, field, record, onChange, disabled }: EditProps, zone: string): void {
  const zoneValue = field.timezoneField === null ? null : record[field.timezoneField];
  const last = useRef({ zone, value, zoneValue, id: record.id });
  useEffect(() => {
    const previous = last.current;
    // A zone that is still being typed isn't valid yet.
    if (typeof zoneValue === 'string' && zoneValue !== zone) return;
    last.current = { zone, value, zoneValue, id: record.id };
    // Leaves the value alone if the record has just been loaded or reset.
    const isSame = previous.value === value && previous.id === record.id && typeof previous.zoneValue === 'string';
    if (disabled || previous.zone === zone || !isSame || typeof value !== 'string') return;
    onChange(fromLocalInput(localInput(value, previous.zone), zone));
  }, [zone, value, zoneValue, record.id, disabled, onChange]);
}
