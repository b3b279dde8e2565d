// What other parts may import; README.md says what the part is for.

export type { Catalogs } from './catalog.ts';
export { Days, momentAt, mondayOf, plusDays } from './days.ts';
export {
  aroundAmount,
  type CurrencyFormat,
  createFormats,
  type DateStyle,
  type DateTimeStyle,
  dateStyles,
  dateTimeStyles,
  type Formats,
  isNumeric,
} from './format.ts';
export { isLanguageCode, languageParameters, localeOf } from './languages.ts';
export { likelyLanguages } from './likely-languages.ts';
export { escapeMessageText, fill, type MessageNode, messageFault, parseMessage } from './message.ts';
export { readOwnCatalogs, tables } from './own-catalogs.ts';
export { appTitle, choiceText, errorFields, errorText, ownText, saidIn } from './own-text.ts';
export { sourcePlural } from './plural.ts';
export type { CatalogSource } from './po.ts';
export { DEFAULT_ZONE, siteLanguages, siteTimezone, siteZoneOf, texts } from './point.ts';
export {
  exportCatalog,
  type ImportedCatalog,
  importCatalog,
  missingTexts,
  type TranslationCoverage,
  translationCoverage,
} from './translations.ts';
export { formats, ownCatalogs } from './values.ts';
