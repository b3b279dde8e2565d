import { z } from 'zod';

/** Id of a quotation and the token that opens it. */
export const quotation = z.object({ id: z.number(), token: z.string() });

const line = z.object({
  id: z.number(),
  name: z.string(),
  more: z.array(z.string()),
  quantity: z.string(),
  least: z.boolean(),
  unit: z.string(),
  price: z.string(),
  discount: z.string(),
  subtotal: z.string(),
  was: z.string(),
  changeable: z.boolean(),
  removable: z.boolean(),
});

/** Values that change with the lines. */
export const pricing = z.object({
  lines: z.array(line),
  discounted: z.boolean(),
  saved: z.string(),
  /** Subtotal, taxes and total; `note` gives the tax included in the total. */
  sums: z.array(z.object({ key: z.string(), label: z.string(), text: z.string(), note: z.string() })),
  total: z.number(),
  totalText: z.string(),
  version: z.string(),
});

export default quotation.extend({
  pricing,
  /** Language of the quotation's texts, if the page is read in another language. */
  lang: z.string().nullish(),
});
