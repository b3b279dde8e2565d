import {
  type ContentFact,
  formatPercent,
  formatQuantity,
  moneyTexts,
  type OrderContent,
  textFact,
} from '@pergola/sale';
import { app, type Ctx, type Id } from 'pergola';
import { QuotedLine } from '../models/sale-order-line.ts';
import { type OfferedOption, offeredOption } from '../pages/options.ts';
import { textsOfProducts } from '../pages/template-page.ts';
import { t } from '../texts.ts';

/** Fields of a quotation that its content is built from. */
export const quotedColumns = {
  is_quotation: true,
  lang: true,
  currency_id: true,
  validity_date: true,
  website_description: true,
  options: { line_id: true, ...offeredOption },
} as const;

interface QuotedRow {
  readonly is_quotation: boolean;
  readonly lang: string | null;
  readonly currency_id: Id;
  readonly validity_date: string | null;
  readonly website_description: string | null;
  readonly options: readonly (OfferedOption & { readonly line_id: Id | null })[];
}

/** Adds the content of the quotation page other than lines and addresses, in the context's language. Needs elevated rights. */
export async function quotedContent(ctx: Ctx, order: QuotedRow, content: OrderContent): Promise<OrderContent> {
  if (!order.is_quotation) return content;
  const texts = await lineTexts(ctx, order.lang, content);
  return {
    ...content,
    facts: [
      ...content.facts,
      ...validityFact(ctx, order.validity_date),
      ...filled([textFact('page', t(ctx, 'Page'), order.website_description)]),
      ...(await optionFacts(ctx, order)),
    ],
    lines: content.lines.map((line) => ({
      ...line,
      facts: [...line.facts, ...filled([textFact('page', t(ctx, 'Page'), texts.get(line.id))])],
    })),
  };
}

/** Returns the descriptions of lines, falling back to the product's description. */
async function lineTexts(ctx: Ctx, lang: string | null, content: OrderContent): Promise<ReadonlyMap<Id, string>> {
  const rows = await ctx.model(QuotedLine).read(
    content.lines.map((line) => line.id),
    { select: { website_description: true, product_id: { product_tmpl_id: true } } },
  );
  const ofProducts = await textsOfProducts(
    lang ? ctx.as({ lang }) : ctx,
    rows.flatMap(({ product_id }) => product_id?.product_tmpl_id ?? []),
  );
  return new Map(
    rows.map(({ id, website_description, product_id }) => [
      id,
      website_description ?? ofProducts.get(product_id?.product_tmpl_id ?? 0) ?? '',
    ]),
  );
}

function validityFact(ctx: Ctx, day: string | null): ContentFact[] {
  if (day === null) return [];
  const text = ctx.get(app.formats).formatDate(day, ctx.lang, 'long');
  return [{ key: 'validity', label: t(ctx, 'Valid until'), value: day, text }];
}

/** Describes the options that can still be added, at their offered prices. */
async function optionFacts(ctx: Ctx, { options, currency_id }: QuotedRow): Promise<ContentFact[]> {
  const money = await moneyTexts(ctx, currency_id);
  return options
    .filter(({ line_id }) => line_id === null)
    .map(({ id, product_id, name, quantity, uom_id, price_unit, discount, website_description }) => ({
      key: `option:${id}`,
      label: t(ctx, 'Option'),
      value: [product_id, name, quantity, uom_id?.id ?? null, price_unit, discount, website_description],
      text: [
        name.split('\n', 1)[0],
        [formatQuantity(ctx, quantity), uom_id?.name].filter(Boolean).join(' '),
        money.price(price_unit),
        formatPercent(ctx, discount),
      ]
        .filter(Boolean)
        .join(' · '),
    }));
}

function filled(facts: readonly ContentFact[]): ContentFact[] {
  return facts.filter(({ value }) => value !== null);
}
