import { type Decimal, f, model } from 'pergola';

/** A currency by its ISO 4217 code, with its minor unit and rounding step. */
export class Currency extends model(
  'res.currency',
  {
    name: f.char({ required: true, size: 3, unique: true, label: 'Code', help: 'ISO 4217, three letters' }),
    full_name: f.char({ label: 'Name', translate: true }),
    symbol: f.char({ required: true, size: 8 }),
    position: f.selection(
      { before: 'Before the amount', after: 'After the amount' },
      { default: 'after', label: 'Symbol position' },
    ),
    decimal_places: f.integer({
      required: true,
      default: 2,
      min: 0,
      max: 4,
      help: 'Number of digits after the decimal point',
    }),
    rounding: f.decimal({
      required: true,
      default: '0.01' as Decimal,
      help: 'Amounts are rounded to multiples of this step',
    }),
    rate: f.decimal({
      required: true,
      default: '1' as Decimal,
      help: 'Value of one unit of the company currency in this currency',
    }),
    active: f.boolean({ default: true }),
  },
  { order: 'name', label: 'Currency' },
) {}

declare module 'pergola' {
  interface Models {
    'res.currency': Currency;
  }
}
