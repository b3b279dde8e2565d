/** Additional page API: blocks, types of attributes and fallbacks, and texts in a reader’s language. */

export type { Address, AddressResolver, FallbackDefinition } from '@pergola/http';
export type { RequestAttribute } from '@pergola/page-cache';
export {
  type BlockDefinition,
  blocks,
  type FragmentDefinition,
  pictureSet,
  pictureUrl,
  publicTemplates,
  type RenderingRule,
  templates,
  valueFaults,
} from '@pergola/pages';
export {
  appTitle,
  aroundAmount,
  type CurrencyFormat,
  exportCatalog,
  type Formats,
  fieldErrors,
  friendlyErrors,
  type ImportedCatalog,
  importCatalog,
  localeOf,
  ownText,
  saidIn,
  type TranslationCoverage,
  texts,
  translationCoverage,
} from '@pergola/texts';
