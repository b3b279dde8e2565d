/** More of pages: types of blocks, facts, fallbacks and tours, and texts in a reader’s language. */

export { aroundAmount, type CurrencyFormat } from './i18n/format.ts';
export { ownText } from './i18n/own-text.ts';
export type {
  Address,
  AddressResolver,
  BlockDefinition,
  FactDefinition,
  FallbackDefinition,
  TourStep,
  TourTrouble,
} from './page/define.ts';
export type { RenderingRule } from './page/rendering.ts';
