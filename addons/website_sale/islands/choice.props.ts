import { z } from 'zod';
import { money } from './parts/props.ts';

const value = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  chosen: z.boolean(),
  /** Extra charge for this value. */
  extra: z.string().nullable(),
});
const attribute = z.object({
  id: z.number(),
  name: z.string(),
  type: z.string(),
  /** Name of the only value; missing if the attribute has several. */
  single: z.string().nullish(),
  values: z.array(value),
});
export type Attribute = z.infer<typeof attribute>;

export default z.object({
  product: z.number(),
  attributes: z.array(attribute),
  /** Each variant: id, values, price and list price. */
  variants: z.array(z.tuple([z.number(), z.array(z.number()), z.number(), z.number()])),
  name: z.string(),
  /** Initial selection. */
  choice: z.object({ available: z.boolean(), price: money, list: money, discount: z.boolean() }),
  taxNote: z.string(),
  most: z.number(),
});
