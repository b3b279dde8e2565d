import { t } from 'pergola/browser';
import { useEvents } from 'pergola/islands';
import { useState } from 'react';
import type { z } from 'zod';
import type schema from './live-list.props.ts';
import { News } from './parts/news.tsx';

/** Announces new questions. */
export default function LiveList({ forum, newest }: z.infer<typeof schema>) {
  const [count, setCount] = useState(0);
  useEvents<{ newest: readonly number[] }>(`/forum/live/${forum}`, (update) => {
    setCount(update.newest.filter((id) => id > newest).length);
  });
  const text = count === 1 ? t('Show 1 new question') : t('Show {n} new questions', { n: count });
  return <News text={count === 0 ? null : text} show={() => location.reload()} />;
}
