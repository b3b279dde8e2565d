import { Conflict, type Decimal, f, type Ids, InvalidInput, model } from 'pergola';
import { t } from '../texts.ts';

/** A sales tax. */
export class AccountTax extends model(
  'account.tax',
  {
    name: f.char({ required: true, translate: true, label: 'Tax' }),
    description: f.char({
      translate: true,
      size: 64,
      label: 'Label on documents',
      help: 'Leave empty to use the name',
    }),
    type: f.selection({ percent: 'Percentage', fixed: 'Fixed amount per unit' }, { default: 'percent', label: 'Type' }),
    amount: f.decimal({
      required: true,
      default: '0' as Decimal,
      percentage: 'percent',
      percentageWhen: [['type', '=', 'percent']],
      label: 'Amount',
      help: 'A percentage (20 for 20%), or an amount in the order’s currency',
    }),
    price_include: f.boolean({ label: 'Included in prices' }),
    include_base_amount: f.boolean({
      label: 'Affects the base of subsequent taxes',
      help: 'The taxes that follow are calculated on an amount that includes this one',
    }),
    sequence: f.integer({ default: 10 }),
    company_id: f.many2one('res.company', { empty: 'all', ondelete: 'restrict' }),
    /** Key from a country pack, `FR/standard`: repeating the setup finds the existing record. */
    pack_key: f.char({ size: 32, readonly: true, copy: false, index: true, label: 'Country pack' }),
    active: f.boolean({ default: true }),
  },
  { order: 'sequence, id', label: 'Tax' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    if (changed.has('active')) await this.#refuseDefault(ids);
    const rows = await this.read(ids, { select: { amount: true, type: true } });
    for (const { amount, type } of rows) {
      const tooLow = type === 'percent' && Number(amount) <= -100;
      if (!tooLow && Number(amount) < 1_000_000) continue;
      const message = 'Enter a percentage above −100 or an amount below 1,000,000.';
      throw new InvalidInput(message, { code: 'sale.bad_tax', fields: { amount: message } });
    }
  }

  /**
   * Keeps default taxes active: without one, new products would silently be untaxed.
   *
   * @throws Conflict if a default sales tax was archived
   */
  async #refuseDefault(ids: Ids): Promise<void> {
    const archived = await this.search([
      ['id', 'in', ids],
      ['active', '=', false],
    ]);
    const system = this.ctx.sudo(); // Users who may change taxes may know which one a company uses.
    const [company] = await system
      .modelNamed('res.company')
      .find([['account_sale_tax_id', 'in', archived]], { select: { name: true }, limit: 1 });
    if (!company) return;
    const message = t(
      this.ctx,
      'This is the default sales tax of {company}. Choose another default before you archive it.',
      {
        company: String(company.name),
      },
    );
    throw new Conflict(message, { code: 'sale.default_tax', fields: { active: message } });
  }
}

declare module 'pergola' {
  interface Models {
    'account.tax': AccountTax;
  }
}
