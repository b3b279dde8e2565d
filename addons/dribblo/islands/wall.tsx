import { useState } from 'react';
import type { z } from 'zod';
import { notify, RpcError, rpc, t } from '#core/browser';
import { NewPost } from './parts/new-post.tsx';
import { type Post, PostCard } from './parts/post-card.tsx';
import type schema from './wall.props.ts';

interface More {
  readonly posts: readonly { readonly card: Post }[];
  readonly total: number;
}

/** A wall: posts are written, deleted and loaded in place. Without scripts the same forms and links do it page by page. */
export default function Wall({
  wallId,
  more,
  mayPost,
  onApproval,
  values,
  errors,
  message,
  ...first
}: z.infer<typeof schema>) {
  const [waiting, setWaiting] = useState(first.waiting);
  const [{ posts, total }, setShown] = useState({ posts: first.posts, total: first.total });
  const [isBusy, setBusy] = useState(false);
  const load = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      const answer = await rpc<More>('/dribblo/wall', { displayed: posts.map(({ id }) => id), wall_id: wallId });
      const cards = answer.posts.map(({ card }) => card);
      setShown((now) => ({ posts: [...now.posts, ...cards], total: answer.total }));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      notify(error.message, 'alert');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {waiting.length > 0 && (
        <section className="club-waiting" aria-labelledby="club-waiting-title" data-slot="waiting">
          <h2 className="h5" id="club-waiting-title">
            {t('Waiting for you')}
          </h2>
          {waiting.map((post) => (
            <PostCard
              key={post.id}
              post={post}
              onDelete={() => setWaiting((now) => now.filter(({ id }) => id !== post.id))}
            />
          ))}
        </section>
      )}
      {mayPost && (
        <NewPost
          wallId={wallId}
          onApproval={onApproval}
          values={values}
          errors={errors}
          message={message}
          onPost={(card) => setShown((now) => ({ posts: [card, ...now.posts], total: now.total + 1 }))}
        />
      )}
      <div className="club-wall-posts" data-slot="wall-posts">
        {posts.map((post) => (
          <PostCard
            key={post.id}
            post={post}
            onDelete={() =>
              setShown((now) => ({ posts: now.posts.filter(({ id }) => id !== post.id), total: now.total - 1 }))
            }
          />
        ))}
        {posts.length === 0 && <p className="club-empty">{t('Nothing has been posted yet.')}</p>}
      </div>
      {more > 0 && (
        <p className="club-more" data-slot="more" hidden={posts.length >= total}>
          <a
            className="btn btn-outline-primary js_more"
            href={`?shown=${more}`}
            rel="nofollow"
            aria-busy={isBusy || undefined}
            onClick={(event) => {
              if (event.button !== 0 || event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              void load();
            }}
          >
            {t('Show more')}
          </a>
        </p>
      )}
    </>
  );
}
