import { emit, on, t } from 'pergola/browser';
import { useEvents } from 'pergola/islands';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type schema from './live-question.props.ts';
import { News } from './parts/news.tsx';

type Props = z.infer<typeof schema>;
/** State published to the post islands as `forum.live`. */
export type LiveState = Props['shown'];

/** Announces new answers, and publishes changed votes and the accepted answer to the post islands. */
export default function LiveQuestion({ forum, question, shown: initialState, isWhole }: Props) {
  const last = useRef<LiveState>(initialState);
  const knownAnswers = useRef<ReadonlySet<number> | null>(isWhole ? new Set(initialState.answers) : null);
  const [fresh, setFresh] = useState<readonly number[]>([]);
  // Newly hydrated islands request the current state of their post.
  useEffect(() => on('forum.live_asked', () => emit('forum.live', last.current)), []);
  useEvents<LiveState>(`/forum/live/${forum}/${question}`, (update) => {
    knownAnswers.current ??= new Set([...initialState.answers, ...update.answers]);
    setFresh(update.answers.filter((id) => !knownAnswers.current?.has(id)));
    const previous = last.current;
    last.current = update;
    for (const id of [question, ...update.answers]) {
      const isAccepted = (liveState: LiveState): boolean => liveState.accepted === id;
      if (previous.votes[id] !== update.votes[id] || isAccepted(previous) !== isAccepted(update)) wake(id);
    }
    emit('forum.live', update);
  });
  const [newest] = fresh;
  const show = (): void => {
    history.scrollRestoration = 'manual';
    location.hash = `answer-${newest}`;
    location.reload();
  };
  const text = fresh.length === 1 ? t('Show 1 new answer') : t('Show {n} new answers', { n: fresh.length });
  return <News text={newest === undefined ? null : text} show={show} />;
}

/** Hydrates the vote island of a post, which otherwise waits for user interaction. */
function wake(post: number): void {
  const place = document.querySelector(`:is(#answer-${post}, #question-${post}) .forum-vote`);
  place?.dispatchEvent(new Event('focusin', { bubbles: true }));
}
