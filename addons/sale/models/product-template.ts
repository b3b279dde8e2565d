import { Company } from '@pergola/base';
import { type Decimal, type FieldsOf, f, type Id, type Ids, InvalidInput, model, type Values } from 'pergola';
import { reviewOpenOrders } from '../jobs/review-orders.ts';
import {
  bestMatch,
  combinationKey,
  combinations,
  type ExistingVariant,
  type ValuesOfLine,
} from '../services/combinations.ts';
import { defaultTaxes } from '../services/tax/default-tax.ts';
import { ProductProduct } from './product-product.ts';
import { ProductStock } from './product-stock.ts';
import { SaleOrderLine } from './sale-order-line.ts';

/** A product as people think of it; its variants are sold. */
export class ProductTemplate extends model(
  'product.template',
  {
    name: f.char({ required: true, translate: true, tracked: true, label: 'Product' }),
    description: f.text({ translate: true, label: 'Internal description', groups: 'base.group_user' }),
    description_sale: f.text({
      translate: true,
      label: 'Sales description',
      help: 'Added to order lines',
    }),
    type: f.selection({ consu: 'Goods', service: 'Service' }, { default: 'consu', label: 'Type' }),
    categ_id: f.many2one('product.category', { ondelete: 'restrict', index: true, label: 'Category' }),
    list_price: f.decimal({
      required: true,
      default: '1' as Decimal,
      tracked: true,
      currency: 'currency_id',
      label: 'Price',
      help: 'In the product’s currency. Includes tax if its tax is included in prices.',
    }),
    currency_id: f.many2one('res.currency', {
      required: true,
      ondelete: 'restrict',
      label: 'Currency',
      default: async (ctx) => {
        const company = await ctx
          .sudo() // Everyone who creates products needs the company's currency.
          .model(Company)
          .first([], { select: { currency_id: true }, order: 'id' });
        return company?.currency_id ?? (await ctx.ref('base.eur'));
      },
    }),
    standard_price: f.decimal({
      default: '0' as Decimal,
      label: 'Cost',
      groups: 'base.group_user',
    }),
    sale_ok: f.boolean({ default: true, tracked: true, label: 'Can be sold', index: true }),
    active: f.boolean({ default: true }),
    uom_id: f.many2one('product.uom', { ondelete: 'restrict', label: 'Unit of measure' }),
    company_id: f.many2one('res.company', { empty: 'all', ondelete: 'restrict', groups: 'base.group_user' }),
    image: f.image({ label: 'Image' }),
    sequence: f.integer({ default: 10, index: true }),
    taxes_id: f.many2many('account.tax', {
      empty: 'none',
      ondelete: 'restrict',
      label: 'Taxes',
      help: 'A new product gets the default sales tax of its company',
      default: (ctx, { company_id }) => defaultTaxes(ctx, typeof company_id === 'number' ? company_id : null),
    }),
    inventory: f.selection(
      { none: 'Stock not tracked', kept: 'Stop selling at 0' },
      { default: 'none', label: 'Stock' },
    ),
    attribute_line_ids: f.one2many('product.attribute.line', 'product_tmpl_id', {
      label: 'Attributes',
      order: 'sequence, id',
    }),
    attribute_price_ids: f.one2many('product.attribute.price', 'product_tmpl_id', { label: 'Extra prices' }),
    exclusion_ids: f.one2many('product.attribute.exclusion', 'product_tmpl_id', { label: 'Invalid combinations' }),
    product_variant_ids: f.one2many('product.product', 'product_tmpl_id', { label: 'Variants', order: 'id' }),
    product_variant_count: f.integer({
      compute: 'computeVariantCount',
      depends: ['product_variant_ids.active'],
      label: 'Number of variants',
    }),
    default_code: f.char({
      compute: 'computeSoleVariant',
      inverse: 'storeCode',
      depends: ['product_variant_ids.default_code'],
      size: 64,
      label: 'Reference',
      help: 'If the product has several variants, set it on each of them',
    }),
    ean13: f.char({
      compute: 'computeSoleVariant',
      inverse: 'storeBarcode',
      depends: ['product_variant_ids.ean13'],
      size: 13,
      label: 'Barcode',
      help: 'If the product has several variants, set it on each of them',
    }),
    qty_available: f.integer({
      compute: 'computeStock',
      inverse: 'storeStock',
      depends: [],
      label: 'In stock',
      help: 'Leave empty to not track stock',
    }),
  },
  {
    order: 'sequence, name, id',
    search: ['name', 'description_sale'],
    label: 'Product',
  },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const name of ['list_price', 'standard_price'] as const) {
      if (!changed.has(name)) continue;
      const negative = await this.ctx
        .sudo() // Validates a price for everyone who may write it, even without the right to read it.
        .model(ProductTemplate)
        .search([
          ['id', 'in', ids],
          [name, '<', 0],
        ]);
      if (negative.length === 0) continue;
      const message = 'Enter a price of 0 or more.';
      throw new InvalidInput(message, { code: 'sale.negative_price', fields: { [name]: message } });
    }
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<ProductTemplate>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    const plain = ids.filter((_id, index) => !hasCommands(values[index]?.attribute_line_ids));
    await this.createVariants(plain);
  }

  override async afterWrite(ids: Ids, values: Values<FieldsOf<ProductTemplate>>): Promise<void> {
    await super.afterWrite(ids, values);
    if (values.active !== undefined) await this.#followActive(ids, values.active === true);
    if (values.inventory === 'kept') await this.#keepStock(ids);
    if ('active' in values || 'sale_ok' in values)
      await reviewOpenOrders(this.ctx, [['order_line.product_id.product_tmpl_id', 'in', ids]]);
  }

  /**
   * Synchronizes the variants with the attributes: creates missing variants, and deletes obsolete ones or archives them if an order refers
   * to them. Excluded combinations have no variant.
   *
   * ```
   * lines {S,M} {red,blue} − exclusions ─▶ wanted combinations ─▶ keep or reactivate existing ones, create the rest, drop the others
   * ```
   *
   * @throws InvalidInput if there would be more than a thousand
   */
  async createVariants(ids: Ids): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.find(
      [
        ['id', 'in', ids],
        ['active', 'in', [true, false]],
      ],
      {
        select: {
          active: true,
          inventory: true,
          attribute_line_ids: { value_ids: true },
          exclusion_ids: { value_ids: true },
        },
      },
    );
    const variants = await this.ctx.model(ProductProduct).find(
      [
        ['product_tmpl_id', 'in', ids],
        ['active', 'in', [true, false]],
      ],
      { select: { active: true, attribute_value_ids: true, product_tmpl_id: true } },
    );
    const byTemplate = Map.groupBy(variants, ({ product_tmpl_id }) => product_tmpl_id);
    for (const row of rows.filter(({ active }) => active)) {
      const lines = row.attribute_line_ids.map(({ value_ids }) => ({ values: value_ids }));
      const exclusions = row.exclusion_ids.map(({ value_ids }) => value_ids);
      await this.#renewVariants(row, combinations(lines, exclusions), lines, byTemplate.get(row.id) ?? []);
    }
  }

  /**
   * Shipped products that get the default sales tax once a company has one, because their tax was never chosen. Extensions add their
   * products.
   */
  async shippedUntaxed(): Promise<{ readonly id: Id; readonly name: string }[]> {
    return [];
  }

  async computeVariantCount(ids: Ids): Promise<Map<Id, number>> {
    const groups = await this.ctx.model(ProductProduct).group([['product_tmpl_id', 'in', ids]], {
      by: ['product_tmpl_id'],
    });
    const counts = new Map(groups.map((group) => [Number(group.product_tmpl_id), group.count]));
    return new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
  }

  /** Reference and barcode of products with a single variant. */
  async computeSoleVariant(ids: Ids): Promise<Map<Id, { default_code: string | null; ean13: string | null }>> {
    const variants = await this.#soleVariants(ids);
    return new Map([...variants].map(([id, { default_code, ean13 }]) => [id, { default_code, ean13 }]));
  }

  async storeCode(ids: Ids, code: string | null): Promise<void> {
    await this.#storeInVariant(ids, 'default_code', code);
  }

  async storeBarcode(ids: Ids, barcode: string | null): Promise<void> {
    await this.#storeInVariant(ids, 'ean13', barcode);
  }

  /** Sets the stock of products and starts tracking it. An empty quantity has no effect. */
  async storeStock(ids: Ids, quantity: number | null): Promise<void> {
    if (quantity === null) return;
    const variants = await this.#soleVariants(ids);
    await this.write([...variants.keys()], { inventory: 'kept' });
    await this.#storeInVariant(ids, 'qty_available', quantity);
  }

  /**
   * Writes a value of products to their only variant. Products with several variants only accept their current value.
   *
   * @throws InvalidInput for another value, since the variant is ambiguous
   */
  async #storeInVariant(
    ids: Ids,
    field: 'default_code' | 'ean13' | 'qty_available',
    value: string | number | null,
  ): Promise<void> {
    const variants = await this.#soleVariants(ids);
    const several = ids.filter((id) => !variants.has(id));
    const rows =
      several.length > 0
        ? await this.read(several, { select: { default_code: true, ean13: true, qty_available: true } })
        : [];
    if (rows.some((row) => (row[field] ?? null) !== value)) {
      const message = 'This product has several variants. Enter this for each variant.';
      throw new InvalidInput(message, { code: 'sale.several_variants', fields: { [field]: message } });
    }
    const products = [...variants.values()].map(({ id }) => id);
    if (products.length > 0) await this.ctx.model(ProductProduct).write(products, { [field]: value });
  }

  /** Returns the variant of each product that has only one. An archived product has archived variants. */
  async #soleVariants(ids: Ids) {
    const rows = await this.ctx.model(ProductProduct).find(
      [
        ['product_tmpl_id', 'in', ids],
        ['active', 'in', [true, false]],
      ],
      { select: { product_tmpl_id: true, active: true, default_code: true, ean13: true } },
    );
    const byProduct = Map.groupBy(rows, ({ product_tmpl_id }) => product_tmpl_id);
    return new Map(
      [...byProduct].flatMap(([id, all]) => {
        const active = all.filter((variant) => variant.active);
        const [variant, ...others] = active.length > 0 ? active : all;
        return variant && others.length === 0 ? [[id, variant] as const] : [];
      }),
    );
  }

  /** Total tracked stock of all variants. */
  async computeStock(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.ctx
      .sudo() // Users who may see the product may see its stock.
      .model(ProductStock)
      .find(
        [
          ['product_id.product_tmpl_id', 'in', ids],
          ['product_id.product_tmpl_id.inventory', '=', 'kept'],
          ['product_id.active', '=', true],
        ],
        { select: { quantity: true, product_id: { product_tmpl_id: true } } },
      );
    const counts = new Map<Id, number>();
    for (const { quantity, product_id } of rows) {
      const id = product_id?.product_tmpl_id;
      if (id) counts.set(id, (counts.get(id) ?? 0) + quantity);
    }
    return counts;
  }

  async #renewVariants(
    template: { readonly id: Id; readonly inventory: string },
    valueSets: readonly Ids[],
    lines: readonly ValuesOfLine[],
    existing: readonly ExistingVariant[],
  ): Promise<void> {
    const products = this.ctx.model(ProductProduct);
    const unmatched = new Set(existing);
    const missing: Ids[] = [];
    for (const values of valueSets) {
      const match = bestMatch(values, lines, unmatched);
      if (!match) {
        missing.push(values);
        continue;
      }
      unmatched.delete(match);
      const combination = combinationKey(values);
      if (combinationKey(match.attribute_value_ids) !== combination || !match.active)
        await products.write(match.id, { active: true, attribute_value_ids: [{ set: values }], combination });
    }
    await this.#dropVariants([...unmatched]);
    const newVariants = await products.create(
      missing.map((values) => ({
        product_tmpl_id: template.id,
        attribute_value_ids: values,
        combination: combinationKey(values),
      })),
    );
    if (template.inventory === 'kept' && newVariants.length > 0)
      await this.ctx.model(ProductStock).create(newVariants.map((product_id) => ({ product_id })));
  }

  /** Deletes variants, or archives the ones that orders refer to, so that past sales stay readable. */
  async #dropVariants(variants: readonly ExistingVariant[]): Promise<void> {
    if (variants.length === 0) return;
    const ids = variants.map(({ id }) => id);
    const lines = await this.ctx
      .sudo() // Includes orders that the caller can't read.
      .model(SaleOrderLine)
      .find([['product_id', 'in', ids]], { select: { product_id: true } });
    const orderedVariants = new Set(lines.map(({ product_id }) => product_id));
    const products = this.ctx.model(ProductProduct);
    const archived = variants.filter(({ id, active }) => orderedVariants.has(id) && active).map(({ id }) => id);
    if (archived.length > 0) await products.write(archived, { active: false });
    const unreferenced = ids.filter((id) => !orderedVariants.has(id));
    if (unreferenced.length > 0) await products.unlink(unreferenced);
  }

  /** Archives and restores variants together with their product. */
  async #followActive(ids: Ids, active: boolean): Promise<void> {
    if (active) {
      await this.createVariants(ids);
      return;
    }
    const variants = this.ctx.model(ProductProduct);
    const activeVariants = await variants.search([['product_tmpl_id', 'in', ids]]);
    if (activeVariants.length > 0) await variants.write(activeVariants, { active: false });
  }

  /** Creates missing stock rows, so that every tracked variant has one. */
  async #keepStock(ids: Ids): Promise<void> {
    const variants = await this.ctx.model(ProductProduct).search([
      ['product_tmpl_id', 'in', ids],
      ['active', 'in', [true, false]],
    ]);
    const stock = this.ctx.model(ProductStock);
    const rows = await stock.rowsOf(variants);
    const missing = variants.filter((id) => !rows.has(id));
    if (missing.length > 0) await stock.create(missing.map((product_id) => ({ product_id })));
  }
}

/** Whether a new product comes with lines, which have already created its variants. */
function hasCommands(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

declare module 'pergola' {
  interface Models {
    'product.template': ProductTemplate;
  }
}
