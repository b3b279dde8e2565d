import { Html, Icon, Picture } from '@pergola/website/kit';
import trash from 'bootstrap-icons/icons/trash.svg';
import { confirmDialog, notify, t, url } from 'pergola/browser';
import { ActionForm, Token, useAction } from 'pergola/islands';
import type { z } from 'zod';
import type { remove } from '../../routes/wall.ts';
import type schema from '../wall.props.ts';

export type Post = z.infer<typeof schema>['posts'][number];

interface PostCardProps {
  readonly post: Post;
  /** Visible immediately, so its image isn't loaded lazily. */
  readonly isFirst?: boolean;
  readonly onDelete: () => void;
}

/** A post in a wall list, with the actions of wall managers. */
export function PostCard({ post, isFirst = false, onDelete }: PostCardProps) {
  const deleting = useAction<typeof remove>('/dribblo/post/delete', {
    done: () => {
      onDelete();
      notify(t('Post deleted.'));
    },
  });
  const ask = async (): Promise<void> => {
    // Text from the specification, translated in English.
    const question = t('Voulez vous vraiment supprimer ce post ?');
    if (await confirmDialog(question, { yes: t('Delete') })) deleting.run({ post_id: post.id });
  };
  return (
    <article className="card club-post" data-slot="wall-post" data-post-id={post.id}>
      {post.image !== '' && (
        <Picture
          className="club-photo"
          src={post.image}
          alt=""
          width="640"
          height="384"
          loading={isFirst ? 'eager' : 'lazy'}
        />
      )}
      <div className="card-body">
        <h2 className="h4">
          <a className="stretched-link" href={url(post.href)}>
            {post.name}
          </a>
        </h2>
        <p className="club-post-by">
          {post.date} · {post.author}
          {post.removalAsked && (
            <>
              {' '}
              · <strong>{t('Removal requested by the author')}</strong>
            </>
          )}
        </p>
        <Html html={post.descr} />
      </div>
      {post.mayDelete && (
        <div className="card-footer club-post-tools" data-slot="post-tools">
          {(post.waiting || post.removalAsked) && (
            <form method="post" action={url('/dribblo/post/approve')}>
              <Token />
              <input type="hidden" name="post_id" value={post.id} />
              <button className="btn btn-sm btn-primary" type="submit">
                {post.waiting ? t('Approve') : t('Keep post')}
              </button>
            </form>
          )}
          <ActionForm
            of={deleting}
            className="js_delete_post"
            onSubmit={(event) => {
              event.preventDefault();
              void ask();
            }}
          >
            <input type="hidden" name="post_id" value={post.id} />
            <button
              className="btn btn-sm btn-outline-danger"
              type="submit"
              disabled={deleting.pending}
              aria-label={t('Delete: {name}', { name: post.name })}
            >
              <Icon of={trash} /> {t('Delete')}
            </button>
          </ActionForm>
        </div>
      )}
    </article>
  );
}
