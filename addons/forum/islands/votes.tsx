import down from 'bootstrap-icons/icons/caret-down-fill.svg';
import up from 'bootstrap-icons/icons/caret-up-fill.svg';
import check from 'bootstrap-icons/icons/check-lg.svg';
import { emit, notify, on, t, url } from 'pergola/browser';
import { useAction, usePage } from 'pergola/islands';
import { useEffect, useEffectEvent, useOptimistic, useState } from 'react';
import type { z } from 'zod';
import type { downvote, toggleCorrect, upvote } from '../routes/actions.ts';
import { clicked, type VoteReply } from '../services/vote-steps.ts';
import type { LiveState } from './live-question.tsx';
import { Toggle } from './parts/toggle.tsx';
import type schema from './votes.props.ts';

type Props = z.infer<typeof schema>;

/** Vote arrows next to a post, and the check mark of an accepted answer. */
export default function Votes({ base, count, vote, mayVote, accepted, needs }: Props) {
  const { number } = usePage();
  const [confirmed, setConfirmed] = useState({ count, vote });
  const [displayed, show] = useOptimistic(confirmed, (previous, isUp: boolean) => {
    const now = clicked(previous.vote, isUp);
    return { count: previous.count + now - previous.vote, vote: now };
  });
  useLiveState(base, ({ votes }, post) => setConfirmed((now) => ({ ...now, count: votes[post] ?? now.count })));
  const applyReply = (reply: VoteReply): void => {
    if (!('error' in reply)) setConfirmed({ count: reply.vote_count, vote: reply.user_vote });
    else if (reply.error === 'own_post') notify(t('Sorry, you cannot vote for your own posts'), 'alert');
    else notify(t('Sorry you must be logged to vote'), 'alert', signInLink());
  };
  const upvoting = useAction<typeof upvote>(`${base}/upvote`, {
    optimistic: () => mayVote && show(true),
    done: applyReply,
  });
  const downvoting = useAction<typeof downvote>(`${base}/downvote`, {
    optimistic: () => mayVote && show(false),
    done: applyReply,
  });
  return (
    <div className="forum-vote" data-forum-vote data-slot="vote">
      <Toggle
        of={upvoting}
        call={`${base}/upvote`}
        isOn={displayed.vote === 1}
        label={t('Upvote')}
        icon={up}
        className="forum-arrow"
        needs={needs.upvote}
      />
      <p className="forum-vote-count" aria-live="polite">
        <span className="visually-hidden">{t('Votes:')}</span> <span data-vote-count>{number(displayed.count)}</span>
      </p>
      <Toggle
        of={downvoting}
        call={`${base}/downvote`}
        isOn={displayed.vote === -1}
        label={t('Downvote')}
        icon={down}
        className="forum-arrow"
        needs={needs.downvote}
      />
      {accepted !== null && <Accept base={base} accepted={accepted} needs={needs.accept} />}
    </div>
  );
}

/** Sign-in link that returns to this page. */
function signInLink() {
  return { text: t('Sign in'), href: `${url('/web/login')}?${new URLSearchParams({ redirect: location.pathname })}` };
}

/** Subscribes to live updates of the post, including those missed before hydration. */
function useLiveState(base: Props['base'], hear: (liveState: LiveState, post: number) => void): void {
  const onState = useEffectEvent(hear);
  useEffect(() => {
    const post = Number(base.slice(base.lastIndexOf('/') + 1));
    const stop = on<LiveState>('forum.live', (liveState) => onState(liveState, post));
    emit('forum.live_asked');
    return stop;
  }, [base]);
}

/** A question has at most one accepted answer, so the other answers are notified. */
function Accept({ base, accepted, needs }: Pick<Props, 'base'> & { accepted: boolean; needs: number | null }) {
  const [isAccepted, setAccepted] = useState(accepted);
  useEffect(() => on<string | null>('forum.accepted', (answer) => setAccepted(answer === base)), [base]);
  useLiveState(base, ({ accepted: answer }, post) => setAccepted(answer === post));
  const accepting = useAction<typeof toggleCorrect>(`${base}/toggle_correct`, {
    done: (reply) => {
      if (typeof reply === 'boolean') emit('forum.accepted', reply ? base : null);
      else notify(t('Sorry, anonymous users cannot choose correct answer.'), 'alert', signInLink());
    },
  });
  return (
    <Toggle
      of={accepting}
      call={`${base}/toggle_correct`}
      isOn={isAccepted}
      label={t('Accepted answer')}
      icon={check}
      className="forum-check"
      needs={needs}
      data-forum-correct
    />
  );
}
