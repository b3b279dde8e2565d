import { isPlainClick, t } from 'pergola/browser';
import { useCall } from 'pergola/islands';
import { useState } from 'react';
import type { z } from 'zod';
import type { more as morePosts } from '../routes/wall.ts';
import { NewPost } from './parts/new-post.tsx';
import { PostCard } from './parts/post-card.tsx';
import type schema from './wall.props.ts';

/** A wall whose posts are written, deleted and loaded in place. Without JavaScript, the same forms and links work as separate pages. */
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
  const { call, pending } = useCall<typeof morePosts>();
  const load = (): void =>
    call(
      '/dribblo/wall',
      { displayed: posts.map(({ id }) => id), wall_id: wallId },
      {
        done: (answer) =>
          setShown((now) => ({ posts: [...now.posts, ...answer.posts.map(({ card }) => card)], total: answer.total })),
      },
    );
  return (
    <>
      {waiting.length > 0 && (
        <section className="club-waiting" aria-labelledby="club-waiting-title" data-slot="waiting">
          <h2 className="h5" id="club-waiting-title">
            {t('Awaiting your review')}
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
        {posts.map((post, index) => (
          <PostCard
            key={post.id}
            post={post}
            isFirst={index === 0}
            onDelete={() =>
              setShown((now) => ({ posts: now.posts.filter(({ id }) => id !== post.id), total: now.total - 1 }))
            }
          />
        ))}
        {posts.length === 0 && <p className="club-empty">{t('No posts yet.')}</p>}
      </div>
      {more > 0 && (
        <p className="club-more" data-slot="more" hidden={posts.length >= total}>
          <a
            className="btn btn-outline-primary js_more"
            href={`?shown=${more}`}
            rel="nofollow"
            data-in-place
            aria-busy={pending || undefined}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              if (!pending) load();
            }}
          >
            {t('Show more')}
          </a>
        </p>
      )}
    </>
  );
}
