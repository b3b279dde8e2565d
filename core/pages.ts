/** More of pages: types of blocks, facts, fallbacks and tours, and texts in a reader’s language. */

export type { FactDefinition } from './context/facts.ts';
export type { Address, AddressResolver } from './http/address.ts';
export type { FallbackDefinition } from './http/routes/route.ts';
export { aroundAmount, type CurrencyFormat } from './i18n/format.ts';
export { ownText } from './i18n/own-text.ts';
export type { BlockDefinition, TourStep, TourTrouble } from './page/define.ts';
export type { RenderingRule } from './page/rendering.ts';
