import { z } from 'zod';
import { money } from './parts/props.ts';

const line = z.object({
  id: z.number(),
  product: z.number().nullable(),
  name: z.string(),
  details: z.string().nullable(),
  url: z.string().nullable(),
  image: z.string().nullable(),
  isTicket: z.boolean(),
  quantity: z.number(),
  most: z.number(),
  unitPrice: money,
  list: money,
  discount: z.boolean(),
  amount: money,
  problem: z.string().nullable(),
});
export type Line = z.infer<typeof line>;

/** See `PromoView`. */
export const promo = z.object({
  typed: z.string(),
  error: z.string(),
  message: z.string(),
  code: z.string().nullable(),
  list: z.string(),
});

export default z.object({
  lines: z.array(line),
  frozen: z.boolean(),
  guest: z.boolean(),
  promo,
});
/** Slots for other addons; `line.after` receives a line. */
export const island = { slots: ['line.after', 'total.after'] };
