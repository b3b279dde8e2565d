import type { Ctx } from 'pergola';
import type { RenderingRule } from 'pergola/pages';
import { Currency } from './models/currency.ts';

/** Currency formats for templates, by record ID and code. */
export const currencyFormats: readonly RenderingRule[] = [
  {
    async prepare(ctx: Ctx) {
      const rows = await ctx.model(Currency).find(['|', ['active', '=', true], ['active', '=', false]], {
        select: { name: true, symbol: true, position: true, decimal_places: true },
      });
      const formats = new Map<
        number | string,
        { code: string; digits: number; symbol: string; position: 'before' | 'after' }
      >();
      for (const { id, name, symbol, position, decimal_places } of rows) {
        const format = { code: name, digits: decimal_places, symbol, position };
        formats.set(id, format).set(name, format);
      }
      return formats;
    },
    currency: (formats, key) => formats.get(key),
  },
];
