import { rpc, t } from 'pergola/browser';
import { ActionForm, useAction } from 'pergola/islands';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type { follow } from '#addons/mail';
import type schema from './follow.props.ts';

/** What counts as an address: text, an at sign, text. Whether mail arrives there is found out by the mail that asks for confirmation. */
const ADDRESS = /.+@.+/;

interface Status {
  readonly is_follower: boolean;
  readonly is_user: boolean;
  readonly email: string | false;
}

/** Follows a record by mail. Users follow as themselves; visitors give an address, to which a mail is sent that they confirm. */
export default function Follow({
  model,
  id,
  following: before,
  children,
}: z.infer<typeof schema> & { readonly children?: ReactNode }) {
  const unknown: Status = { is_follower: before, is_user: false, email: false };
  const [{ is_follower: following, is_user: isUser }, setStatus] = useState(unknown);
  const [email, setEmail] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [said, say] = useState('');
  const [isMailed, setMailed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const asked = useRef<Promise<Status>>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is about one record
  useEffect(() => {
    // Where it cannot be asked, what the page says of itself stands.
    asked.current ??= rpc<Status>('/website_mail/is_follower', { model, id }).catch(() => unknown);
    void asked.current.then((status) => {
      setStatus(status);
      if (status.email) setEmail(status.email);
    });
  }, []);

  // The button that was pressed is gone by then: the one in its place has the focus.
  useEffect(() => {
    if (said !== '') field.current?.form?.querySelector<HTMLElement>('button:not([hidden])')?.focus();
  }, [said]);

  const sending = useAction<typeof follow>('/website_mail/follow', {
    done: async (now) => {
      // It may have come after the press, and not been shown yet.
      const status = (await asked.current) ?? unknown;
      const next = { ...status, is_follower: now };
      asked.current = Promise.resolve(next);
      setStatus(next);
      setMailed(now && !status.is_user);
      if (now && !status.is_user) say(t('You’ll get an email. Open its link to confirm.'));
      else say(now ? t('You follow this now.') : t('You no longer follow this.'));
    },
  });
  const send = async (): Promise<void> => {
    const status = (await asked.current) ?? unknown;
    const address = email.trim();
    // Whoever follows already is known, be it by a mail they have confirmed.
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
      <label className="visually-hidden" htmlFor={`follow-${id}`}>
        {t('Your e-mail address')}
      </label>
      <div className="input-group">
        <input
          className={`js_follow_email form-control${isWrong ? ' is-invalid' : ''}`}
          id={`follow-${id}`}
          type="email"
          name="email"
          autoComplete="email"
          placeholder={t('you@example.org')}
          aria-describedby={`follow-${id}-error`}
          aria-invalid={isWrong || undefined}
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
      <p className="invalid-feedback s_follow_error" id={`follow-${id}-error`}>
        {t('Write an address with an @ in it.')}
      </p>
      <p className="form-text" role="status">
        {said}
      </p>
      <div data-outbox hidden={!isMailed}>
        {children}
      </div>
    </ActionForm>
  );
}
