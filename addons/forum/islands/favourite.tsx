import star from 'bootstrap-icons/icons/star-fill.svg';
import { t } from 'pergola/browser';
import { useAction, usePage } from 'pergola/islands';
import { useOptimistic, useState } from 'react';
import type { z } from 'zod';
import type { toggleFavourite } from '../routes/actions.ts';
import type schema from './favourite.props.ts';
import { Toggle } from './parts/toggle.tsx';

/** Favourite button of a question. */
export default function Favourite({ base, isOn, count }: z.infer<typeof schema>) {
  const { number } = usePage();
  const [isConfirmed, setConfirmed] = useState(isOn);
  const [isFavourite, show] = useOptimistic(isConfirmed);
  const marking = useAction<typeof toggleFavourite>(`${base}/toggle_favourite`, {
    optimistic: () => show(!isConfirmed),
    done: setConfirmed,
  });
  return (
    <Toggle
      of={marking}
      call={`${base}/toggle_favourite`}
      isOn={isFavourite}
      label={t('Favourite')}
      icon={star}
      className="forum-star"
      data-forum-favourite
    >
      {' '}
      <span className="forum-star-count" data-count>
        {number(count + Number(isFavourite) - Number(isOn))}
      </span>
    </Toggle>
  );
}
