import { filledLines } from '@pergola/sale';
import { type Ctx, NotFound } from 'pergola';
import { type OwnAddress, OwnAddresses } from '../services/checkout/own-addresses.ts';
import { countryChoices, homeCountry, statesOfForm } from '../services/checkout/places.ts';
import { askVat } from '../settings.ts';
import { t } from '../texts.ts';

/** Returns the signed-in user's addresses. */
export async function addressesValues(ctx: Ctx) {
  const addresses = ctx.get(OwnAddresses);
  const invoice = await addresses.invoice();
  if (!invoice) throw new NotFound('We can’t find this address.', { code: 'website_sale.no_address' });
  const defaultId = invoice.default_delivery_id;
  const deliveries = await addresses.deliveries();
  return {
    invoice: { lines: linesOf(invoice), usual: defaultId === null },
    deliveries: deliveries.map((address) => ({
      id: address.id,
      lines: linesOf(address),
      usual: address.id === defaultId,
    })),
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
  const cityLine = [zip, city].filter(Boolean).join(' ');
  return filledLines([name, street, street2, cityLine, state_id?.name, country_id?.name, phone]);
}

interface Refused {
  readonly values: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Returns the values of an address form; `null` for a new address. */
export async function addressValues(ctx: Ctx, target: OwnAddress | null, rejected?: Refused) {
  const stored = target === null ? { name: ctx.user.name ?? '' } : await ctx.get(OwnAddresses).values(target);
  const submitted: Readonly<Record<string, string>> = rejected?.values ?? stored;
  const values = { ...submitted, country_id: submitted.country_id || String((await homeCountry(ctx)) ?? '') };
  const title =
    target === null
      ? t(ctx, 'New shipping address')
      : target === 'invoice'
        ? t(ctx, 'Billing address')
        : t(ctx, 'Shipping address');
  return {
    title,
    message: rejected?.message ?? null,
    form: {
      action: `/my/addresses/${target ?? 'new'}`,
      vat: target === 'invoice' && (await ctx.settings.get(askVat)),
      values,
      errors: rejected?.errors ?? {},
      countries: await countryChoices(ctx),
      states: await statesOfForm(ctx, values),
    },
  };
}
