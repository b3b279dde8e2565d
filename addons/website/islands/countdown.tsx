import { t } from 'pergola/browser';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type schema from './countdown.props.ts';
import { type TimeLeft, timeLeft } from './parts/time-left.ts';

/**
 * Counts down every second in four gauges; at the end it shows a text and dispatches `countdown-end` once. If the moment is already past on
 * load, this happens immediately.
 */
export default function Countdown({ until, left: initialLeft, done: finalText }: z.infer<typeof schema>) {
  const [remaining, setRemaining] = useState<number | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const isOver = remaining !== null && remaining <= 0;
  useEffect(() => {
    if (isOver) {
      place.current?.dispatchEvent(new CustomEvent('countdown-end', { bubbles: true }));
      return;
    }
    const tick = (): void => setRemaining(Date.parse(until) - Date.now());
    const timer = setInterval(tick, 1000);
    tick();
    return () => clearInterval(timer);
  }, [until, isOver]);
  const values: Partial<TimeLeft> = remaining === null ? initialLeft : timeLeft(remaining);
  // Units of the gauges, with the value of a full circle.
  const gauges = [
    { unit: 'days', full: 365, label: t('Days') },
    { unit: 'hours', full: 24, label: t('Hours') },
    { unit: 'minutes', full: 60, label: t('Minutes') },
    { unit: 'seconds', full: 60, label: t('Seconds') },
  ] as const;
  return (
    <>
      <div className="countdown" role="timer" ref={place}>
        {gauges.map(({ unit, full, label }) => (
          <div key={unit} className="countdown-unit" data-unit={unit} data-full={full}>
            <svg viewBox="0 0 100 100" aria-hidden="true" focusable="false">
              <circle cx="50" cy="50" r="44" />
              <circle
                cx="50"
                cy="50"
                r="44"
                pathLength="100"
                strokeDasharray={`${Math.min(100, ((values[unit] ?? 0) / full) * 100)} 100`}
              />
            </svg>
            <span className="countdown-number">{values[unit] ?? '–'}</span>
            <span className="countdown-label">{label}</span>
          </div>
        ))}
      </div>
      <p className="h4 text-center" role="status" hidden={!isOver}>
        {finalText === '' ? t('Here we go!') : finalText}
      </p>
    </>
  );
}
