import { lackingTax } from '@pergola/sale';
import { figure, type WidgetContent, widget } from '@pergola/web';
import { app, type Ctx, type RawDomain } from 'pergola';
import { ShopTemplate } from './models/product-template.ts';
import { ShopView, type ViewKind, viewKinds } from './models/website-sale-view.ts';
import { t } from './texts.ts';

const DAYS = 30;
const DAY = 24 * 60 * 60_000;

/** Steps from a page view to an order. */
const steps = [
  'product_view',
  'product_add_to_cart',
  'customer_checkout',
  'order_checkout',
  'order_payment',
  'order_confirmed',
] as const;

export const widgets = [
  widget('website_sale.funnel', {
    label: 'Conversion funnel',
    icon: 'funnel',
    groups: ['sale.group_sale_user'],
    models: [ShopView],
    load: funnel,
  }),
  // Imports and scripts can publish products without the tax question.
  widget('website_sale.untaxed', {
    label: 'Products without tax',
    icon: 'exclamation-triangle',
    groups: ['sale.group_sale_user'],
    figures: [
      figure(ShopTemplate, {
        label: 'Published without tax',
        menu: 'sale.menu_products',
        domain: untaxedInShop,
        urgent: true,
      }),
    ],
    load: async (ctx) => ({
      over: (await ctx.model(ShopTemplate).count((await untaxedInShop(ctx)) as never, { most: 1 })) === 0,
    }),
  }),
];

async function untaxedInShop(ctx: Ctx): Promise<RawDomain> {
  const inShop = ctx.model(ShopTemplate).shopDomain();
  return [['website_published', '=', true], ...inShop, ...(await lackingTax(ctx))];
}

/** Counts visitors at each step in the last days, with their share of the previous step. */
async function funnel(ctx: Ctx): Promise<WidgetContent> {
  const since = new Date(ctx.now().getTime() - (DAYS - 1) * DAY).toISOString().slice(0, 10);
  const groups = await ctx.model(ShopView).group([['day', '>=', since]], { by: ['kind'], aggregates: ['count:sum'] });
  const kinds = new Map(groups.map((group) => [group.kind as ViewKind, Number(group['count:sum'])]));
  // A later step implies all earlier ones, even if no page reported them (tickets have no product page).
  const counts = steps.map((_, index) => Math.max(...steps.slice(index).map((later) => kinds.get(later) ?? 0)));
  const share = (part: number, total: number): string =>
    ctx.get(app.formats).formatNumber(part / total, ctx.lang, { percent: true, max: 1 });
  return {
    lines: steps.map((kind, index) => {
      const [count = 0, previousCount = 0] = [counts[index], counts[index - 1]];
      return {
        label: t(ctx, viewKinds[kind]),
        count,
        ...(previousCount > 0 ? { note: share(count, previousCount) } : {}),
        to: { menu: 'website_sale.menu_figures', view: 'graph' as const },
      };
    }),
  };
}
