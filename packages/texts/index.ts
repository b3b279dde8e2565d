// Public exports for other parts; README.md explains the purpose of this part.

export type { Catalogs } from './catalog.ts';
export { momentAt, mondayOf, plusDays } from './days.ts';
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
export { escapeMessageText, fill, type MessageNode, messageFault, parseMessage } from './message.ts';
export { appTitle, errorFields, errorText, ownText, saidIn, textDomain } from './own-text.ts';
export { languagesOf, textsPart } from './part.ts';
export { sourcePlural } from './plural.ts';
export { catalogs, DEFAULT_ZONE, siteZoneOf } from './point.ts';
export { fieldErrors, friendlyErrors } from './schema-errors.ts';
export { type AddonTexts, type Translate, t, texts } from './texts.ts';
export {
  exportCatalog,
  type ImportedCatalog,
  importCatalog,
  missingTexts,
  type TranslationCoverage,
  translationCoverage,
} from './translations.ts';
export { formats } from './values.ts';

// For tools.

export { parseCatalog, readCatalog, shareMarks } from './po.ts';
export { type Message, readPot, writePo, writePot } from './pot.ts';
