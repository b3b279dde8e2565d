import { Country, CountryState, Partner } from '#addons/base';
import type { PostalAddress } from '#addons/sale';
import type { Ctx, Id } from '#core';

/** Countries whose post needs the state, by ISO code. */
const withState: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'BR', 'IN', 'MX']);

/** Whether an address in this country has to name its state. */
export async function needsState(ctx: Ctx, country: Id | null): Promise<boolean> {
  if (country === null) return false;
  const [row] = await ctx.model(Country).read([country], { select: { code: true } });
  return row !== undefined && withState.has(row.code);
}

/** All countries by name, the chosen one marked. */
export async function countryChoices(ctx: Ctx, chosen: string) {
  const rows = await ctx.model(Country).find([], { select: { name: true, code: true, zip_required: true } });
  const collator = new Intl.Collator(ctx.lang.replace('_', '-'));
  return rows
    .toSorted((a, b) => collator.compare(a.name, b.name))
    .map(({ id, name, code, zip_required: zip }) => {
      return { id, name, zip, state: withState.has(code), chosen: String(id) === chosen };
    });
}

/** All states of countries that have several, the chosen one marked. */
export async function stateChoices(ctx: Ctx, chosen: string) {
  const rows = await ctx
    .model(CountryState)
    .find([], { select: { name: true, country_id: true }, order: 'country_id, name' });
  return rows.map(({ id, name, country_id: country }) => ({ id, name, country, chosen: String(id) === chosen }));
}

/** Whether a country's states are shown at first: when there is more than one. */
export function hasStates(states: readonly { readonly country: Id }[], country: string): boolean {
  return states.filter((state) => String(state.country) === country).length > 1;
}

/** The delivery addresses a customer has: contacts below their own, of that kind. */
export async function shippingAddresses(ctx: Ctx) {
  if (ctx.user.id === null || ctx.user.partnerId === null) return [];
  return ctx
    .sudo() // They are the caller's own.
    .model(Partner)
    .find(
      [
        ['parent_id', '=', ctx.user.partnerId],
        ['type', '=', 'delivery'],
      ],
      { select: { name: true, street: true, city: true } },
    );
}

/** One of the caller's own delivery addresses, as an order takes it; null for everything else. */
export async function shippingAddress(ctx: Ctx, id: Id): Promise<PostalAddress | null> {
  if (ctx.user.id === null || ctx.user.partnerId === null) return null;
  return ctx
    .sudo() // Only what is the caller's own is found.
    .model(Partner)
    .first(
      [
        ['id', '=', id],
        ['parent_id', '=', ctx.user.partnerId],
        ['type', '=', 'delivery'],
      ],
      {
        select: {
          name: true,
          phone: true,
          street: true,
          street2: true,
          zip: true,
          city: true,
          state_id: true,
          country_id: true,
        },
      },
    );
}

/** What is known of who is signed in, for a form nobody has filled in yet. */
export async function ownValues(ctx: Ctx): Promise<Record<string, string>> {
  if (ctx.user.id === null || ctx.user.partnerId === null) return {};
  const own = await ctx
    .sudo() // It is the caller's own contact.
    .model(Partner)
    .first([['id', '=', ctx.user.partnerId]], {
      select: {
        name: true,
        email: true,
        phone: true,
        street: true,
        street2: true,
        zip: true,
        city: true,
        state_id: true,
        country_id: true,
        vat: true,
        parent_id: { name: true },
      },
    });
  if (!own) return {};
  return {
    name: own.name,
    email: own.email ?? '',
    phone: own.phone ?? '',
    street: own.parent_id?.name ?? '',
    street2: [own.street, own.street2].filter(Boolean).join(', '),
    zip: own.zip ?? '',
    city: own.city ?? '',
    state_id: String(own.state_id ?? ''),
    country_id: String(own.country_id ?? ''),
    vat: own.vat ?? '',
  };
}
