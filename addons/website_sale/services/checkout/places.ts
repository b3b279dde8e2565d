import { Company, Country, CountryState } from '@pergola/base';
import { SaleOrder } from '@pergola/sale';
import type { Ctx, Id, Ids } from 'pergola';
import { sellingCompany } from '../pricing-context.ts';

/** Countries whose post requires the state, by ISO code. */
const withState: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'BR', 'IN', 'MX']);

/** Countries whose addresses may include a state or province; elsewhere the field is left out. */
const mayHaveState = [
  ...withState,
  ...'AE AR BS CL CN CO CR CV EG ES HN ID IE IT JP KR MY NG NI PE PG PH SV TH TR TW UA UY UZ VE VN'.split(' '),
];

/** Number of countries listed above all others. */
const MAX_LISTED_FIRST = 5;
/** Number of recent orders whose countries are counted. */
const RECENT_ORDERS = 200;

/** Whether addresses in this country require a state. */
export async function needsState(ctx: Ctx, country: Id | null): Promise<boolean> {
  if (country === null) return false;
  const [row] = await ctx.model(Country).read([country], { select: { code: true } });
  return row !== undefined && withState.has(row.code);
}

/** Returns the country of the selling company, where most of its customers live, as the form's default. */
export async function homeCountry(ctx: Ctx): Promise<Id | null> {
  const company = await sellingCompany(ctx);
  const row = await ctx
    .sudo() // A company's address is public.
    .model(Company)
    .get(company, { select: { partner_id: { country_id: true } } });
  return row.partner_id?.country_id ?? null;
}

/** Returns all countries by name, the most frequent ones of recent orders first. */
export async function countryChoices(ctx: Ctx) {
  const rows = await ctx.model(Country).find([], { select: { name: true, code: true, zip_required: true } });
  const usualIds = await frequentCountries(ctx);
  const collator = new Intl.Collator(ctx.lang.replace('_', '-'));
  return rows
    .toSorted((a, b) => collator.compare(a.name, b.name))
    .map(({ id, name, code, zip_required: zip }) => ({
      id,
      name,
      zip,
      state: withState.has(code),
      usual: usualIds.has(id),
    }));
}

async function frequentCountries(ctx: Ctx): Promise<ReadonlySet<Id>> {
  const orders = await ctx
    .sudo() // Reveals only that there were orders from a country.
    .model(SaleOrder)
    .find([['state', 'in', ['sale', 'done']]], {
      select: { invoice_country_id: true },
      order: 'id desc',
      limit: RECENT_ORDERS,
    });
  const counts = new Map<Id, number>();
  for (const { invoice_country_id: id } of orders) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
  const home = await homeCountry(ctx);
  return new Set([...(home === null ? [] : [home]), ...byCount].slice(0, MAX_LISTED_FIRST));
}

/** Returns the states of these countries by name; empty for countries whose addresses don't include one. */
export async function stateChoices(ctx: Ctx, countries: Ids) {
  const rows = await ctx.model(CountryState).find(
    [
      ['country_id', 'in', countries],
      ['country_id.code', 'in', mayHaveState],
    ],
    { select: { name: true, country_id: true }, order: 'country_id, name' },
  );
  return rows.map(({ id, name, country_id: country }) => ({ id, name, country }));
}

/** Returns the states of the countries selected in an address form. */
export function statesOfForm(ctx: Ctx, values: Readonly<Record<string, string>>) {
  return stateChoices(
    ctx,
    [values.country_id, values.shipping_country_id].flatMap((id) => (/^\d{1,9}$/.test(id ?? '') ? [Number(id)] : [])),
  );
}
