/** Additional page API: blocks, types of attributes and fallbacks, and texts in a reader’s language. */

export type { Address, AddressResolver, FallbackDefinition } from '@pergola/http';
export type { RequestAttribute } from '@pergola/page-cache';
export * from '@pergola/pages/public';
export {
  appTitle,
  aroundAmount,
  type CurrencyFormat,
  catalogs,
  exportCatalog,
  type Formats,
  fieldErrors,
  friendlyErrors,
  type ImportedCatalog,
  importCatalog,
  localeOf,
  ownText,
  saidIn,
  type Translate,
  type TranslationCoverage,
  translationCoverage,
} from '@pergola/texts';
