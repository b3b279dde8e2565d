import { Days } from '../days.ts';
import { type CurrencyFormat, createFormats } from '../format.ts';

const formats = createFormats();
const euro: CurrencyFormat = { code: 'EUR', digits: 2, symbol: '€', position: 'after' };
const dollar: CurrencyFormat = { code: 'USD', digits: 2, symbol: '$', position: 'before' };
const yen: CurrencyFormat = { code: 'JPY', digits: 0, symbol: '¥', position: 'before' };
const dinar: CurrencyFormat = { code: 'TND', digits: 3, symbol: 'DT', position: 'before' };
/** Replaces no-break spaces with plain ones. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

describe('formatMoney', () => {
  test.each([
    [123456, euro, 'fr_FR', '1 234,56 €'],
    [123456, dollar, 'en_US', '$1,234.56'],
    [-5, dollar, 'en_US', '-$0.05'],
    [-123456, euro, 'fr_FR', '-1 234,56 €'],
    [1234, yen, 'en_US', '¥1,234'],
    [1234, dinar, 'en_US', 'DT 1.234'],
    [0, euro, 'en_US', '0.00 €'],
  ])('writes %d of %j in %s as "%s"', (minor, currency, lang, text) => {
    expect(plain(formats.formatMoney(minor, currency, lang))).toBe(text);
  });

  test('is exact beyond what floats can hold', () => {
    expect(formats.formatMoney(900719925474099312n, dollar, 'en_US')).toBe('$9,007,199,254,740,993.12');
  });

  test('never breaks the line between amount and symbol', () => {
    expect(formats.formatMoney(100, euro, 'fr_FR')).toBe('1,00\u00a0€');
  });

  test('refuses fractions of a minor unit', () => {
    expect(() => formats.formatMoney(1.5, euro, 'fr_FR')).toThrow('whole number of minor units');
  });
});

describe('formatNumber', () => {
  test.each([
    [1234.5, 'en_US', {}, '1,234.5'],
    [1234.5, 'fr_FR', { digits: 2 }, '1 234,50'],
    ['0.123456', 'en_US', { max: 6 }, '0.123456'],
    ['12345678901234567890.25', 'en_US', { digits: 2 }, '12,345,678,901,234,567,890.25'],
    [0.256, 'fr_FR', { percent: true }, '25,6 %'],
    [5, 'en_US', { min: 2, max: 4 }, '5.00'],
  ] as const)('writes %s in %s with %j as "%s"', (value, lang, style, text) => {
    expect(plain(formats.formatNumber(value, lang, style))).toBe(text);
  });

  test('refuses a text that is no number', () => {
    expect(() => formats.formatNumber('12a', 'en_US')).toThrow('"12a" is not a number');
  });
});

describe('dates', () => {
  const moment = new Date('2026-11-21T23:30:00Z');

  test.each([
    ['short', 'fr_FR', '21/11/2026'],
    ['medium', 'en_US', 'Nov 21, 2026'],
    ['long', 'fr_FR', '21 novembre 2026'],
    ['full', 'en_US', 'Saturday, November 21, 2026'],
    ['month', 'fr_FR', 'novembre 2026'],
    ['weekday', 'fr_FR', 'samedi'],
  ] as const)('a day is written %s in %s as "%s"', (style, lang, text) => {
    expect(formats.formatDate('2026-11-21', lang, style)).toBe(text);
  });

  test('no zone shifts a day', () => {
    expect(formats.formatDate('2026-01-01', 'en_US', 'short')).toBe('01/01/2026');
  });

  test.each(['2026-02-30', '21/11/2026', '', '2026-13-01'])('"%s" is refused as a day', (day) => {
    expect(() => formats.formatDate(day, 'en_US')).toThrow(RangeError);
  });

  test('a moment is shown as clocks in the zone show it', () => {
    expect(plain(formats.formatDateTime(moment, 'Europe/Paris', 'fr_FR', 'short'))).toBe('22/11/2026 00:30');
    expect(plain(formats.formatDateTime(moment, 'America/New_York', 'en_US', 'time'))).toBe('6:30 PM');
    expect(formats.formatDay(moment, 'Europe/Paris', 'en_US')).toBe('Nov 22, 2026');
  });

  test('a format of other options is made once for each zone and language', () => {
    const options = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
    const format = formats.dateFormat('Europe/Paris', 'fr_FR', options);
    expect(plain(format.formatRange(moment, new Date('2026-11-22T01:00:00Z')))).toMatch(/^22 nov., 00:30\s–\s02:00$/);
    expect(formats.dateFormat('Europe/Paris', 'fr_FR', { ...options })).toBe(format);
    expect(plain(formats.dateFormat('UTC', 'fr_FR', options).format(moment))).toBe('21 nov., 23:30');
    expect(plain(formats.dateFormat('Europe/Paris', 'en_US', options).format(moment))).toBe('Nov 22, 12:30 AM');
  });

  test.each([
    [0, 'now'],
    [-30, '30 seconds ago'],
    [-90, '1 minute ago'],
    [-7200, '2 hours ago'],
    [86_400, 'tomorrow'],
    [-86_400 * 10, 'last week'],
    [86_400 * 800, 'in 2 years'],
  ])('%d seconds away is "%s"', (seconds, text) => {
    expect(formats.formatRelative(new Date(moment.getTime() + seconds * 1000), moment, 'en_US')).toBe(text);
  });
});

test('two stores of formats share nothing and give the same', () => {
  expect(createFormats().formatMoney(1, euro, 'de_DE')).toBe(createFormats().formatMoney(1, euro, 'de_DE'));
});

describe('The day in a time zone', () => {
  it.each([
    ['UTC', '2026-11-21T23:59:59.999Z', '2026-11-21', '2026-11-22T00:00Z'],
    ['Europe/Paris', '2026-11-21T23:00:00Z', '2026-11-22', '2026-11-22T23:00Z'],
    // Clock changes: a day of 25 hours, and one of 23.
    ['Europe/Paris', '2026-10-24T22:00:00Z', '2026-10-25', '2026-10-25T23:00Z'],
    ['Europe/Paris', '2026-03-28T23:00:00Z', '2026-03-29', '2026-03-29T22:00Z'],
    ['Pacific/Kiritimati', '2026-11-21T10:00:00.001Z', '2026-11-22', '2026-11-22T10:00Z'],
    ['Asia/Kathmandu', '2026-11-21T18:14:59Z', '2026-11-21', '2026-11-21T18:15Z'],
  ])('%s at %s is %s until %s', (timeZone, moment, text, until) => {
    const days = new Days(timeZone);
    expect(days.at(Date.parse(moment))).toMatchObject({ text, until: Date.parse(until) });
  });

  it('is followed, and may be asked for backwards', () => {
    const days = new Days('Europe/Paris');
    const dayAt = (moment: string) => days.at(Date.parse(moment)).text;
    expect(dayAt('2026-11-21T12:00:00Z')).toBe('2026-11-21');
    expect(dayAt('2026-11-21T22:59:59Z')).toBe('2026-11-21');
    expect(dayAt('2026-11-21T23:00:00Z')).toBe('2026-11-22');
    expect(dayAt('2026-11-20T12:00:00Z')).toBe('2026-11-20');
  });
});

describe('a time that clocks show twice', () => {
  test.each([
    ['2027-10-31T00:30:00Z', 'Europe/Paris', 'Oct 31, 2027, 2:30 AM GMT+2'],
    ['2027-10-31T01:30:00Z', 'Europe/Paris', 'Oct 31, 2027, 2:30 AM GMT+1'],
    ['2027-10-30T23:30:00Z', 'Europe/Paris', 'Oct 31, 2027, 1:30 AM'],
    ['2027-10-31T02:00:00Z', 'Europe/Paris', 'Oct 31, 2027, 3:00 AM'],
    // Skipped in spring: the times before and after occur once.
    ['2027-03-28T00:59:00Z', 'Europe/Paris', 'Mar 28, 2027, 1:59 AM'],
    ['2027-03-28T01:00:00Z', 'Europe/Paris', 'Mar 28, 2027, 3:00 AM'],
    ['2027-11-07T05:15:00Z', 'America/New_York', 'Nov 7, 2027, 1:15 AM EDT'],
    ['2027-11-07T06:15:00Z', 'America/New_York', 'Nov 7, 2027, 1:15 AM EST'],
    // Lord Howe turns its clocks back by half an hour.
    ['2027-04-03T14:45:00Z', 'Australia/Lord_Howe', 'Apr 4, 2027, 1:45 AM GMT+11'],
    ['2027-04-03T15:15:00Z', 'Australia/Lord_Howe', 'Apr 4, 2027, 1:45 AM GMT+10:30'],
    ['2027-10-31T00:30:00Z', 'UTC', 'Oct 31, 2027, 12:30 AM'],
  ])('%s in %s', (moment, zone, text) => {
    expect(plain(formats.formatDateTime(new Date(moment), zone, 'en_US', 'medium'))).toBe(text);
  });
});
