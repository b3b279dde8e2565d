import { Company } from '@pergola/base';
import { formatPercent, formatQuantity, moneyTexts, Pricing } from '@pergola/sale';
import { type Ctx, type Id, NotFound } from 'pergola';
import { QuotedProduct } from '../models/product-template.ts';
import { QuoteTemplate } from '../models/quote-template.ts';
import { plural, t } from '../texts.ts';
import { textOf, withHeadings } from './headings.ts';
import { offeredOption, shownOptions } from './options.ts';

/** Returns the values of a template preview, in the context's language. Needs the right to read templates. */
export async function templateValues(ctx: Ctx, id: Id) {
  const template = await ctx.model(QuoteTemplate).get(id, {
    select: {
      name: true,
      website_description: true,
      note: true,
      number_of_days: true,
      quote_line: {
        product_id: { product_tmpl_id: true },
        name: true,
        product_uom_qty: true,
        product_uom_id: { name: true },
        price_unit: true,
        discount: true,
        website_description: true,
      },
      options: offeredOption,
    },
  });
  const { id: company, currency_id: currency } = await mainCompany(ctx);
  const terms = { currency, company, fiscalPosition: null, money: await moneyTexts(ctx, currency) };
  const introduction = withHeadings(template.website_description ?? '', 'quote-h');
  const descriptions = await textsOfProducts(
    ctx,
    template.quote_line.flatMap(({ product_id }) => product_id?.product_tmpl_id ?? []),
  );
  // The shown prices include taxes, even for readers who may not read taxes.
  const prices = await ctx
    .sudo()
    .get(Pricing)
    .shownOffers(
      terms,
      template.quote_line.map(({ product_id, ...line }) => ({ ...line, product: product_id?.id ?? null })),
    );
  const lines = template.quote_line.map((line, index) => {
    const description = line.website_description ?? descriptions.get(line.product_id?.product_tmpl_id ?? 0) ?? '';
    return {
      ...textOf(line.name),
      ...withHeadings(description, `quote-l${line.id}`),
      quantity: formatQuantity(ctx, line.product_uom_qty),
      unit: line.product_uom_id?.name ?? '',
      price: terms.money.price(prices[index]?.unit ?? '0'),
      discount: formatPercent(ctx, line.discount),
      amount: terms.money.amount(prices[index]?.amount ?? 0),
    };
  });
  return {
    template,
    about: introduction.html,
    headings: [...introduction.headings, ...lines.flatMap(({ headings }) => headings)],
    lines,
    discounted: lines.some(({ discount }) => discount !== ''),
    options: await shownOptions(ctx.sudo(), terms, template.options),
    valid: template.number_of_days
      ? plural(ctx, 'Valid for {n} day', 'Valid for {n} days', template.number_of_days)
      : t(ctx, 'No expiry date'),
  };
}

/** Templates have no currency, so their prices use the company's. */
async function mainCompany(ctx: Ctx): Promise<{ readonly id: Id; readonly currency_id: Id }> {
  // The company's currency is public.
  const company = await ctx
    .sudo()
    .model(Company)
    .first([], { select: { currency_id: true }, order: 'id' });
  if (!company) throw new NotFound('No company is set up for sales.', { code: 'quote.no_company' });
  return company;
}

/** Returns the quotation descriptions of products, for lines without their own. */
export async function textsOfProducts(ctx: Ctx, templates: readonly Id[]): Promise<Map<Id, string>> {
  const rows = await ctx.model(QuotedProduct).read([...new Set(templates)], { select: { quote_description: true } });
  return new Map(rows.flatMap(({ id, quote_description: text }) => (text ? [[id, text] as const] : [])));
}
