// Avoids the package's index, which would load all cities of the world.
import countryData from 'country-state-city/lib/cjs/country.js';
import { getAllStates } from 'country-state-city/lib/cjs/state.js';
import currencies from 'currency-codes';
import { data, ref } from 'pergola';
import { Country, CountryState } from '../models/country.ts';

/** Countries without postal codes. */
const withoutZip = new Set(
  'AE AG AN AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GM GN GQ GY HK IE JM KE KI KM KN KP LC ML MO MR MS MU MW NR NU PA QA RW SB SC SL SR ST SY TD TF TG TK TL TO TT TV TZ UG VU YE ZA ZW'.split(
    ' ',
  ),
);

/** All ISO 3166 countries, and all states in the data package. */
export default [data(Country, countries, { noupdate: true }), data(CountryState, states, { noupdate: true })];

async function countries() {
  const names = {
    en_US: new Intl.DisplayNames('en', { type: 'region' }),
    fr_FR: new Intl.DisplayNames('fr', { type: 'region' }),
  };
  const currencyCodes = new Set(currencies.codes().filter((code) => !code.startsWith('X') || /^X[AOP]F$/.test(code)));
  return Object.fromEntries(
    countryData.default.getAllCountries().map(({ isoCode, name, phonecode, currency }) => [
      isoCode.toLowerCase(),
      {
        name: { en_US: names.en_US.of(isoCode) ?? name, fr_FR: names.fr_FR.of(isoCode) ?? name },
        code: isoCode,
        phone_code: phonecode,
        currency_id: currencyCodes.has(currency) ? ref(`base.${currency.toLowerCase()}`) : null,
        zip_required: !withoutZip.has(isoCode),
      },
    ]),
  );
}

async function states() {
  const countryCodes = new Set(countryData.default.getAllCountries().map(({ isoCode }) => isoCode));
  return Object.fromEntries(
    getAllStates()
      .filter(({ countryCode }) => countryCodes.has(countryCode))
      .map(({ countryCode, isoCode, name }) => [
        `state_${countryCode}_${isoCode}`.toLowerCase(),
        { name, code: isoCode, country_id: ref(`base.${countryCode.toLowerCase()}`) },
      ]),
  );
}
