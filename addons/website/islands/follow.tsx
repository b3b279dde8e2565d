import type { follow, isFollower } from '@pergola/mail';
import { Field } from '@pergola/web/kit';
import { rpc, t } from 'pergola/browser';
import { ActionForm, useAction } from 'pergola/islands';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type schema from './follow.props.ts';

/** Minimal address check: text, an at sign, text. The confirmation email verifies the rest. */
const ADDRESS = /.+@.+/;

interface Status {
  readonly is_follower: boolean;
  readonly is_user: boolean;
  readonly email: string | false;
}

/** Follows a record by email. Users follow with their account; visitors enter an address and confirm it by email. */
export default function Follow({
  model,
  id,
  following: initiallyFollowing,
  children,
}: z.infer<typeof schema> & { readonly children?: ReactNode }) {
  const unknown: Status = { is_follower: initiallyFollowing, is_user: false, email: false };
  const [{ is_follower: following, is_user: isUser }, setStatus] = useState(unknown);
  const [email, setEmail] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [message, say] = useState('');
  const [isMailed, setMailed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const statusRequest = useRef<Promise<Status>>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page has a single record
  useEffect(() => {
    // If the status request fails, the state rendered in the page is kept.
    statusRequest.current ??= rpc<typeof isFollower>('/website_mail/is_follower', { model, id }).catch(() => unknown);
    void statusRequest.current.then((status) => {
      setStatus(status);
      if (status.email) setEmail(status.email);
    });
  }, []);

  // The pressed button is hidden now; focus the one that replaces it.
  useEffect(() => {
    if (message !== '') field.current?.form?.querySelector<HTMLElement>('button:not([hidden])')?.focus();
  }, [message]);

  const sending = useAction<typeof follow>('/website_mail/follow', {
    done: async (now) => {
      // The status can arrive after the press, before it is rendered.
      const status = (await statusRequest.current) ?? unknown;
      const next = { ...status, is_follower: now };
      statusRequest.current = Promise.resolve(next);
      setStatus(next);
      setMailed(now && !status.is_user);
      if (now && !status.is_user) say(t('You’ll get an email. Open its link to confirm.'));
      else say(now ? t('You’re now following this.') : t('You’re no longer following this.'));
    },
  });
  const send = async (): Promise<void> => {
    const status = (await statusRequest.current) ?? unknown;
    const address = email.trim();
    // Followers don't need to enter an address; they are identified by account or confirmed email.
    const wrong = !status.is_user && !status.is_follower && !ADDRESS.test(address);
    setWrong(wrong);
    if (wrong) field.current?.focus();
    else if (!sending.pending)
      sending.run({
        id,
        object: model,
        message_is_follower: status.is_follower ? 'on' : 'off',
        email: address || false,
      });
  };
  return (
    <ActionForm
      of={sending}
      className={`js_follow s_follow${isWrong ? ' has-error' : ''}`}
      noValidate
      data-id={id}
      data-object={model}
      data-follow={following ? 'on' : 'off'}
      data-slot="follow"
      aria-busy={sending.pending || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="object" value={model} />
      <Field
        id={`follow-${id}`}
        wrap=""
        className="js_follow_email form-control"
        labelClass="visually-hidden"
        label={t('Your email address')}
        error={isWrong && t('Enter a valid email address.')}
      >
        {(control) => (
          <div className="input-group">
            <input
              {...control}
              type="email"
              name="email"
              autoComplete="email"
              placeholder={t('you@example.org')}
              disabled={following || isUser}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              ref={field}
            />
            <button className="js_follow_btn btn btn-primary" type="submit" hidden={following}>
              {t('Follow')}
            </button>
            <button className="js_unfollow_btn btn btn-outline-primary" type="submit" hidden={!following}>
              {t('Unfollow')}
            </button>
          </div>
        )}
      </Field>
      <p className="form-text" role="status">
        {message}
      </p>
      <div data-outbox hidden={!isMailed}>
        {children}
      </div>
    </ActionForm>
  );
}
