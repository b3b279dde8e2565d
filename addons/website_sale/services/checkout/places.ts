import type { Ctx, Id, Ids } from 'pergola';
import { Company, Country, CountryState } from '#addons/base';
import { SaleOrder } from '#addons/sale';
import { sellingCompany } from '../pricing-context.ts';

/** Countries whose post needs the state, by ISO code. */
const withState: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'BR', 'IN', 'MX']);

/** Countries whose addresses may name a state or province; everywhere else the field is left out. */
const mayHaveState = [
  ...withState,
  ...'AE AR BS CL CN CO CR CV EG ES HN ID IE IT JP KR MY NG NI PE PG PH SV TH TR TW UA UY UZ VE VN'.split(' '),
];

/** So many countries are listed above all others. */
const mostUsual = 5;
/** The latest orders whose countries are counted. */
const RECENT_ORDERS = 200;

/** Whether an address in this country has to name its state. */
export async function needsState(ctx: Ctx, country: Id | null): Promise<boolean> {
  if (country === null) return false;
  const [row] = await ctx.model(Country).read([country], { select: { code: true } });
  return row !== undefined && withState.has(row.code);
}

/** The country of the company behind the site, where most of its customers live; what a form begins with. */
export async function homeCountry(ctx: Ctx): Promise<Id | null> {
  const company = await sellingCompany(ctx);
  const row = await ctx
    .sudo() // A company's address is public.
    .model(Company)
    .get(company, { select: { partner_id: { country_id: true } } });
  return row.partner_id?.country_id ?? null;
}

/** All countries by name, those most orders came from before the others. */
export async function countryChoices(ctx: Ctx) {
  const rows = await ctx.model(Country).find([], { select: { name: true, code: true, zip_required: true } });
  const usualIds = await usualCountries(ctx);
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

async function usualCountries(ctx: Ctx): Promise<ReadonlySet<Id>> {
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
  return new Set([...(home === null ? [] : [home]), ...byCount].slice(0, mostUsual));
}

/** The states of these countries by name, none for countries whose addresses don't name one. */
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

/** The states of the countries that an address form has chosen. */
export function statesOfForm(ctx: Ctx, values: Readonly<Record<string, string>>) {
  return stateChoices(
    ctx,
    [values.country_id, values.shipping_country_id].flatMap((id) => (/^\d{1,9}$/.test(id ?? '') ? [Number(id)] : [])),
  );
}
