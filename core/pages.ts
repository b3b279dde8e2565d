/** More of pages: blocks, types of attributes and fallbacks, and texts in a reader’s language. */

export { fieldErrors, friendlyErrors, type RequestAttribute } from './context/index.ts';
export type { Address, AddressResolver, FallbackDefinition } from './http/index.ts';
export {
  appTitle,
  aroundAmount,
  type CurrencyFormat,
  exportCatalog,
  type Formats,
  type ImportedCatalog,
  importCatalog,
  localeOf,
  ownText,
  saidIn,
  type TranslationCoverage,
  texts,
  translationCoverage,
} from './i18n/index.ts';
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
} from './page/index.ts';
