import { escapeAttribute } from '@pergola/content';
import {
  type CurrencyFormat,
  type DateStyle,
  type DateTimeStyle,
  dateStyles,
  dateTimeStyles,
  isNumeric,
} from '@pergola/texts';
import type { RenderContext } from '../render-context.ts';
import {
  choiceOption,
  countOption,
  escapeText,
  type HelperDefinition,
  type HelperOptions,
  type HelperResult,
  helperFault,
  markup,
  renderOf,
  textOption,
} from './tools.ts';
import { zonedTime, zoneFor } from './zoned-time.ts';

const dateStyleNames = Object.keys(dateStyles) as DateStyle[];
const dateTimeStyleNames = [...(Object.keys(dateTimeStyles) as DateTimeStyle[]), 'relative' as const];

/** Currency of a row or argument: a format, a record, its id or an ISO code. */
export function currencyOf(value: unknown, render: RenderContext): CurrencyFormat | undefined {
  if (typeof value === 'number' || typeof value === 'string') return render.currency(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (isCurrency(value)) return value;
  return 'id' in value && typeof value.id === 'number' ? render.currency(value.id) : undefined;
}

function isCurrency(value: object): value is CurrencyFormat {
  return (
    'code' in value && 'digits' in value && typeof value.digits === 'number' && 'symbol' in value && 'position' in value
  );
}

/** `{{money amount currency}}`: an amount in minor units. The currency is a record, its id, an ISO code or a format. */
export const money: HelperDefinition = {
  params: [2, 2],
  needs: { 0: 'amount', 1: 'currency' },
  make:
    ({ formats }) =>
    (amount: unknown, currency: unknown, options: HelperOptions): string => {
      if (amount === null || amount === undefined || amount === '') return '';
      const render = renderOf(options);
      const format = currencyOf(currency, render);
      if (!format) throw helperFault(options, `there is no currency ${String(currency)}`);
      if (typeof amount !== 'number' && typeof amount !== 'bigint')
        throw helperFault(options, `${String(amount)} is no amount in minor units`);
      return formats.formatMoney(amount, format, render.lang);
    },
};

/** `{{number n digits=2}}`: a number, or an exact decimal given as text. Options `digits`, or `min` and `max`; `percent=true`. */
export const number: HelperDefinition = {
  params: [1, 1],
  options: ['digits', 'min', 'max', 'percent'],
  needs: { 0: 'number' },
  make:
    ({ formats }) =>
    (value: unknown, options: HelperOptions): string => {
      if (value === null || value === undefined || value === '') return '';
      const exact = typeof value === 'string' && isNumeric(value) ? value : Number(value);
      if (typeof exact === 'number' && Number.isNaN(exact))
        throw helperFault(options, `"${String(value)}" is not a number`);
      const style = {
        digits: countOption(options, 'digits'),
        min: countOption(options, 'min'),
        max: countOption(options, 'max'),
      };
      return formats.formatNumber(exact, renderOf(options).lang, { ...style, percent: options.hash.percent === true });
    },
};

/** `{{date day format="long"}}`: a calendar day, or the day of a datetime in the reader's zone, as `<time>`; as text with `plain=true`. */
export const date: HelperDefinition = {
  params: [1, 1],
  options: ['format', 'timezone', 'plain', 'class'],
  needs: { 0: 'moment', timezone: 'zone' },
  markup: true,
  plain: 'plain',
  make:
    ({ formats }) =>
    (value: unknown, options: HelperOptions): HelperResult => {
      if (value === null || value === undefined || value === '') return '';
      const render = renderOf(options);
      const style = choiceOption(options, 'format', dateStyleNames);
      try {
        if (!(value instanceof Date))
          return time(String(value), formats.formatDate(String(value), render.lang, style), options);
        const zone = zoneFor(textOption(options, 'timezone') ?? render.timezone, render);
        return time(value.toISOString(), formats.formatDay(value, zone, render.lang, style), options);
      } catch (error) {
        throw helperFault(options, error instanceof Error ? error.message : String(error));
      }
    },
};

/**
 * `{{datetime moment format="short"}}`: a datetime in the reader's zone, or in the zone of a place with `timezone` (`@site`: the site's),
 * which is named for readers in other zones; `format="relative"` shows how long ago.
 */
export const datetime: HelperDefinition = {
  params: [1, 1],
  options: ['format', 'timezone', 'plain', 'class'],
  needs: { 0: 'moment', timezone: 'zone' },
  markup: true,
  plain: 'plain',
  make:
    ({ formats }) =>
    (value: unknown, options: HelperOptions): HelperResult => {
      if (value === null || value === undefined || value === '') return '';
      const moment = value instanceof Date ? value : new Date(String(value));
      if (Number.isNaN(moment.getTime())) throw helperFault(options, `"${String(value)}" is no moment`);
      const render = renderOf(options);
      const style = choiceOption(options, 'format', dateTimeStyleNames);
      const machine = moment.toISOString();
      if (style === 'relative')
        return time(machine, formats.formatRelative(moment, render.now(), render.lang), options);
      const place = textOption(options, 'timezone');
      if (place === undefined)
        return time(machine, formats.formatDateTime(moment, render.timezone, render.lang, style), options);
      const { text, attributes } = zonedTime(moment, zoneFor(place, render), { render, formats, style });
      return time(machine, text, options, attributes);
    },
};

function time(machine: string, text: string, options: HelperOptions, attributes: string = ''): HelperResult {
  if (options.hash.plain === true) return text;
  const name = textOption(options, 'class');
  const css = name === undefined ? '' : ` class="${escapeAttribute(name)}"`;
  return markup(`<time${css} datetime="${escapeAttribute(machine)}"${attributes}>${escapeText(text)}</time>`);
}
