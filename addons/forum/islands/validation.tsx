import { BusyButton } from '@pergola/website/kit';
import { t } from 'pergola/browser';
import { ActionForm, useAction, usePage } from 'pergola/islands';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import type { closeValidation, sendValidation } from '../routes/validation.ts';
import type schema from './validation.props.ts';

/** Moves the focus to the result message, because the focused element is removed. */
const takeFocus = (place: HTMLElement | null): void => place?.focus();

type Props = z.infer<typeof schema> & { children?: ReactNode };

/** Banner about the reader's email address. Its children are shown below it once an email was sent. */
export default function Validation(props: Props) {
  return props.state === 'ask' ? <Ask {...props} /> : <Done {...props} />;
}

function Ask({ forum, path, children }: Props) {
  const { url } = usePage();
  const [isSent, setSent] = useState(false);
  const sendAction = useAction<typeof sendValidation>('/forum/send_validation_email', {
    done: () => setSent(true),
  });
  return (
    <div className="container pt-3" data-slot="forum-validation">
      <ActionForm
        className={`alert ${isSent ? 'alert-info' : 'alert-warning'} forum-validation`}
        of={sendAction}
        data-forum-validation
      >
        <input type="hidden" name="forum_id" value={forum} />
        <input type="hidden" name="redirect" value={url(path)} />
        {isSent ? (
          <>
            <div role="status" tabIndex={-1} ref={takeFocus}>
              {t('You’ll get an email. Open its link within 24 hours to confirm your address.')}
            </div>
            {children}
          </>
        ) : (
          <>
            <p>{t('Confirm your email address to ask and answer questions.')}</p>
            <BusyButton className="btn btn-sm btn-primary">{t('Send confirmation email')}</BusyButton>
          </>
        )}
      </ActionForm>
    </div>
  );
}

function Done({ path }: Props) {
  const { url } = usePage();
  const [isClosed, setClosed] = useState(false);
  const closing = useAction<typeof closeValidation>('/forum/validate_email/close', {
    done: () => setClosed(true),
  });
  if (isClosed) return null;
  return (
    <div className="container pt-3">
      <ActionForm className="alert alert-success forum-validation" of={closing} data-forum-validated>
        <input type="hidden" name="redirect" value={url(path)} />
        <p>{t('Thanks, your email address is confirmed. You can now ask and answer questions.')}</p>
        <button className="btn-close" type="submit" aria-label={t('Close')} />
      </ActionForm>
    </div>
  );
}
