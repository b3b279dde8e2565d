import { confirmDialog, t } from 'pergola/browser';
import { ActionForm, useAction } from 'pergola/islands';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import type { deleteComment } from '../routes/actions.ts';
import type schema from './comment.props.ts';

/** A comment with its delete button. */
export default function Comment({ base, id, children }: z.infer<typeof schema> & { children?: ReactNode }) {
  const [isGone, setGone] = useState(false);
  const call = `${base}/comment/${id}/delete` as const;
  const deleting = useAction<typeof deleteComment>(call, { done: setGone });
  if (isGone) return null;
  return (
    <>
      {children}
      <ActionForm
        className="forum-inline"
        of={deleting}
        data-call={call}
        data-forum-delete
        onSubmit={async (event) => {
          event.preventDefault();
          if (!deleting.pending && (await confirmDialog(t('Delete this comment?'), { yes: t('Delete') })))
            deleting.run({});
        }}
      >
        <button className="btn btn-link btn-sm" type="submit">
          {t('Delete')}
        </button>
      </ActionForm>
    </>
  );
}
