import { type Ctx, NotFound } from 'pergola';
import { filledLines } from '#addons/sale';
import { type OwnAddress, OwnAddresses } from '../services/checkout/own-addresses.ts';
import { countryChoices, homeCountry, statesOfForm } from '../services/checkout/places.ts';
import { askVat } from '../settings.ts';

/** The addresses of who is signed in. */
export async function addressesValues(ctx: Ctx) {
  const own = ctx.get(OwnAddresses);
  const invoice = await own.invoice();
  if (!invoice) throw new NotFound('There is no such address.', { code: 'website_sale.no_address' });
  const usual = invoice.default_delivery_id;
  const deliveries = await own.deliveries();
  return {
    invoice: { lines: linesOf(invoice), usual: usual === null },
    deliveries: deliveries.map((one) => ({ id: one.id, lines: linesOf(one), usual: one.id === usual })),
  };
}

interface Address {
  readonly name: string;
  readonly phone: string | null;
  readonly street: string | null;
  readonly street2: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly state_id: { readonly name: string } | null;
  readonly country_id: { readonly name: string } | null;
}

/** Lines of the address as on a letter. */
function linesOf({ name, phone, street, street2, zip, city, state_id, country_id }: Address): string[] {
  const place = [zip, city].filter(Boolean).join(' ');
  return filledLines([name, street, street2, place, state_id?.name, country_id?.name, phone]);
}

interface Refused {
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly message: string;
}

/** The form of one address; `null` is a new one. */
export async function addressValues(ctx: Ctx, which: OwnAddress | null, refused?: Refused) {
  const known = which === null ? { name: ctx.user.name ?? '' } : await ctx.get(OwnAddresses).values(which);
  const given: Readonly<Record<string, string>> = refused?.values ?? known;
  const values = { ...given, country_id: given.country_id || String((await homeCountry(ctx)) ?? '') };
  const title =
    which === null
      ? ctx.t('New shipping address')
      : which === 'invoice'
        ? ctx.t('Invoice address')
        : ctx.t('Shipping address');
  return {
    title,
    message: refused?.message ?? null,
    form: {
      action: `/my/addresses/${which ?? 'new'}`,
      vat: which === 'invoice' && (await ctx.settings.get(askVat)),
      values,
      errors: refused?.errors ?? {},
      countries: await countryChoices(ctx),
      states: await statesOfForm(ctx, values),
    },
  };
}
