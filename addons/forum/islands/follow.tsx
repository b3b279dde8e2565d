import type { follow } from '@pergola/mail';
import { Icon } from '@pergola/website/kit';
import bell from 'bootstrap-icons/icons/bell.svg';
import { notify, t } from 'pergola/browser';
import { ActionForm, useAction, usePage } from 'pergola/islands';
import { useState } from 'react';
import type { z } from 'zod';
import type schema from './follow.props.ts';

/** Follow button for a question, tag or forum. */
export default function Follow({ id, object, isFollowed, path }: z.infer<typeof schema>) {
  const { url } = usePage();
  const [isFollowing, setFollowing] = useState(isFollowed);
  const following = useAction<typeof follow>('/website_mail/follow', {
    done: (now) => {
      setFollowing(now);
      notify(now ? t('You’re now following this.') : t('You’re no longer following this.'));
    },
  });
  return (
    <ActionForm
      className="js_forum_follow"
      of={following}
      callWith={{ id, object, message_is_follower: isFollowing ? 'on' : 'off' }}
      data-forum-follow
      data-id={id}
      data-object={object}
    >
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="object" value={object} />
      <input type="hidden" name="redirect" value={url(path)} />
      <button className="btn btn-sm btn-outline-primary" type="submit" aria-pressed={isFollowing}>
        <Icon of={bell} /> <span className="is-off">{t('Follow')}</span>
        <span className="is-on">{t('Following')}</span>
      </button>
    </ActionForm>
  );
}
