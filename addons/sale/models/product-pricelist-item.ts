import { type Decimal, type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';

/**
 * A rule of a pricelist: products, minimum quantity, dates, and price formula. The first matching rule applies: by sequence, then the most
 * specific (variant, product, category, everything), then the largest quantity. Without a match, the product price applies.
 */
export class PricelistItem extends model(
  'product.pricelist.item',
  {
    pricelist_id: f.many2one('product.pricelist', { required: true, ondelete: 'cascade', index: true }),
    currency_id: f.many2one('res.currency', { related: 'pricelist_id.currency_id' }),
    name: f.char({ label: 'Note' }),
    sequence: f.integer({ default: 5 }),
    product_tmpl_id: f.many2one('product.template', {
      empty: 'all',
      ondelete: 'cascade',
      index: true,
      label: 'Product',
    }),
    product_id: f.many2one('product.product', { empty: 'all', ondelete: 'cascade', index: true, label: 'Variant' }),
    categ_id: f.many2one('product.category', { empty: 'all', ondelete: 'cascade', label: 'Category' }),
    /** Whether the rule names no product or category. Stored, so that the rules of a product can be found by index. */
    general: f.boolean({ default: true, readonly: true }),
    min_quantity: f.decimal({ default: '0' as Decimal, places: 3, label: 'Minimum quantity' }),
    date_start: f.datetime({ timezone: '@site', label: 'From' }),
    date_end: f.datetime({ timezone: '@site', label: 'Until' }),
    compute_price: f.selection(
      { fixed: 'Fixed price', percentage: 'Discount', formula: 'Formula' },
      { default: 'fixed', label: 'Price type' },
    ),
    fixed_price: f.decimal({ default: '0' as Decimal, label: 'Fixed price' }),
    percent_price: f.decimal({ default: '0' as Decimal, percentage: 'percent', label: 'Discount %' }),
    base: f.selection(
      { list_price: 'Product price', standard_price: 'Cost', pricelist: 'Another pricelist' },
      { default: 'list_price', label: 'Based on' },
    ),
    base_pricelist_id: f.many2one('product.pricelist', { ondelete: 'restrict', label: 'Other pricelist' }),
    price_discount: f.decimal({
      default: '0' as Decimal,
      percentage: 'ratio',
      label: 'Price change',
      help: 'As a ratio: -0.2 takes 20% off, 0.1 adds 10%',
    }),
    price_round: f.decimal({
      default: '0' as Decimal,
      label: 'Round to',
      help: 'Rounds the price to a multiple of this value before adding the surcharge: 10 with a surcharge of -0.01 gives 9.99',
    }),
    price_surcharge: f.decimal({ default: '0' as Decimal, label: 'Surcharge' }),
    price_min_margin: f.decimal({ default: '0' as Decimal, label: 'Minimum margin', help: '0 for none' }),
    price_max_margin: f.decimal({ default: '0' as Decimal, label: 'Maximum margin', help: '0 for none' }),
  },
  {
    order: 'sequence, id',
    nameField: 'name',
    label: 'Price rule',
    indexes: [
      ['pricelist_id', 'general'],
      ['pricelist_id', 'categ_id'],
    ],
  },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<PricelistItem>>[],
  ): Promise<readonly Values<FieldsOf<PricelistItem>>[]> {
    return super.beforeCreate(
      values.map((value) => ({
        ...value,
        general: !value.product_id && !value.product_tmpl_id && !value.categ_id,
      })),
    );
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<PricelistItem>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (!('product_id' in values || 'product_tmpl_id' in values || 'categ_id' in values)) return;
    const rows = await this.read(ids, {
      select: { product_id: true, product_tmpl_id: true, categ_id: true, general: true },
    });
    for (const row of rows) {
      const general = !row.product_id && !row.product_tmpl_id && !row.categ_id;
      if (general !== row.general) await this.write(row.id, { general });
    }
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    const rows = await this.read(ids, {
      select: {
        pricelist_id: true,
        base: true,
        base_pricelist_id: true,
        date_start: true,
        date_end: true,
        percent_price: true,
        fixed_price: true,
        price_min_margin: true,
        price_max_margin: true,
      },
    });
    for (const row of rows) {
      if (row.date_start && row.date_end && row.date_end < row.date_start)
        refuse('date_end', 'A rule cannot end before it begins.');
      if (row.base === 'pricelist' && !row.base_pricelist_id)
        refuse('base_pricelist_id', 'Choose the other pricelist.');
      if (Number(row.percent_price) > 100) refuse('percent_price', 'A discount is 100 % at most.');
      if (Number(row.fixed_price) < 0) refuse('fixed_price', 'Enter a price of 0 or more.');
      if (Number(row.price_max_margin) > 0 && Number(row.price_max_margin) < Number(row.price_min_margin))
        refuse('price_max_margin', 'The most margin is not below the least.');
    }
    if (changed.has('base_pricelist_id') || changed.has('base'))
      await this.#refuseCircles(rows.map((row) => row.pricelist_id));
  }

  /** Refuses pricelists that are based on each other in a circle, because they would have no price. */
  async #refuseCircles(lists: Ids): Promise<void> {
    const rows = await this.find(
      [
        ['base', '=', 'pricelist'],
        ['base_pricelist_id', '!=', null],
      ],
      { select: { pricelist_id: true, base_pricelist_id: true } },
    );
    const byList = Map.groupBy(rows, ({ pricelist_id }) => pricelist_id);
    const reaches = (from: Id, target: Id, seen: Set<Id>): boolean => {
      if (seen.has(from)) return false;
      seen.add(from);
      return (byList.get(from) ?? []).some(
        ({ base_pricelist_id }) =>
          base_pricelist_id === target || (base_pricelist_id !== null && reaches(base_pricelist_id, target, seen)),
      );
    };
    if (lists.some((list) => reaches(list, list, new Set())))
      refuse('base_pricelist_id', 'Pricelists cannot be based on each other in a circle.');
  }
}

function refuse(field: string, message: string): never {
  throw new InvalidInput(message, { code: 'sale.bad_price_rule', fields: { [field]: message } });
}

declare module 'pergola' {
  interface Models {
    'product.pricelist.item': PricelistItem;
  }
}
