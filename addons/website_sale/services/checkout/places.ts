import { Company, Country, CountryState } from '#addons/base';
import { SaleOrder } from '#addons/sale';
import type { Ctx, Id } from '#core';
import { sellingCompany } from '../pricing-context.ts';

/** Countries whose post needs the state, by ISO code. */
const withState: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'BR', 'IN', 'MX']);

/** Countries whose addresses may name a state or province; everywhere else the field is left out. */
const mayHaveState = [
  ...withState,
  ...'AE AR BS CL CN CO CR CV EG ES HN ID IE IT JP KR MY NG NI PE PG PH SV TH TR TW UA UY UZ VE VN'.split(' '),
];

/** So many countries stand above all others. */
const mostUsual = 5;

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
    .sudo() // Where a company is stands on all its letters.
    .model(Company)
    .get(company, { select: { partner_id: { country_id: true } } });
  return row.partner_id?.country_id ?? null;
}

/** All countries by name, those most orders came from before the others. */
export async function countryChoices(ctx: Ctx) {
  const rows = await ctx.model(Country).find([], { select: { name: true, code: true, zip_required: true } });
  const usual = await usualCountries(ctx);
  const collator = new Intl.Collator(ctx.lang.replace('_', '-'));
  return rows
    .toSorted((a, b) => collator.compare(a.name, b.name))
    .map(({ id, name, code, zip_required: zip }) => ({
      id,
      name,
      zip,
      state: withState.has(code),
      usual: usual.has(id),
    }));
}

async function usualCountries(ctx: Ctx): Promise<ReadonlySet<Id>> {
  const groups = await ctx
    .sudo() // Only that there were orders from a country is told.
    .model(SaleOrder)
    .group(
      [
        ['state', 'in', ['sale', 'done']],
        ['invoice_country_id', '!=', null],
      ],
      { by: ['invoice_country_id'] },
    );
  const most = groups.toSorted((a, b) => b.count - a.count).map((group) => Number(group.invoice_country_id));
  const home = await homeCountry(ctx);
  return new Set([...(home === null ? [] : [home]), ...most].slice(0, mostUsual));
}

/** The states of countries whose addresses name one. */
export async function stateChoices(ctx: Ctx) {
  const rows = await ctx.model(CountryState).find([['country_id.code', 'in', mayHaveState]], {
    select: { name: true, country_id: true },
    order: 'country_id, name',
  });
  return rows.map(({ id, name, country_id: country }) => ({ id, name, country }));
}
