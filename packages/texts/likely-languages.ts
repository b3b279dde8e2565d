import type { Addon } from '@pergola/core';
import { isLanguageCode } from './languages.ts';

/**
 * Guesses a site's languages before they can be read from its database: the languages its addons are translated into (`fr.po` → `fr_FR`). A
 * wrong guess costs one more generation.
 */
export function likelyLanguages(addons: readonly Addon[]): string[] {
  const codes = addons.flatMap(({ files }) => (files.i18n ?? []).map((file) => file.replace(/\.po$/, '')));
  const languages = codes.filter(isLanguageCode).map((code) => {
    const { language, region } = new Intl.Locale(code.replace(/@.*/, '').replace('_', '-')).maximize();
    return `${language}_${region}`;
  });
  return [...new Set(['en_US', ...languages.sort()])];
}
