import { t } from 'pergola/browser';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { Places } from '../checkout.props.ts';
import { useStates } from './use-states.ts';

/** Values and errors of the form, and whether scripts run. */
export interface AddressForm {
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly isAwake: boolean;
}

interface GroupProps {
  readonly id: string;
  readonly label: ReactNode;
  readonly error: string | undefined;
  readonly children: ReactNode;
}

/** An address field with its label and error, with the same markup as the template `web.field`. */
export function Group({ id, label, error, children }: GroupProps) {
  return (
    <div className={`mb-3 form-group${error ? ' has-error' : ''}`} data-field={id}>
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      {children}
      <p className="invalid-feedback" id={`${id}-error`}>
        {error}
      </p>
    </div>
  );
}

export const Optional = () => <span className="text-body-secondary">{t('(optional)')}</span>;

/** Attributes for the control of a {@link Group}. */
export function control(id: string, error: string | undefined, className: string) {
  return {
    id,
    name: id,
    className: error ? `${className} is-invalid` : className,
    'aria-describedby': `${id}-error`,
    'aria-invalid': error ? true : undefined,
  } as const;
}

interface TextProps extends ComponentProps<'input'> {
  readonly id: string;
  readonly label: string;
  readonly of: AddressForm;
  readonly optional?: boolean;
  /** Width in columns of twelve. */
  readonly wide?: 4 | 8 | 6 | 12;
}

export function TextField({ id, label, of: { values, errors }, optional = false, wide = 6, ...input }: TextProps) {
  return (
    <div className={wide === 12 ? 'col-12' : `col-sm-${wide}`}>
      <Group
        id={id}
        error={errors[id]}
        label={
          <>
            {label}
            {optional && (
              <>
                {' '}
                <Optional />
              </>
            )}
          </>
        }
      >
        <input {...control(id, errors[id], 'form-control')} type="text" {...input} defaultValue={values[id] ?? ''} />
      </Group>
    </div>
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
      <TextField
        of={form}
        id="street2"
        label={t('Street')}
        autoComplete="street-address"
        required
        maxLength={200}
        wide={12}
      />
      <TextField
        of={form}
        id="zip"
        label={t('Postal code')}
        autoComplete="postal-code"
        required={needsZip}
        maxLength={24}
        wide={4}
      />
      <TextField
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
  const stateControl = {
    ...control(stateField, errors[stateField], 'form-select js_state'),
    autoComplete: `${autoComplete}address-level1`,
  };
  return (
    <>
      <div className="col-sm-6">
        <Group id={countryField} label={t('Country')} error={errors[countryField]}>
          <select
            {...control(countryField, errors[countryField], 'form-select js_country')}
            autoComplete={`${autoComplete}country`}
            required={required}
            value={country}
            onChange={({ target: { value } }) => {
              setCountry(value);
              onCountry?.(countries.find(({ id }) => String(id) === value));
            }}
          >
            <option value="">{t('Choose a country…')}</option>
            {countries.filter(({ usual: isUsual }) => isUsual).map(placeOption)}
            <hr />
            {countries.filter(({ usual: isUsual }) => !isUsual).map(placeOption)}
          </select>
        </Group>
      </div>
      <div className={`col-sm-6 js_state_group${countryStates.length > 1 ? ' is-shown' : ''}`}>
        <Group
          id={stateField}
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
          {/* Without scripts the list doesn't follow the country; the server shows the form again if the states belong to another one. */}
          <noscript>
            <select {...stateControl} defaultValue={state}>
              <option value="">{t('Choose a state…')}</option>
              {countryStates.map(placeOption)}
            </select>
            <input type="hidden" name={`${prefix}states_of`} value={country || '0'} />
          </noscript>
          <select
            {...stateControl}
            id={isAwake ? stateField : undefined}
            disabled={!isAwake}
            required={isNeeded}
            value={countryStates.some(({ id }) => String(id) === state) ? state : ''}
            onChange={({ target }) => setState(target.value)}
          >
            <option value="">{t('Choose a state…')}</option>
            {countryStates.map(placeOption)}
          </select>
        </Group>
      </div>
    </>
  );
}
