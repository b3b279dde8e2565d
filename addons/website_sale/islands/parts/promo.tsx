import { Field, Icon } from '@pergola/website/kit';
import tag from 'bootstrap-icons/icons/tag.svg';
import { t, url } from 'pergola/browser';
import { Token } from 'pergola/islands';
import type { z } from 'zod';
import type { promo } from '../cart.props.ts';

/** The active promo code or a field to enter one, with the result of the last attempt. */
export function Promo({
  of: { typed: submittedCode, error, message, code, list },
}: {
  readonly of: z.infer<typeof promo>;
}) {
  return (
    <section className="shop-promo" aria-label={t('Promo code')} id="promo-code" data-slot="promo">
      {message !== '' && (
        // biome-ignore lint/a11y/noAutofocus: what was just done is read out
        <p className="alert alert-success" role="status" tabIndex={-1} autoFocus>
          {message}
        </p>
      )}
      <form className={code === null ? undefined : 'shop-promo-code'} method="post" action={url('/shop/pricelist')}>
        <Token />
        {code === null ? (
          <Field id="promo" wrap="" label={t('I have a promo code')} error={error}>
            {(control) => (
              <div className={`input-group${error ? ' has-validation' : ''}`}>
                <input
                  {...control}
                  name="promo"
                  maxLength={64}
                  autoComplete="off"
                  required
                  defaultValue={submittedCode}
                  // biome-ignore lint/a11y/noAutofocus: it was just sent, and has to be put right
                  autoFocus={error !== ''}
                />
                <button className="btn btn-outline-secondary" type="submit">
                  {t('Apply')}
                </button>
              </div>
            )}
          </Field>
        ) : (
          <>
            <input type="hidden" name="promo" value="" />
            <span>
              <Icon of={tag} /> <strong translate="no">{code}</strong>{' '}
              <span className="text-body-secondary">{t('Pricelist: {name}', { name: list })}</span>
            </span>
            <button className="btn btn-outline-secondary btn-sm" type="submit">
              {t('Remove')}
              <span className="visually-hidden"> {t('the promo code')}</span>
            </button>
          </>
        )}
      </form>
    </section>
  );
}
