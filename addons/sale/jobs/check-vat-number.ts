import { job, z } from 'pergola';
import { TaxNumbers } from '../services/tax/tax-numbers.ts';

const HOUR = 3_600_000;
/** Number of attempts per order while the register is unreachable, one per hour. */
const MAX_TRIES = 72;

/** Checks the VAT number of an order in the EU register, retrying until it responds. Updates the taxes of open orders. */
export const checkVatNumber = job('sale.check_vat_number', {
  input: z.object({ order: z.number().int(), tries: z.number().int().default(1) }),
  run: async ({ ctx, input: { order, tries }, write }) => {
    const [row] = await ctx.model('sale.order').read([order], {
      select: { invoice_vat: true, invoice_country_id: true, invoice_zip: true, company_id: true },
    });
    if (!row) return;
    const { invoice_vat: vat, invoice_country_id: country, invoice_zip: zip, company_id: company } = row;
    const answer = await ctx.get(TaxNumbers).ask({ vat, country, zip, company });
    await write(async (writing) => {
      if (answer) await writing.get(TaxNumbers).keep(answer);
      const state = await writing.model('sale.order').renewTaxNumber(order);
      if (state !== 'unverified' || tries >= MAX_TRIES) return;
      const nextTry = new Date(writing.now().getTime() + HOUR);
      await writing.jobs.enqueue(checkVatNumber, { order, tries: tries + 1 }, { key: String(order), at: nextTry });
    });
  },
});
