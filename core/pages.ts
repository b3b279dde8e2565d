/** More of pages: types of blocks, facts, fallbacks and tours, and texts in a reader’s language. */

export type { FactDefinition } from './context/index.ts';
export type { Address, AddressResolver, FallbackDefinition } from './http/index.ts';
export { aroundAmount, type CurrencyFormat, ownText } from './i18n/index.ts';
export type { BlockDefinition, RenderingRule, TourStep, TourTrouble } from './page/index.ts';
