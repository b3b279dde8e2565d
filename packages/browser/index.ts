// Server-side exports; see README.md for the package's purpose. Browsers import `browser.ts`.

export {
  CONTEXT_END,
  FORM_MARK,
  fillText,
  LISTED_NUMBERS,
  pluralKey,
  type TextParams,
  type Translation,
  translationOf,
  withoutContext,
} from './fill-text.ts';
export type { Digits } from './page.ts';
export type { PageData } from './page-data.ts';
export {
  createNumberParser,
  currencyIn,
  type NumberInput,
  type NumberParser,
  type NumberReading,
  numberFault,
} from './parse-number.ts';
export type { Fills } from './react/slot.ts';
export { clockTime, isRepeated, isSameTime, zoneName } from './zones.ts';
