import { Field, SelectField, TextField } from '@pergola/website/kit';
import { t } from 'pergola/browser';
import { type ComponentProps, useState } from 'react';
import type { Places } from '../checkout.props.ts';
import { useStates } from './use-states.ts';

/** Values and errors of the form, and whether scripts run. */
export interface AddressForm {
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly isAwake: boolean;
}

export const Optional = () => <span className="text-body-secondary">{t('(optional)')}</span>;

interface AddressFieldProps extends ComponentProps<typeof TextField> {
  readonly id: string;
  readonly of: AddressForm;
  readonly optional?: boolean;
  /** Width in columns of twelve. */
  readonly wide?: 4 | 8 | 6 | 12;
}

export function AddressField({ id, label, of, optional = false, wide = 6, ...input }: AddressFieldProps) {
  return (
    <TextField
      {...input}
      id={id}
      name={id}
      wrap={`mb-3 col-12 col-sm-${wide}`}
      label={
        <>
          {label} {optional && <Optional />}
        </>
      }
      error={of.errors[id]}
      defaultValue={of.values[id] ?? ''}
    />
  );
}

interface PlaceProps extends Places {
  readonly of: AddressForm;
  /** Prefix of the field names; empty for the invoice address. */
  readonly prefix: '' | 'shipping_';
  /** Whether a country is required. */
  readonly required: boolean;
  readonly onCountry?: (country: Places['countries'][number] | undefined) => void;
}

const placeOption = ({ id, name }: { readonly id: number; readonly name: string }) => (
  <option key={id} value={id}>
    {name}
  </option>
);

/** Street, postal code, city, country and state of the invoice address. */
export function InvoicePlace({ of: form, countries, states }: Places & { readonly of: AddressForm }) {
  const [needsZip, setNeedsZip] = useState(
    countries.find(({ id }) => String(id) === form.values.country_id)?.zip === true,
  );
  return (
    <>
      <AddressField
        of={form}
        id="street2"
        label={t('Street')}
        autoComplete="street-address"
        required
        maxLength={200}
        wide={12}
      />
      <AddressField
        of={form}
        id="zip"
        label={t('Postal code')}
        autoComplete="postal-code"
        required={needsZip}
        maxLength={24}
        wide={4}
      />
      <AddressField
        of={form}
        id="city"
        label={t('City')}
        autoComplete="address-level2"
        required
        maxLength={120}
        wide={8}
      />
      <CountryAndState
        of={form}
        prefix=""
        countries={countries}
        states={states}
        required
        onCountry={(country) => setNeedsZip(country?.zip === true)}
      />
    </>
  );
}

/** Country and state fields. Lists only the states of the selected country, and hides the field unless there are several. */
export function CountryAndState({ of: form, prefix, required, countries, states, onCountry }: PlaceProps) {
  const { values, errors, isAwake } = form;
  const [countryField, stateField] = [`${prefix}country_id`, `${prefix}state_id`];
  const [country, setCountry] = useState(values[countryField] ?? '');
  const [state, setState] = useState(values[stateField] ?? '');
  const countryStates = useStates(country, states);
  const selectedCountry = countries.find(({ id }) => String(id) === country);
  // A state is required only in the invoice address, and only in some countries.
  const isNeeded = prefix === '' && countryStates.length > 1 && selectedCountry?.state === true;
  const autoComplete = prefix === '' ? '' : 'shipping ';
  return (
    <>
      <SelectField
        id={countryField}
        name={countryField}
        wrap="mb-3 col-sm-6"
        className="form-select js_country"
        label={t('Country')}
        error={errors[countryField]}
        autoComplete={`${autoComplete}country`}
        required={required}
        value={country}
        onChange={(value) => {
          setCountry(value);
          onCountry?.(countries.find(({ id }) => String(id) === value));
        }}
      >
        <option value="">{t('Choose a country…')}</option>
        {countries.filter(({ usual: isUsual }) => isUsual).map(placeOption)}
        <hr />
        {countries.filter(({ usual: isUsual }) => !isUsual).map(placeOption)}
      </SelectField>
      <Field
        id={stateField}
        wrap={`mb-3 col-sm-6 js_state_group${countryStates.length > 1 ? ' is-shown' : ''}`}
        className="form-select js_state"
        error={errors[stateField]}
        label={
          <>
            {t('State or province')}{' '}
            {!isNeeded && (
              <span className="js_state_optional">
                <Optional />
              </span>
            )}
          </>
        }
      >
        {(control) => {
          const shared = { ...control, name: stateField, autoComplete: `${autoComplete}address-level1` };
          const options = [
            <option key="" value="">
              {t('Choose a state…')}
            </option>,
            ...countryStates.map(placeOption),
          ];
          return (
            <>
              {/* Without scripts the list doesn't follow the country; the server shows the form again if the states belong to another one. */}
              <noscript>
                <select {...shared} defaultValue={state}>
                  {options}
                </select>
                <input type="hidden" name={`${prefix}states_of`} value={country || '0'} />
              </noscript>
              <select
                {...shared}
                id={isAwake ? stateField : undefined}
                disabled={!isAwake}
                required={isNeeded}
                value={countryStates.some(({ id }) => String(id) === state) ? state : ''}
                onChange={({ target }) => setState(target.value)}
              >
                {options}
              </select>
            </>
          );
        }}
      </Field>
    </>
  );
}
