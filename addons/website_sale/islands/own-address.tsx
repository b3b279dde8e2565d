import { useErrors } from '@pergola/website/kit';
import { t, url } from 'pergola/browser';
import { Token } from 'pergola/islands';
import type { z } from 'zod';
import type schema from './own-address.props.ts';
import { AddressField, type AddressForm, InvoicePlace } from './parts/address.tsx';
import { useAwake } from './parts/use-awake.ts';

/** Form to change or add an address of the customer. */
export default function OwnAddress(props: z.infer<typeof schema>) {
  const { action, vat, values, countries, states } = props;
  const { errors, check, mend } = useErrors(props.errors);
  const form: AddressForm = { values, errors, isAwake: useAwake() };
  const field = { of: form };
  return (
    <form
      className="shop-address"
      method="post"
      action={url(action)}
      noValidate
      data-slot="own-address-form"
      onSubmit={check}
      onInput={mend}
    >
      <Token />
      <div className="row">
        <AddressField {...field} id="name" label={t('Name')} autoComplete="name" required maxLength={120} />
        <AddressField {...field} id="phone" label={t('Phone')} type="tel" autoComplete="tel" maxLength={64} optional />
        <InvoicePlace {...field} countries={countries} states={states} />
        {vat && <AddressField {...field} id="vat" label={t('VAT number')} autoComplete="off" maxLength={32} optional />}
      </div>
      <div className="shop-buttons">
        <a className="btn btn-outline-secondary" href={url('/my/addresses')}>
          {t('Back')}
        </a>
        <button className="btn btn-primary" type="submit">
          {t('Save')}
        </button>
      </div>
    </form>
  );
}
