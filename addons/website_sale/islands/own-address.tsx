import { useState } from 'react';
import type { z } from 'zod';
import { useErrors } from '#addons/website/kit';
import { t, url } from '#core/browser';
import { Token } from '#core/islands';
import type schema from './own-address.props.ts';
import { type AddressForm, CountryAndState, TextField } from './parts/address.tsx';
import { useAwake } from './parts/use-awake.ts';

/** An address of one's own, to change or to add. */
export default function OwnAddress(props: z.infer<typeof schema>) {
  const { action, vat, values, countries, states } = props;
  const { errors, check, mend } = useErrors(props.errors);
  const form: AddressForm = { values, errors, isAwake: useAwake() };
  const [needsZip, setNeedsZip] = useState(countries.find(({ id }) => String(id) === values.country_id)?.zip === true);
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
        <TextField {...field} id="name" label={t('Name')} autoComplete="name" required maxLength={120} />
        <TextField {...field} id="phone" label={t('Phone')} type="tel" autoComplete="tel" maxLength={64} optional />
        <TextField
          {...field}
          id="street2"
          label={t('Street')}
          autoComplete="street-address"
          required
          maxLength={200}
          wide={12}
        />
        <TextField
          {...field}
          id="zip"
          label={t('Postal code')}
          autoComplete="postal-code"
          required={needsZip}
          maxLength={24}
          wide={4}
        />
        <TextField
          {...field}
          id="city"
          label={t('City')}
          autoComplete="address-level2"
          required
          maxLength={120}
          wide={8}
        />
        <CountryAndState
          {...field}
          prefix=""
          countries={countries}
          states={states}
          required
          onCountry={(country) => setNeedsZip(country?.zip === true)}
        />
        {vat && <TextField {...field} id="vat" label={t('VAT number')} autoComplete="off" maxLength={32} optional />}
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
