import { type Id, route, z } from 'pergola';
import { stateChoices } from '../services/checkout/places.ts';

/** States or provinces of a country, as listed by address forms. */
export interface StatesAnswer {
  readonly states: readonly { readonly id: Id; readonly name: string; readonly country: Id }[];
}

/** States of the country just chosen in an address form, in the language of the page. */
export const states = route.json(
  '/shop/states/:country',
  { name: 'website_sale.states', params: { country: z.coerce.number().int().min(1).max(2_147_483_647) } },
  async ({ ctx, params: { country } }): Promise<StatesAnswer> => ({ states: await stateChoices(ctx, [country]) }),
);
