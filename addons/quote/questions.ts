import { question } from '@pergola/web';
import { QuotedOrder } from './models/sale-order.ts';
import { plural, t } from './texts.ts';

export const questions = [
  question(QuotedOrder, {
    fields: ['template_id'],
    ask: async (ctx, { ids, values }) => {
      if (typeof values.template_id !== 'number') return null;
      const orders = await ctx.model(QuotedOrder).read(ids, { select: { order_line: true } });
      const lines = orders.reduce((sum, { order_line }) => sum + order_line.length, 0);
      if (lines === 0) return null;
      return {
        text: plural(
          ctx,
          'The template replaces the line of this quotation, and its options. Prices set by hand are lost.',
          'The template replaces the {n} lines of this quotation, and its options. Prices set by hand are lost.',
          lines,
        ),
        yes: t(ctx, 'Replace lines'),
      };
    },
  }),
];
