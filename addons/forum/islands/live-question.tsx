import { emit, on, t } from 'pergola/browser';
import { useEvents } from 'pergola/islands';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type schema from './live-question.props.ts';
import { News } from './parts/news.tsx';

type Props = z.infer<typeof schema>;
/** State published to the post islands as `forum.live`. */
export type Told = Props['shown'];

/** Announces new answers, and publishes changed votes and the accepted answer to the post islands. */
export default function LiveQuestion({ forum, question, shown, isWhole }: Props) {
  const last = useRef<Told>(shown);
  const known = useRef<ReadonlySet<number> | null>(isWhole ? new Set(shown.answers) : null);
  const [fresh, setFresh] = useState<readonly number[]>([]);
  // Newly hydrated islands request the current state of their post.
  useEffect(() => on('forum.live_asked', () => emit('forum.live', last.current)), []);
  useEvents<Told>(`/forum/live/${forum}/${question}`, (told) => {
    known.current ??= new Set([...shown.answers, ...told.answers]);
    setFresh(told.answers.filter((id) => !known.current?.has(id)));
    const before = last.current;
    last.current = told;
    for (const id of [question, ...told.answers]) {
      const isAccepted = (one: Told): boolean => one.accepted === id;
      if (before.votes[id] !== told.votes[id] || isAccepted(before) !== isAccepted(told)) wake(id);
    }
    emit('forum.live', told);
  });
  const [newest] = fresh;
  const show = (): void => {
    history.scrollRestoration = 'manual';
    location.hash = `answer-${newest}`;
    location.reload();
  };
  const text = fresh.length === 1 ? t('A new answer: show') : t('{n} new answers: show', { n: fresh.length });
  return <News text={newest === undefined ? null : text} show={show} />;
}

/** Hydrates the vote island of a post, which otherwise waits for user interaction. */
function wake(post: number): void {
  const place = document.querySelector(`:is(#answer-${post}, #question-${post}) .forum-vote`);
  place?.dispatchEvent(new Event('focusin', { bubbles: true }));
}
