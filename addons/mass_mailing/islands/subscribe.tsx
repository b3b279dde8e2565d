import { Check, Field } from '@pergola/website/kit';
import { rpc, t } from 'pergola/browser';
import { ActionForm, useAction } from 'pergola/islands';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { z } from 'zod';
import type { isSubscriber, subscribe } from '../routes/subscribe.ts';
import { parseAddress } from '../services/address.ts';
import type { SubscriberStatus } from '../services/subscribing.ts';
import type schema from './subscribe.props.ts';

/** Basic address check: text around an @ sign. The confirmation email verifies that the address exists. */
const ADDRESS = /.+@.+/;

type Props = z.infer<typeof schema> & { children?: ReactNode };

/**
 * Subscription form for one list, or a selection of several. Subscribers see their status; others enter their address and get instructions
 * to confirm it. The children are shown after an email was sent.
 */
export default function Subscribe({
  lists,
  chosen: preselected,
  redirect,
  email: initialEmail,
  error: initialError,
  children,
}: Props) {
  const [email, setEmail] = useState(initialEmail);
  const [fault, setFault] = useState(initialError);
  const [only] = lists.length === 1 ? lists : [];
  const [selected, setSelected] = useState<readonly number[]>(only ? [only.id] : preselected);
  /** IDs of the lists the visitor is subscribed to. */
  const [on, setOn] = useState<readonly number[]>([]);
  /** Result of the submission. */
  const [sent, setSent] = useState<'asked' | 'subscribed' | null>(null);
  const isDone = sent !== null || on.length === lists.length;
  useEffect(() => {
    const ids = lists.map(({ id }) => id);
    statusesOf(ids).then(
      (statuses) => {
        setOn(ids.filter((_id, index) => statuses[index]?.is_subscriber));
        setEmail((now) => now || statuses[0]?.email || '');
      },
      // The form works without the status.
      () => {},
    );
  }, [lists]);
  const field = useRef<HTMLInputElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const thanks = useRef<HTMLDivElement>(null);
  // Moves the focus to the result message, because the focused element is removed.
  useEffect(() => {
    if (sent !== null) thanks.current?.focus();
  }, [sent]);
  const newLists = selected.filter((list) => !on.includes(list));
  const subscribing = useAction<typeof subscribe>('/website_mass_mailing/subscribe', {
    done: async () => {
      const statuses = await statusesOf(newLists).catch(() => []);
      // A subscriber may have entered a different address.
      const isOn = (status?: SubscriberStatus) =>
        status?.is_subscriber === true && status.email === parseAddress(email).email;
      setSent(newLists.every((_list, index) => isOn(statuses[index])) ? 'subscribed' : 'asked');
    },
    failed: ({ message }) => {
      setFault(message);
      field.current?.focus();
      return undefined;
    },
  });
  const send = (): void => {
    const isAddress = ADDRESS.test(email.trim());
    if (newLists.length === 0) setFault(t('Choose at least one list.'));
    else setFault(isAddress ? '' : t('Enter an email address, such as you@example.org.'));
    if (newLists.length === 0) first.current?.focus();
    else if (!isAddress) field.current?.focus();
    else if (!subscribing.pending) subscribing.run({ list_id: newLists, email: email.trim() });
  };
  // The page footer may contain a form for the same list.
  const id = `subscribe-${only?.id ?? ''}${useId()}`;
  return (
    <ActionForm
      className={`js_subscribe${fault ? ' has-error' : ''}`}
      of={subscribing}
      noValidate
      data-list-id={only?.id}
      data-slot="subscribe"
      data-subscribe={isDone ? 'on' : 'off'}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <input type="hidden" name="redirect" value={redirect} />
      {only ? (
        <input type="hidden" name="list_id" value={only.id} />
      ) : (
        <fieldset className="mb-4" disabled={isDone}>
          <legend className="h5">{t('Mailing lists')}</legend>
          {lists.map(({ id: list, name, description }, index) => (
            <Check
              key={list}
              wrap="form-check mb-3"
              label={name}
              help={on.includes(list) ? t('You’re subscribed.') : description}
              name="list_id"
              value={list}
              ref={index === 0 ? first : undefined}
              data-list-id={list}
              checked={selected.includes(list) || on.includes(list)}
              disabled={on.includes(list)}
              onChange={(checked) => {
                setSelected(checked ? [...selected, list] : selected.filter((listId) => listId !== list));
                setFault('');
              }}
            />
          ))}
          {fault && newLists.length === 0 && (
            <p className="invalid-feedback d-block" role="alert">
              {fault}
            </p>
          )}
        </fieldset>
      )}
      <Field
        id={id}
        wrap=""
        className="js_subscribe_email form-control"
        label={t('Your email address')}
        error={newLists.length > 0 && fault}
      >
        {(control) => (
          <div className="input-group">
            <input
              {...control}
              ref={field}
              type="email"
              name="email"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              disabled={isDone}
              autoComplete="email"
              maxLength={254}
              placeholder={t('you@example.org')}
              required
            />
            <button className="js_subscribe_btn btn btn-primary" type="submit" hidden={isDone}>
              {t('Subscribe')}
            </button>
            <button className="js_subscribed_btn btn btn-success" type="button" disabled hidden={!isDone}>
              {t('Thanks')}
            </button>
          </div>
        )}
      </Field>
      <div className="alert alert-success mt-3 mb-0" role="status" tabIndex={-1} ref={thanks} hidden={sent === null}>
        {sent === 'subscribed' && t('You’re subscribed.')}
        {sent === 'asked' && t('Thanks! You’ll get an email. Open its link to confirm your subscription.')}
      </div>
      {sent === 'asked' && children}
    </ActionForm>
  );
}

async function statusesOf(lists: number[]): Promise<readonly SubscriberStatus[]> {
  return [await rpc<typeof isSubscriber>('/website_mass_mailing/is_subscriber', { list_id: lists })].flat();
}
