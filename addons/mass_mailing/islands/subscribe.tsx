import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { z } from 'zod';
import { rpc, t } from '#core/browser';
import { ActionForm, useAction } from '#core/islands';
import type { subscribe } from '../routes/subscribe.ts';
import { parseAddress } from '../services/address.ts';
import type { SubscriberStatus } from '../services/subscribing.ts';
import type schema from './subscribe.props.ts';

/** What counts as an address: text, an at sign, text. Whether mail arrives there is found out by the mail that asks for confirmation. */
const ADDRESS = /.+@.+/;

type Props = z.infer<typeof schema> & { children?: ReactNode };

/**
 * Subscribes to a mailing list. Whoever is subscribed sees that they are; others give their address, and are told what comes next, with its content below
 * once a mail was sent.
 */
export default function Subscribe({ list, redirect, email: given, error: refused, children }: Props) {
  const [email, setEmail] = useState(given);
  const [fault, setFault] = useState(refused);
  const [isSubscribed, setSubscribed] = useState(false);
  /** What became of it, once it was sent. */
  const [sent, setSent] = useState<'asked' | 'subscribed' | null>(null);
  useEffect(() => {
    statusOf(list).then(
      (status) => {
        setSubscribed(status.is_subscriber);
        setEmail((typed) => typed || status.email || '');
      },
      // The form works as it stands.
      () => {},
    );
  }, [list]);
  const field = useRef<HTMLInputElement>(null);
  const thanks = useRef<HTMLDivElement>(null);
  // What became of what was sent takes over the focus of what is gone by then.
  useEffect(() => {
    if (sent !== null) thanks.current?.focus();
  }, [sent]);
  const subscribing = useAction<typeof subscribe>('/website_mass_mailing/subscribe', {
    done: async () => {
      try {
        const status = await statusOf(list);
        // Whoever is on the list may have asked for another address.
        const isOn = status.is_subscriber && status.email === parseAddress(email).email;
        setSent(isOn ? 'subscribed' : 'asked');
      } finally {
        // At once with what is said: before, in the transition, it would be shown after it.
        setSubscribed(true);
      }
    },
    failed: ({ message }) => {
      setFault(message);
      field.current?.focus();
      return undefined;
    },
  });
  // A page may have the list at its foot, too.
  const id = `subscribe-${list}${useId()}`;
  return (
    <ActionForm
      className={`js_subscribe${fault ? ' has-error' : ''}`}
      of={subscribing}
      noValidate
      data-list-id={list}
      data-slot="subscribe"
      data-subscribe={isSubscribed ? 'on' : 'off'}
      onSubmit={(event) => {
        event.preventDefault();
        const isAddress = ADDRESS.test(email.trim());
        setFault(isAddress ? '' : t('Write an address with an @ in it.'));
        if (isAddress && !subscribing.pending) subscribing.run({ list_id: list, email: email.trim() });
        else if (!isAddress) field.current?.focus();
      }}
    >
      <input type="hidden" name="list_id" value={list} />
      <input type="hidden" name="redirect" value={redirect} />
      <label className="form-label" htmlFor={id}>
        {t('Your e-mail address')}
      </label>
      <div className="input-group">
        <input
          className={`js_subscribe_email form-control${fault ? ' is-invalid' : ''}`}
          id={id}
          ref={field}
          type="email"
          name="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          disabled={isSubscribed}
          autoComplete="email"
          maxLength={254}
          placeholder={t('you@example.org')}
          required
          aria-describedby={`${id}-error`}
          aria-invalid={fault ? true : undefined}
        />
        <button className="js_subscribe_btn btn btn-primary" type="submit" hidden={isSubscribed}>
          {t('Subscribe')}
        </button>
        <button className="js_subscribed_btn btn btn-success" type="button" disabled hidden={!isSubscribed}>
          {t('Thanks')}
        </button>
      </div>
      <p className="js_subscribe_error text-danger small mt-2 mb-0" id={`${id}-error`} hidden={!fault}>
        {fault}
      </p>
      <div className="alert alert-success mt-3 mb-0" role="status" tabIndex={-1} ref={thanks} hidden={sent === null}>
        {sent === 'subscribed' && t('You are subscribed.')}
        {sent === 'asked' && t('Thanks! We have sent you a mail: follow the link in it to confirm your subscription.')}
      </div>
      {sent === 'asked' && children}
    </ActionForm>
  );
}

function statusOf(list: number): Promise<SubscriberStatus> {
  return rpc<SubscriberStatus>('/website_mass_mailing/is_subscriber', { list_id: list });
}
