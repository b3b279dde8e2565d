import { Country as CountryData, State as StateData } from 'country-state-city';
import { type Ctx, data } from '#core';
import { Country, CountryState } from '../models/country.ts';
import { Currency } from '../models/currency.ts';

/** Countries in which addresses have no postal code. */
const withoutZip = new Set(
  'AE AG AN AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GM GN GQ GY HK IE JM KE KI KM KN KP LC ML MO MR MS MU MW NR NU PA QA RW SB SC SL SR ST SY TD TF TG TK TL TO TT TV TZ UG VU YE ZA ZW'.split(
    ' ',
  ),
);

/** Every country of ISO 3166, and every state the data package knows. */
export default [data(Country, countries, { noupdate: true }), data(CountryState, states, { noupdate: true })];

async function countries(ctx: Ctx) {
  const names = {
    en_US: new Intl.DisplayNames('en', { type: 'region' }),
    fr_FR: new Intl.DisplayNames('fr', { type: 'region' }),
  };
  const currencies = await ctx
    .model(Currency)
    .find(['|', ['active', '=', true], ['active', '=', false]], { select: { name: true } });
  const currencyIds = new Map(currencies.map(({ id, name }) => [name, id]));
  return Object.fromEntries(
    CountryData.getAllCountries().map(({ isoCode, name, phonecode, currency }) => [
      isoCode.toLowerCase(),
      {
        name: { en_US: names.en_US.of(isoCode) ?? name, fr_FR: names.fr_FR.of(isoCode) ?? name },
        code: isoCode,
        phone_code: phonecode,
        currency_id: currencyIds.get(currency) ?? null,
        zip_required: !withoutZip.has(isoCode),
      },
    ]),
  );
}

async function states(ctx: Ctx) {
  const known = await ctx.model(Country).find([], { select: { code: true } });
  const countryIds = new Map(known.map(({ id, code }) => [code, id]));
  return Object.fromEntries(
    StateData.getAllStates().flatMap(({ countryCode, isoCode, name }) => {
      const country_id = countryIds.get(countryCode);
      if (country_id === undefined) return [];
      return [[`state_${countryCode}_${isoCode}`.toLowerCase(), { name, code: isoCode, country_id }]];
    }),
  );
}
