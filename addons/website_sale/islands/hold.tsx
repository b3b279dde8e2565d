import clock from 'bootstrap-icons/icons/clock.svg';
import { t } from 'pergola/browser';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { Icon } from '#addons/website/kit';
import type schema from './hold.props.ts';

/** Countdown to the end of a reservation, in seconds. Screen readers only announce the end. */
export default function Hold({ until: { text, machine } }: z.infer<typeof schema>) {
  const left = useSecondsUntil(machine);
  return (
    <p className="shop-hold" data-slot="hold" role={left === 0 ? 'status' : undefined}>
      <Icon of={clock} />
      <span>
        {left === 0 ? (
          t('It is not kept for you any more. You can still order what is left.')
        ) : (
          <>
            {`${t('Kept for you until')} `}
            <time dateTime={machine}>{text}</time>{' '}
            <span className="shop-hold-left">
              {left !== null && left < 3_600 && `· ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}
            </span>
          </>
        )}
      </span>
    </p>
  );
}

/** Null until the page lives. */
function useSecondsUntil(machine: string): number | null {
  const [left, setLeft] = useState<number | null>(null);
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const show = (): void => setLeft(Math.max(0, Math.round((Date.parse(machine) - Date.now()) / 1000)));
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, [machine, isOver]);
  return left;
}
