import { Company } from '@pergola/base';
import { extend, type FieldsOf, f, type Ids, InvalidInput, type Values } from 'pergola';
import { bicOf, isBankAccount, readableAccount } from '../services/payment/bank-account.ts';
import { t } from '../texts.ts';

/** Adds taxes, bank details and terms to selling companies. */
export const SaleCompany = extend(
  Company,
  {
    tax_calculation_rounding_method: f.selection(
      { round_per_line: 'Per line', round_globally: 'Per order' },
      { default: 'round_per_line', label: 'Tax rounding' },
    ),
    account_sale_tax_id: f.many2one('account.tax', {
      ondelete: 'restrict',
      tracked: true,
      domain: [['active', '=', true]],
      label: 'Default sales tax',
      help: 'Applied to new products',
    }),
    /** ISO code of the country whose taxes were set up. */
    tax_country: f.char({ size: 2, readonly: true, copy: false, label: 'Taxes set up for' }),
    bank_name: f.char({ label: 'Bank' }),
    bank_bic: f.char({ size: 16, label: 'BIC', tracked: true }),
    sale_note: f.text({ translate: true, label: 'Terms', help: 'Printed at the end of quotations and orders' }),
  },
  (Base) =>
    class extends Base {
      override async beforeCreate(
        values: readonly Values<FieldsOf<InstanceType<typeof Base>>>[],
      ): Promise<readonly Values<FieldsOf<InstanceType<typeof Base>>>[]> {
        return super.beforeCreate(values.map(withReadableBank));
      }

      override async beforeWrite(
        ids: Ids,
        values: Values<FieldsOf<InstanceType<typeof Base>>>,
      ): Promise<Values<FieldsOf<InstanceType<typeof Base>>>> {
        return super.beforeWrite(ids, withReadableBank(values));
      }

      override async afterWrite(ids: Ids, values: Values<FieldsOf<InstanceType<typeof Base>>>): Promise<void> {
        await super.afterWrite(ids, values);
        const { account_sale_tax_id: tax } = values as { account_sale_tax_id?: unknown };
        if (typeof tax !== 'number' || this.ctx.attributes.shippedBy !== undefined) return;
        const products = this.ctx.sudo().model('product.template'); // Part of choosing the default tax.
        const shipped = await products.shippedUntaxed();
        if (shipped.length > 0)
          await products.write(
            shipped.map(({ id }) => id),
            { taxes_id: [{ set: [tax] }] },
          );
      }

      override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
        await super.validate(ids, changed);
        if (changed.has('account_sale_tax_id')) await this.#checkTax(ids);
        if (!changed.has('bank_account') && !changed.has('bank_bic')) return;
        for (const row of await this.read(ids, { select: { bank_account: true, bank_bic: true } })) {
          const faults = {
            ...(changed.has('bank_account') && row.bank_account && !isBankAccount(row.bank_account)
              ? { bank_account: t(this.ctx, 'This IBAN isn’t valid. Check its letters and digits.') }
              : {}),
            ...(changed.has('bank_bic') && row.bank_bic && bicOf(row.bank_bic) === null
              ? { bank_bic: t(this.ctx, 'This BIC isn’t valid. Enter 8 or 11 letters and digits, such as BNPAFRPP.') }
              : {}),
          };
          const [message] = Object.values(faults);
          if (message) throw new InvalidInput(message, { code: 'sale.bad_bank', fields: faults });
        }
      }

      async #checkTax(ids: Ids): Promise<void> {
        const rows = await this.read(ids, { select: { account_sale_tax_id: { company_id: true, active: true } } });
        // A tax may be archived concurrently.
        await this.ctx.lock(
          'account.tax',
          rows.flatMap(({ account_sale_tax_id: tax }) => tax?.id ?? []),
        );
        for (const { id, account_sale_tax_id: tax } of rows) {
          if (!tax || (tax.active && (tax.company_id ?? id) === id)) continue;
          const message = tax.active
            ? t(this.ctx, 'This tax belongs to another company. Choose one of this company.')
            : t(this.ctx, 'This tax is archived. Choose another one.');
          const code = tax.active ? 'sale.foreign_tax' : 'sale.archived_tax';
          throw new InvalidInput(message, { code, fields: { account_sale_tax_id: message } });
        }
      }
    },
);

/** Formats bank accounts for reading, since customers copy and compare them. */
function withReadableBank<V extends Values<FieldsOf<InstanceType<typeof Company>>>>(values: V): V {
  const { bank_account: account, bank_bic: bic } = values as { bank_account?: unknown; bank_bic?: unknown };
  return {
    ...values,
    ...(typeof account === 'string' ? { bank_account: readableAccount(account) } : {}),
    ...(typeof bic === 'string' ? { bank_bic: bicOf(bic) ?? bic } : {}),
  };
}
