import { Company } from '#addons/base';
import { extend, f } from '#core';

/** How a company counts taxes, and where it is paid. */
export const SaleCompany = extend(Company, {
  tax_calculation_rounding_method: f.selection(
    { round_per_line: 'Per line', round_globally: 'Over the whole order' },
    { default: 'round_per_line', label: 'Taxes are rounded' },
  ),
  bank_name: f.char({ label: 'Bank' }),
  bank_bic: f.char({ size: 11, label: 'BIC' }),
  sale_note: f.text({ translate: true, label: 'Terms', help: 'At the end of quotations and orders' }),
});
