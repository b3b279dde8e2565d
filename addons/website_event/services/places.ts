import { createHash } from 'node:crypto';
import { Country, Partner } from '@pergola/base';
import type { Supply } from '@pergola/sale';
import { type Ctx, type Id, type Ids, kept } from 'pergola';

/** Public address of an event's venue. */
export interface Place {
  readonly name: string;
  readonly street: string | null;
  readonly street2: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  /** ISO 3166 code, such as `FR`. */
  readonly countryCode: string | null;
  readonly countryId: Id | null;
  /** City and country: `Detroit, United States`. */
  readonly short: string;
  /** Address lines from street to country. */
  readonly lines: readonly string[];
}

/** Language-independent parts of an address. */
export function addressParts({ name, street, street2, zip, city, countryCode }: Place): readonly (string | null)[] {
  return [name, street, street2, zip, city, countryCode];
}

/** Fingerprint of an address, for detecting changes. */
export function addressKey(place: Place): string {
  return createHash('sha256')
    .update(JSON.stringify(addressParts(place)))
    .digest('base64url');
}

/** Returns the places for contacts. */
export function placesOf(ctx: Ctx, partners: Ids): Promise<ReadonlyMap<Id, Place>> {
  // The address of a venue is public with its event; no other contact data is read.
  return places.get(ctx.sudo(), ctx.lang, partners);
}

export const places = kept('website_event.places', async (system, lang: string, partners: Ids) => {
  const ctx = system.as({ lang });
  const rows = await ctx.model(Partner).read(partners, {
    select: {
      name: true,
      street: true,
      street2: true,
      zip: true,
      city: true,
      state_id: { name: true },
      country_id: true,
    },
  });
  const countries = await ctx
    .model(Country)
    .read([...new Set(rows.flatMap(({ country_id }) => country_id ?? []))], { select: { name: true, code: true } });
  const countriesById = new Map(countries.map((country) => [country.id, country]));
  return new Map(
    rows.map(({ id, name, street, street2, zip, city, state_id, country_id }) => {
      const country = countriesById.get(country_id ?? 0);
      const state = state_id?.name ?? null;
      const town = [[zip, city].filter(Boolean).join(' '), state].filter(Boolean).join(', ');
      const place: Place = {
        name,
        street,
        street2,
        zip,
        city,
        state,
        country: country?.name ?? null,
        countryCode: country?.code ?? null,
        countryId: country_id,
        short: [city, country?.name].filter(Boolean).join(', ') || name,
        lines: [street, street2, town, country?.name].filter((line): line is string => Boolean(line)),
      };
      return [id, place];
    }),
  );
});

/**
 * Place of taxation for admission to an event (Articles 53 and 54 of Directive 2006/112/EC): the country of its venue, or the seller's
 * country if the venue's is unknown; the customer's address for online events. Customer input can't lower the tax of an event on site.
 */
export function supplyOfEvent(
  { address_id }: { readonly address_id: Id | null },
  venues: ReadonlyMap<Id, Place>,
): Supply {
  return address_id === null ? 'service' : { takesPlaceIn: venues.get(address_id)?.countryId ?? null };
}
