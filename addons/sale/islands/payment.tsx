import { BusyButton, Check, Icon, Picture } from '@pergola/web/kit';
import arrow from 'bootstrap-icons/icons/arrow-right.svg';
import { type RpcError, t, url } from 'pergola/browser';
import { Token, useCall } from 'pergola/islands';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type schema from './payment.props.ts';
import type { Acquirer } from './payment.props.ts';

type Props = z.infer<typeof schema> & { readonly children?: ReactNode };

/**
 * Payment methods, with the pay button of the chosen one. Pressing it creates the transaction, then submits the provider's form. Its
 * content explains, above the button, what pressing it means.
 */
export default function Payment({ acquirers, attempt, action, amount, version, back, children }: Props) {
  const [selectedId, choose] = useState(acquirers.find((acquirer) => acquirer.chosen)?.id);
  const { pay, form, isPaying, error } = usePay({ key: attempt, amount, version }, action, back);
  return (
    <section id="payment_method" className="js_payment" data-slot="payment">
      <h2 className="h4">{t('Payment Method')}</h2>
      <fieldset>
        <legend className="visually-hidden">{t('Payment Method')}</legend>
        <ul className="pay-methods">
          {acquirers.map(({ id, name, logo, test }) => (
            <li key={id}>
              <Check
                wrap=""
                type="radio"
                name="acquirer"
                value={id}
                checked={id === selectedId}
                onChange={() => choose(id)}
                label={
                  <>
                    <Picture src={logo} alt="" title={name} width="48" height="32" /> <span>{name}</span>
                    {test && (
                      <>
                        {' '}
                        <span className="badge bg-body-secondary text-body border">{t('Test')}</span>
                      </>
                    )}
                  </>
                }
              />
            </li>
          ))}
        </ul>
      </fieldset>
      {children}
      {acquirers.map((acquirer) => (
        <div
          key={acquirer.id}
          className="oe_sale_acquirer_button"
          data-id={acquirer.id}
          data-slot="acquirer"
          data-hidden={acquirer.id === selectedId ? undefined : ''}
        >
          {acquirer.message !== '' && (
            // biome-ignore lint/security/noDangerouslySetInnerHtml: the server sanitised it
            <div className="pay-method-text" dangerouslySetInnerHTML={{ __html: acquirer.message }} />
          )}
          {acquirer.keeping !== '' && <p className="form-text">{acquirer.keeping}</p>}
          <form
            className="js_pay"
            method="post"
            action={url(`${action}/${acquirer.id}/form`)}
            onSubmit={(event) => {
              event.preventDefault();
              pay(acquirer, event.currentTarget);
            }}
          >
            <Token />
            <input type="hidden" name="key" value={attempt} />
            <input type="hidden" name="version" value={version} />
            {amount !== undefined && <input type="hidden" name="amount" value={amount} />}
            <BusyButton className="btn btn-primary btn-lg" busy={isPaying} aria-label={labelOf(acquirer.name)}>
              {t('Pay Now')}
              <span className="pay-by" aria-hidden="true">
                {labelOf(acquirer.name).slice(t('Pay Now').length)}
              </span>{' '}
              <Icon of={arrow} />
            </BusyButton>
          </form>
        </div>
      ))}
      {form}
      <p className="text-danger js_pay_error" role="alert" hidden={error === ''}>
        {error}
      </p>
    </section>
  );
}

/** Creates the transaction, then submits the provider form from the response. */
function usePay(
  sent: Readonly<{ key: string; amount: number | undefined; version: string }>,
  action: string,
  back: string,
) {
  const [html, setHtml] = useState<string | null>(null);
  const [error, setError] = useState('');
  const { call, pending } = useCall();
  const isPaying = pending || html !== null;
  const pay = ({ id, told: statisticsUrl }: Acquirer, plain: HTMLFormElement): void => {
    if (isPaying) return;
    if (statisticsUrl !== '' && navigator.doNotTrack !== '1') navigator.sendBeacon(statisticsUrl);
    const failed = (rpcError: RpcError): true => {
      // The plain form responds with a page that lists the changes and asks again.
      if (rpcError.reason === 'sale.order_changed') plain.submit();
      else setError(rpcError.message);
      return true;
    };
    call<string>(`${action}/${id}`, sent, { done: setHtml, failed });
  };
  return {
    pay,
    isPaying,
    error,
    form: html !== null && <ProviderForm html={html} back={back} />,
  };
}

function ProviderForm({ html, back }: { readonly html: string; readonly back: string }) {
  const target = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [form] = target.current?.getElementsByTagName('form') ?? [];
    if (form) form.requestSubmit();
    else location.assign(back);
  }, [back]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a template of the server made it
  return <div ref={target} className="js_pay_target" hidden dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Returns the label of a method's pay button: `Pay Now: Wire Transfer`. */
function labelOf(name: string): string {
  return t('{action}: {name}', { action: t('Pay Now'), name });
}
