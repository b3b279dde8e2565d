import { z } from 'zod';

const choice = z.object({ id: z.number(), name: z.string() });
const country = choice.extend({
  /** Whether addresses in the country need a postal code, and a state. */
  zip: z.boolean(),
  state: z.boolean(),
  /** Listed above the other countries. */
  usual: z.boolean(),
});
const state = choice.extend({ country: z.number() });

/** Options for country and state: all countries, and the states of the selected ones. */
export const places = z.object({ countries: z.array(country), states: z.array(state) });
export type Places = z.infer<typeof places>;

export default places.extend({
  guest: z.boolean(),
  /** Whether nothing is paid or shipped. */
  gift: z.boolean(),
  /** Whether to show the VAT number field. */
  vat: z.boolean(),
  deliverable: z.boolean(),
  /** Delivery addresses; 0 for the invoice address, -1 for another one. */
  shipping: z.array(choice),
  values: z.record(z.string(), z.string()),
  errors: z.record(z.string(), z.string()),
});
