import { Icon, SelectField, TextArea, useErrors } from '@pergola/website/kit';
import left from 'bootstrap-icons/icons/arrow-left.svg';
import right from 'bootstrap-icons/icons/arrow-right.svg';
import { t, url } from 'pergola/browser';
import { Token } from 'pergola/islands';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import type schema from './checkout.props.ts';
import { AddressField, type AddressForm, CountryAndState, InvoicePlace, Optional } from './parts/address.tsx';
import { buyer } from './parts/buyer.ts';
import { count } from './parts/statistics.ts';
import { useAwake } from './parts/use-awake.ts';

type Props = z.infer<typeof schema>;

/**
 * The address form: states follow the country, fields for another address appear when needed, and missing values are marked before the form
 * is sent. Its content is the fields of other addons.
 */
export default function Checkout(props: Props & { readonly children?: ReactNode }) {
  const { guest, gift, deliverable, values, children } = props;
  const { errors, check, mend } = useErrors(props.errors);
  const form: AddressForm = { values, errors, isAwake: useAwake() };
  const element = useRef<HTMLFormElement>(null);
  const tellBuyer = (): void => {
    const data = new FormData(element.current ?? undefined);
    buyer.set({ name: String(data.get('name') ?? ''), email: String(data.get('email') ?? '') });
  };
  useEffect(tellBuyer, []);
  useEffect(() => {
    // A form that is shown again with errors doesn't count as another checkout.
    if (location.pathname.endsWith('/shop/checkout')) count('customer_checkout');
  }, []);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    if (!check(event)) return;
    if (guest) count('customer_signup');
    count('order_checkout');
  };
  return (
    <form
      className="shop-address js_checkout_form"
      method="post"
      action={url('/shop/confirm_order')}
      noValidate
      data-slot="address-form"
      onSubmit={submit}
      onInput={(event) => {
        mend(event);
        tellBuyer();
      }}
      ref={element}
    >
      <Token />
      <section aria-labelledby="billing-title">
        <h2 className="h4" id="billing-title">
          {gift ? t('Your details') : t('Billing information')}
        </h2>
        {gift && (
          <p className="form-text">
            {t('There’s nothing to pay or ship, so we only need your name and email address.')}
          </p>
        )}
        <Billing {...props} form={form} />
      </section>
      {deliverable ? <Shipping {...props} form={form} /> : <input type="hidden" name="shipping_id" value="0" />}
      {children}
      <TextArea
        id="note"
        label={
          <>
            {t('Order note')} <Optional />
          </>
        }
        name="note"
        rows={2}
        maxLength={1000}
        defaultValue={values.note ?? ''}
      />
      <div className="shop-buttons">
        <a className="btn btn-outline-secondary" href={url('/shop/cart')}>
          <Icon of={left} /> {t('Return to Cart')}
        </a>
        <button className="btn btn-primary a-submit" type="submit">
          {gift ? t('Register') : t('Confirm')} <Icon of={right} />
        </button>
      </div>
    </form>
  );
}

function Billing({ form, gift, vat, countries, states }: Props & { readonly form: AddressForm }) {
  const field = { of: form };
  return (
    <div className="row">
      <AddressField {...field} id="name" label={t('Your name')} autoComplete="name" required maxLength={120} />
      <AddressField
        {...field}
        id="email"
        label={t('Email')}
        type="email"
        autoComplete="email"
        required
        maxLength={254}
      />
      {!gift && (
        <>
          <AddressField
            {...field}
            id="phone"
            label={t('Phone')}
            type="tel"
            autoComplete="tel"
            required
            maxLength={64}
          />
          <AddressField
            {...field}
            id="street"
            label={t('Company name')}
            autoComplete="organization"
            maxLength={120}
            optional
          />
          {vat && (
            <AddressField {...field} id="vat" label={t('VAT number')} autoComplete="off" maxLength={32} optional />
          )}
          <InvoicePlace {...field} countries={countries} states={states} />
        </>
      )}
    </div>
  );
}

function Shipping({ form, shipping, countries, states, values }: Props & { readonly form: AddressForm }) {
  const [addressId, choose] = useState(values.shipping_id ?? '0');
  const { errors, isAwake } = form;
  const isNew = addressId === '-1';
  const field = { of: form, required: isAwake && isNew };
  return (
    <section aria-labelledby="shipping-title">
      <h2 className="h4" id="shipping-title">
        {t('Shipping address')}
      </h2>
      <SelectField
        id="shipping_id"
        name="shipping_id"
        className="form-select js_shipping_select"
        label={t('Ship to')}
        error={errors.shipping_id}
        value={addressId}
        onChange={choose}
        choices={shipping.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <fieldset
        className={`js_shipping${isNew ? ' is-shown' : ''}`}
        data-slot="shipping-fields"
        disabled={isAwake && !isNew}
      >
        <legend className="visually-hidden">{t('New shipping address')}</legend>
        <noscript>
          <p className="form-text">{t('Only if you ship to another address.')}</p>
        </noscript>
        <div className="row">
          <AddressField
            {...field}
            id="shipping_name"
            label={t('Delivery name')}
            autoComplete="shipping name"
            maxLength={120}
          />
          <AddressField
            {...field}
            id="shipping_phone"
            label={t('Delivery phone')}
            type="tel"
            autoComplete="shipping tel"
            maxLength={64}
          />
          <AddressField
            {...field}
            id="shipping_street"
            label={t('Delivery street')}
            autoComplete="shipping street-address"
            maxLength={200}
            wide={12}
          />
          <AddressField
            of={form}
            id="shipping_zip"
            label={t('Delivery postal code')}
            autoComplete="shipping postal-code"
            maxLength={24}
            wide={4}
          />
          <AddressField
            {...field}
            id="shipping_city"
            label={t('Delivery city')}
            autoComplete="shipping address-level2"
            maxLength={120}
            wide={8}
          />
          <CountryAndState {...field} prefix="shipping_" countries={countries} states={states} />
        </div>
      </fieldset>
    </section>
  );
}
