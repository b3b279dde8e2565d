import { Icon } from '@pergola/website/kit';
import clock from 'bootstrap-icons/icons/clock.svg';
import { t } from 'pergola/browser';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type schema from './hold.props.ts';

/** Countdown to the end of a reservation, in seconds. Screen readers only announce the end. */
export default function Hold({ until: { text, machine } }: z.infer<typeof schema>) {
  const secondsLeft = useSecondsUntil(machine);
  return (
    <p className="shop-hold" data-slot="hold" role={secondsLeft === 0 ? 'status' : undefined}>
      <Icon of={clock} />
      <span>
        {secondsLeft === 0 ? (
          t('Your items are no longer reserved. You can still order them while stocks last.')
        ) : (
          <>
            {`${t('Reserved for you until')} `}
            <time dateTime={machine}>{text}</time>{' '}
            <span className="shop-hold-left">
              {secondsLeft !== null &&
                secondsLeft < 3_600 &&
                `· ${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`}
            </span>
          </>
        )}
      </span>
    </p>
  );
}

/** Returns the remaining seconds, or null until the page is hydrated. */
function useSecondsUntil(machine: string): number | null {
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);
  const isOver = secondsLeft === 0;
  useEffect(() => {
    if (isOver) return;
    const show = (): void => setSecondsLeft(Math.max(0, Math.round((Date.parse(machine) - Date.now()) / 1000)));
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, [machine, isOver]);
  return secondsLeft;
}
