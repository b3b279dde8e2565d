import currencies from 'currency-codes';
import { data } from 'pergola';
import { Currency } from '../models/currency.ts';

/** Active by default; other currencies can be enabled. */
const active = new Set(['EUR', 'USD', 'GBP', 'CHF', 'CAD', 'JPY', 'TND']);
/** Symbols written before the amount in their home countries. */
const prefixSymbols = new Set(['$', '£', '¥']);

/** Sample rates against the euro, for demo data only. */
const demoRates: Readonly<Record<string, string>> = Object.freeze({
  USD: '1.08',
  GBP: '0.86',
  CHF: '0.95',
  CAD: '1.52',
  JPY: '161.2',
  TND: '3.37',
});

/** All ISO 4217 currencies, with names in both languages and symbols from CLDR. */
export default data(
  Currency,
  async ({ config }) => {
    const names = {
      en_US: new Intl.DisplayNames('en', { type: 'currency' }),
      fr_FR: new Intl.DisplayNames('fr', { type: 'currency' }),
    };
    return Object.fromEntries(
      currencies.data
        .filter(({ code }) => !code.startsWith('X') || code === 'XAF' || code === 'XOF' || code === 'XPF')
        .map(({ code, digits, currency }) => {
          const symbol = symbolOf(code);
          const places = Math.min(digits, 4);
          return [
            code.toLowerCase(),
            {
              name: code,
              full_name: { en_US: names.en_US.of(code) ?? currency, fr_FR: names.fr_FR.of(code) ?? currency },
              symbol,
              position: prefixSymbols.has(symbol) ? ('before' as const) : ('after' as const),
              decimal_places: places,
              rounding: places === 0 ? '1' : `0.${'0'.repeat(places - 1)}1`,
              active: active.has(code),
              ...(config.demo && demoRates[code] ? { rate: demoRates[code] } : {}),
            },
          ];
        }),
    );
  },
  { noupdate: true },
);

function symbolOf(code: string): string {
  const parts = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value.trim() ?? code;
}
