import { useWindowEvent } from '@pergola/website/kit';
import { notify, t } from 'pergola/browser';
import { ActionForm, Token, type UsedAction, useAction, usePage } from 'pergola/islands';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { refuse, validate } from '../routes/moderation.ts';
import { Author } from './parts/author.tsx';
import type schema from './queue.props.ts';

type Props = z.infer<typeof schema>;
type Post = Props['posts'][number];
/** Elements triggered by the keyboard shortcuts of a post. */
type Keys = Record<'item' | 'open' | 'v' | 'r' | 'o', HTMLElement | null>;

/** Moderation queue with keyboard shortcuts: j and k move, v, r and o decide, Enter opens. Its children explain the shortcuts. */
export default function Queue({ name, queues, canModerate, posts, children }: Props & { children?: ReactNode }) {
  const { number, url } = usePage();
  const [decided, setDecided] = useState<readonly number[]>([]);
  const [isAlive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  const pendingPosts = posts.filter(({ id }) => !decided.includes(id));
  const keysOf = useKeys(pendingPosts.map(({ id }) => id));
  const decide = (id: number): void => {
    const index = pendingPosts.findIndex((post) => post.id === id);
    const next = pendingPosts[index + 1] ?? pendingPosts[index - 1];
    // Loads the next page of the queue, or its empty state.
    if (!next) location.reload();
    else {
      keysOf(next.id).item?.focus();
      setDecided((previous) => [...previous, id]);
      notify(t('Done.'));
    }
  };
  return (
    <>
      <nav aria-label={t('Moderation queues')}>
        <ul className="forum-pills mb-3">
          {queues.map(({ href, label, active, count }) => (
            <li key={href}>
              <a href={url(href)} aria-current={active ? 'page' : undefined}>
                {label} <span className="forum-tag-count">{number(active ? count - decided.length : count)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {canModerate && posts.length > 0 && (
        <p className={`form-text forum-keys${isAlive ? ' is-on' : ''}`} data-forum-keys>
          {children}
        </p>
      )}
      <ol className="forum-queue list-unstyled" data-forum-triage data-slot="queue">
        {pendingPosts.map((post) => (
          <Item key={post.id} post={post} keys={keysOf(post.id)}>
            {canModerate && (
              <Decisions post={post} queue={name} keys={keysOf(post.id)} onDone={() => decide(post.id)} />
            )}
          </Item>
        ))}
        {posts.length === 0 && (
          <li className="forum-none">
            <p>{t('Nothing to review.')}</p>
          </li>
        )}
      </ol>
    </>
  );
}

/** Handles shortcuts anywhere except in form fields. */
function useKeys(ids: readonly number[]): (id: number) => Keys {
  const all = useRef(new Map<number, Keys>());
  const keysOf = (id: number): Keys => {
    const keys = all.current.get(id) ?? { item: null, open: null, v: null, r: null, o: null };
    all.current.set(id, keys);
    return keys;
  };
  useWindowEvent('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
    const index = ids.findIndex((id) => keysOf(id).item?.contains(document.activeElement));
    const elements = index < 0 ? null : keysOf(ids[index] ?? 0);
    if (key === 'j' || key === 'k') {
      const next = ids[key === 'j' ? Math.min(index + 1, ids.length - 1) : Math.max(index - 1, 0)];
      if (next !== undefined) keysOf(next).item?.focus();
    } else if (elements && (key === 'v' || key === 'r' || key === 'o')) elements[key]?.click();
    else if (elements && key === 'Enter' && target === elements.item) elements.open?.click();
    else return;
    event.preventDefault();
  });
  return keysOf;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function Item({ post, keys, children }: { post: Post; keys: Keys; children: ReactNode }) {
  const { url } = usePage();
  const { title, isAnswer, path, html, author, date, flagger, reason } = post;
  return (
    <li
      ref={(element) => {
        keys.item = element;
      }}
      className="card card-body mb-3"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys are about the post that has the focus
      tabIndex={0}
      data-triage-item
      aria-label={title}
    >
      <h2 className="h5">
        <a
          ref={(element) => {
            keys.open = element;
          }}
          href={url(path)}
          data-triage-open
        >
          {isAnswer ? t('Answer to: {title}', { title }) : title}
        </a>
      </h2>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server */}
      <div className="forum-content prose forum-queue-text" dangerouslySetInnerHTML={{ __html: html }} />
      <p className="forum-meta">
        <Author {...author} /> <time dateTime={date.machine}>{date.text}</time>
        {flagger !== null && (
          <>
            {' '}
            · <span>{t('Flagged by {name}', { name: flagger })}</span>
          </>
        )}
        {reason !== null && (
          <>
            {' '}
            · <span>{reason}</span>
          </>
        )}
      </p>
      {children}
    </li>
  );
}

interface Deciding {
  readonly post: Post;
  readonly queue: Props['name'];
  readonly keys: Keys;
  readonly onDone: () => void;
}

function Decisions({ post: { base, questionBase }, queue, keys, onDone }: Deciding) {
  const { url } = usePage();
  const validating = useAction<typeof validate>(`${base}/validate`, {
    done: onDone,
  });
  const refusing = useAction<typeof refuse>(`${base}/refuse`, { done: onDone });
  if (queue === 'closed_posts' || queue === 'deleted_posts') {
    const isClosed = queue === 'closed_posts';
    return (
      <div className="forum-actions">
        <form method="post" action={url(`${questionBase}/${isClosed ? 'reopen' : 'undelete'}`)}>
          <Token />
          <button
            ref={(element) => {
              keys.v = element;
            }}
            className="btn btn-sm btn-primary"
            type="submit"
            data-triage="v"
          >
            {isClosed ? t('Reopen') : t('Restore')}
          </button>
        </form>
      </div>
    );
  }
  return (
    <div className="forum-actions">
      <Decision of={validating} call={`${base}/validate`} keys={keys} on="v" className="btn btn-sm btn-primary">
        {t('Approve')}
      </Decision>
      {queue === 'validation_queue' && (
        <Decision of={refusing} call={`${base}/refuse`} keys={keys} on="r" className="btn btn-sm btn-outline-secondary">
          {t('Reject')}
        </Decision>
      )}
      {queue !== 'offensive_posts' && (
        <a
          ref={(element) => {
            keys.o = element;
          }}
          className="btn btn-sm btn-outline-danger"
          href={url(`${base}/ask_for_mark_as_offensive`)}
          data-triage="o"
        >
          {t('Offensive')}
        </a>
      )}
    </div>
  );
}

interface DecisionProps {
  readonly of: Pick<UsedAction<Record<string, never>, unknown>, 'form' | 'error' | 'pending' | 'run'>;
  readonly call: string;
  readonly keys: Keys;
  readonly on: 'v' | 'r';
  readonly className: string;
  readonly children: ReactNode;
}

function Decision({ of: action, call, keys, on, className, children }: DecisionProps) {
  return (
    <ActionForm of={action} data-call={call} callWith={{}}>
      <button
        ref={(element) => {
          keys[on] = element;
        }}
        className={className}
        type="submit"
        data-triage={on}
      >
        {children}
      </button>
    </ActionForm>
  );
}
