import currencies from 'currency-codes';
import fc from 'fast-check';
import { currencyIn, numberFault } from '../../browser/index.ts';
import { type CurrencyFormat, createFormats } from '../format.ts';
import { localeOf } from '../languages.ts';

const formats = createFormats();
/** The parsed number, or the error. */
const read = (text: string, lang: string, input = {}): string => {
  const reading = formats.parseNumber(text, lang, input);
  return reading.problem ?? reading.value;
};

describe('A typed number', () => {
  test.each([
    ['4,500', 'en_US', '4500'],
    ['4500', 'en_US', '4500'],
    ['1,234,567.891', 'en_US', '1234567.891'],
    ['4\u202f500,00', 'fr_FR', '4500'],
    ['4\u00a0500,00', 'fr_FR', '4500'],
    ['4 500,00', 'fr_FR', '4500'],
    ['12.5', 'fr_FR', '12.5'],
    ['0.125', 'fr_FR', '0.125'],
    ['1 250,5', 'fr_CA', '1250.5'],
    ["1'200", 'de_CH', '1200'],
    ['1’200.50', 'de_CH', '1200.5'],
    ["1'200", 'en_US', '1200'],
    ['1.234,5', 'de_DE', '1234.5'],
    ['1.234', 'es_ES', '1234'],
    ['1,23,456', 'en_IN', '123456'],
    ['1,23,456', 'hi_IN', '123456'],
    ['123,456', 'hi_IN', '123456'],
    ['١٢', 'en_US', '12'],
    ['١٬٢٣٤٫٥', 'ar_EG', '1234.5'],
    ['۱۲۳٫۵', 'en_US', '123.5'],
    ['१,२३,४५६', 'hi_IN', '123456'],
    ['１２，３４５．５', 'en_US', '12345.5'],
    ['\u200e-\u200e5', 'ar_EG', '-5'],
    ['−5', 'sv_SE', '-5'],
    ['+5', 'en_US', '5'],
    ['-0', 'en_US', '0'],
    ['007', 'en_US', '7'],
    ['.5', 'en_US', '0.5'],
    ['5.', 'en_US', '5'],
    [' 5 ', 'en_US', '5'],
    // Separators of other languages are accepted if unambiguous.
    ['1.234,56', 'en_US', '1234.56'],
    ['12,5', 'en_US', '12.5'],
    ['1.5', 'de_DE', '1.5'],
    ['1,50', 'en_US', '1.5'],
    ['1.234.567', 'en_US', '1234567'],
    ['4 500,00', 'en_US', '4500'],
    ['1,234.5', 'fr_FR', '1234.5'],
    ['1,234,567', 'fr_CH', '1234567'],
  ])('%j in %s is %s', (text, lang, value) => expect(read(text, lang)).toBe(value));

  test.each([
    ['1.250', 'fr_FR', 'ambiguous'],
    ['1,250', 'de_CH', 'ambiguous'],
    ['1,2,3', 'en_US', 'format'],
    ['1,23,456', 'en_US', 'format'],
    ['1234,567', 'en_US', 'format'],
    ['0,125', 'en_US', 'format'],
    ['4 500,000', 'en_US', 'format'],

    ['1.234,567.8', 'en_US', 'format'],
    ['1..5', 'en_US', 'format'],
    ['1 2', 'en_US', 'format'],
    ['1e5', 'en_US', 'format'],
    ['0x10', 'en_US', 'format'],
    ['(5.00)', 'en_US', 'format'],
    ['5-', 'en_US', 'format'],
    ['--5', 'en_US', 'format'],
    ['5 €', 'en_US', 'format'],
    ['20 %', 'en_US', 'format'],
    ['²', 'en_US', 'format'],
    ['NaN', 'en_US', 'format'],
    ['Infinity', 'en_US', 'format'],
    ['9'.repeat(101), 'en_US', 'format'],
    [' ', 'en_US', 'empty'],
  ])('%j in %s is refused: %s', (text, lang, problem) => expect(read(text, lang)).toBe(problem));

  test.each([
    ['2.9', 0, 'whole'],
    ['1.000', 0, 'whole'],
    ['2.0', 0, '2'],
    ['1.005', 2, 'decimals'],
    ['39.500', 2, 'decimals'],
    ['39.50', 2, '39.5'],
    ['1.234', 3, '1.234'],
    ['1.2340', 3, '1.234'],
    ['12.5', 0, 'whole'],
  ])('%s with at most %d decimals: %s', (text, places, value) => expect(read(text, 'en_US', { places })).toBe(value));

  test.each([
    ['-$1,234.50', { currency: ['$', 'USD'] }, '-1234.5'],
    ['$-5', { currency: ['$', 'USD'] }, '-5'],
    ['5 usd', { currency: ['$', 'USD'] }, '5'],
    ['5 €', { currency: ['$', 'USD'] }, 'format'],
    ['5 kr.', { currency: ['kr.'] }, '5'],
    ['5 €', { currency: 'any' }, '5'],
    ['CHF 5', { currency: 'any' }, '5'],
    ['5 m', { currency: 'any' }, 'format'],
    ['5 PCS', { currency: 'any' }, 'format'],
    ['KGM 5', { currency: 'any' }, 'format'],
    ['20 %', { percent: true }, '20'],
    ['%20', { percent: true }, '20'],
  ])('%j with %j is %s', (text, input, value) => expect(read(text, 'en_US', input)).toBe(value));

  test.each([
    ['20 €', '€'],
    ['-US$ 20', 'US$'],
    ['(7.00) EUR', 'EUR'],
    ['kr. 12,5', 'kr.'],
    ['500円', '円'],
    ['CHF 5', 'CHF'],
    ['5 PCS', null],
    ['5 kg', null],
    ['20 %', null],
    ['5', null],
  ])('%j names the currency %s', (text, currency) => expect(currencyIn(text)).toBe(currency));

  test.each([
    ['abc', 'en_US', {}, 'Use 1234.50 or 1,234.50.'],
    ['abc', 'fr_FR', {}, 'Use 1234,50 or 1\u202f234,50.'],
    ['1234.567', 'de_DE', {}, 'Use 1234,50 or 1.234,50.'],
    ['abc', 'en_US', { places: 0 }, 'Enter a whole number.'],
    ['2.9', 'en_US', { places: 0 }, 'Enter a whole number.'],
    ['2.999', 'en_US', { places: 2 }, 'Use at most 2 decimals.'],
    ['1.250', 'fr_FR', {}, 'This could be 1250 or 1,25. Enter one of these.'],
  ])('%j in %s with %j: “%s”', (text, lang, input, fault) => {
    const reading = formats.parseNumber(text, lang, input);
    const fill = (message: string, params = {}) =>
      message.replace(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(params, name)));
    expect(reading.problem && numberFault(reading, fill)).toBe(fault);
  });
});

/** Number of amounts to try: `NUMBERS=1000000 npm test -- packages/texts/tests/parse-number.test.ts` takes a few minutes. */
const AMOUNTS = Number(process.env.NUMBERS ?? 40_000);

/** Codes of all languages known to the runtime, as in `res.lang`: alone, and with countries that may write numbers differently. */
const languages = languageCodes(AMOUNTS > 100_000);

function languageCodes(inAllCountries: boolean): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap((a) => letters.map((b) => a + b));
  const supported = [...pairs, ...pairs.flatMap((pair) => letters.map((c) => pair + c))].filter(isSupported);
  const countries = inAllCountries ? pairs.map((pair) => pair.toUpperCase()) : 'AT CA CH FR IN LI MX PT ZA'.split(' ');
  return supported.flatMap((language) => [
    language,
    ...countries.map((country) => `${language}_${country}`).filter((code) => isSupported(code.replace('_', '-'))),
  ]);
}

function isSupported(tag: string): boolean {
  try {
    return new Intl.NumberFormat(tag).resolvedOptions().locale === tag;
  } catch {
    return false; // Not a language.
  }
}

const units: readonly CurrencyFormat[] = currencies.data.flatMap(({ code, digits }) => {
  const symbol =
    new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
      .formatToParts(0)
      .find(({ type }) => type === 'currency')
      ?.value.trim() ?? code;
  return (['before', 'after'] as const).map((position) => ({ code, digits, symbol, position }));
});

describe('What is written is read', () => {
  /** Numbers of all lengths, the same in each run. */
  let seed = 20261128;
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    return (seed >>> 0) / 2 ** 32;
  };
  const anyAmount = (): number => {
    const max = 10 ** (1 + Math.floor(random() * 15));
    return Math.round((random() * 2 - 1) * max) || 0;
  };
  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  test(`amounts: ${AMOUNTS} in all languages and currencies`, () => {
    expect(languages.length).toBeGreaterThan(250);
    expect(new Set(units.map(({ digits }) => digits))).toEqual(new Set([0, 2, 3, 4]));
    for (let index = 0; index < AMOUNTS; index += 1) {
      const lang = languages[index % languages.length] as string;
      const currency = anyOf(units);
      const { symbol, code, digits } = currency;
      const minor = anyAmount();
      const text = formats.formatMoney(minor, currency, lang);
      const value = read(text, lang, { places: digits, currency: [symbol, code] });
      const isSame = BigInt(Math.round(Number(value) * 10 ** digits)) === BigInt(minor);
      if (!isSame) throw new Error(`${minor} of ${code} in ${lang} is written "${text}" and read as ${value}`);
    }
  });

  test('numbers, percentages and the digits of each script', () => {
    for (let index = 0; index < AMOUNTS / 4; index += 1) {
      const lang = languages[index % languages.length] as string;
      const digits = Math.floor(random() * 7);
      const exact = `${anyAmount()}E-${digits}`;
      const expected = String(Number(exact));
      for (const percent of [false, true]) {
        const text = formats.formatNumber(exact.replace(/E.*/, ''), lang, { percent, max: 6 });
        expect([lang, text, read(text, lang, { percent })]).toEqual([
          lang,
          text,
          String(BigInt(exact.replace(/E.*/, '')) * (percent ? 100n : 1n)),
        ]);
      }
      // As written by the browser, in the language's digits.
      const tag = localeOf(lang).replace(/-u-.*/, '');
      const text = ownDigits(tag).format(exact as `${number}`);
      expect([lang, text, read(text, lang)]).toEqual([
        lang,
        text,
        expected.includes('e') ? read(text, lang) : expected,
      ]);
    }
  });

  const writers = new Map<string, Intl.NumberFormat>();
  function ownDigits(tag: string): Intl.NumberFormat {
    const writer = writers.get(tag) ?? new Intl.NumberFormat(tag, { maximumFractionDigits: 6 });
    writers.set(tag, writer);
    return writer;
  }
});

test('A text that is read has the digits of the number it is read as, in the same order', () => {
  const sign = fc.constantFrom(...[..."0123456789.,  '’-+()%€$eE٫٬٠٩०９−"], '\u00a0', '\u202f', '\u200f');
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: sign, maxLength: 14 }), fc.string({ unit: 'grapheme', maxLength: 14 })),
      fc.constantFrom('en_US', 'fr_FR', 'de_DE', 'de_CH', 'es_ES', 'hi_IN', 'ar_EG', 'sv_SE', 'fa_IR'),
      (text, lang) => {
        const reading = formats.parseNumber(text, lang);
        if (reading.problem) return;
        const digits = [...text].filter((char) => /\p{Nd}/u.test(char)).length;
        const [integer = '', fraction = ''] = reading.value.replace('-', '').split('.');
        // Only leading and trailing zeros may be omitted.
        expect(digits).toBeGreaterThanOrEqual(integer === '0' ? fraction.length : integer.length + fraction.length);
        const formatted = formats.formatNumber(reading.value, lang, { max: 20 });
        expect(read(formatted, lang)).toBe(reading.value);
        const bare = (text: string): string => read(text.replace(/[^\p{Nd}]/gu, ''), 'en_US').replace(/0+$/, '');
        expect(bare(text)).toBe(bare(formatted));
      },
    ),
    { numRuns: AMOUNTS / 4 },
  );
});
