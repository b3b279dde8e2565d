import { f, model } from 'pergola';

/** Last result for a VAT number from the EU register VIES. */
export class VatCheck extends model(
  'sale.vat.check',
  {
    number: f.char({ required: true, unique: true, size: 32, readonly: true, label: 'VAT number' }),
    state: f.selection(
      { valid: 'Valid', invalid: 'Not registered', unreachable: 'No answer' },
      { required: true, readonly: true, colors: { valid: 'success', invalid: 'danger', unreachable: 'warning' } },
    ),
    asked_date: f.datetime({ required: true, readonly: true, label: 'Checked on' }),
    consultation: f.char({ size: 64, readonly: true, label: 'Consultation number' }),
  },
  { order: 'asked_date desc, id desc', nameField: 'number', label: 'VAT number check' },
) {}

declare module 'pergola' {
  interface Models {
    'sale.vat.check': VatCheck;
  }
}
