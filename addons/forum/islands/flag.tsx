import { Icon } from '@pergola/website/kit';
import sign from 'bootstrap-icons/icons/flag.svg';
import { notify, t } from 'pergola/browser';
import { ActionForm, useAction } from 'pergola/islands';
import { useState } from 'react';
import type { z } from 'zod';
import type { flag } from '../routes/actions.ts';
import type schema from './flag.props.ts';
import { karmaGate } from './parts/karma.ts';

/** Flags a post for the moderators, once. */
export default function Flag({ base, needs }: z.infer<typeof schema>) {
  const [isDone, setDone] = useState(false);
  const flagging = useAction<typeof flag>(`${base}/flag`, {
    done: (reply) => {
      if (!('error' in reply)) {
        setDone(true);
        notify(t('Thanks. A moderator will review it.'));
      } else if (reply.error === 'post_already_flagged') notify(t('This post has already been flagged.'), 'alert');
      else notify(t('This post can’t be flagged.'), 'alert');
    },
  });
  if (isDone) return null;
  return (
    <ActionForm of={flagging} callWith={{}} data-call={`${base}/flag`} data-forum-flag>
      <button className="btn btn-sm btn-link" type="submit" {...karmaGate(needs)}>
        <Icon of={sign} /> <span>{t('Flag')}</span>
      </button>
    </ActionForm>
  );
}
