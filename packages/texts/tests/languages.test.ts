import { direction, isLanguageCode, languageParameters, localeOf } from '../languages.ts';

describe('languageParameters', () => {
  test('are those Odoo gives for English', () => {
    expect(languageParameters('en_US')).toEqual({
      id: 'en_US',
      direction: 'ltr',
      date_format: '%m/%d/%Y',
      time_format: '%I:%M:%S %p',
      grouping: '[3,0]',
      decimal_point: '.',
      thousands_sep: ',',
    });
  });

  test('are those of French', () => {
    expect(languageParameters('fr_FR')).toMatchObject({
      date_format: '%d/%m/%Y',
      time_format: '%H:%M:%S',
      decimal_point: ',',
      thousands_sep: '\u202f',
    });
  });

  test('know that Hindi groups by two after the first three digits', () => {
    expect(languageParameters('hi_IN').grouping).toBe('[3,2,0]');
  });

  test('know which languages run from right to left', () => {
    expect(languageParameters('ar_SA').direction).toBe('rtl');
    expect(direction('he')).toBe('rtl');
    expect(direction('fr_FR')).toBe('ltr');
  });
});

test.each(['en_US', 'fr', 'sr@latin', 'es_419'])('"%s" is a language code', (code) => {
  expect(isLanguageCode(code)).toBe(true);
});

test.each(['', 'fr-FR', 'FR', 'fr_fr', '../fr', 'french'])('"%s" is no language code', (code) => {
  expect(isLanguageCode(code)).toBe(false);
  expect(() => new Intl.NumberFormat(localeOf(code))).not.toThrow();
});
