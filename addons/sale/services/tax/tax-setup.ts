import { Country } from '@pergola/base';
import { app, Conflict, type Ctx, type Decimal, decimal, type Id, type Ids, NotFound } from 'pergola';
import { FiscalPosition } from '../../models/account-fiscal-position.ts';
import { AccountTax } from '../../models/account-tax.ts';
import { ProductTemplate } from '../../models/product-template.ts';
import { SaleCompany } from '../../models/res-company.ts';
import { t } from '../../texts.ts';
import { type CountryPack, countryPacks, notes, type PackCountry, type RateLevel, union } from './country-packs.ts';

/** Country and company of a tax setup. */
export interface TaxSetupRequest {
  readonly company: Id;
  /** ISO code of a country pack. */
  readonly country: PackCountry;
  /** Whether product prices include tax. */
  readonly priceInclude: boolean;
}

type Texts = { readonly en_US: string; readonly fr_FR: string };

interface PlannedTax {
  /** `FR/standard`: identifies the record when the pack is set up again. */
  readonly key: string;
  readonly name: Texts;
  readonly label: Texts;
  readonly amount: Decimal;
  /** Existing tax to use instead. */
  readonly existing: Id | null;
}

interface PlannedPosition {
  readonly key: string;
  readonly name: Texts;
  readonly note: Texts | null;
  readonly countries: Ids;
  readonly vatRequired: boolean;
  /** Key of the tax that replaces the pack's other taxes, or null. */
  readonly replacement: string | null;
  readonly existing: Id | null;
}

/** Result of setting up a country pack. Existing records don't change, except that new taxes are added to existing fiscal positions. */
export interface TaxPlan {
  readonly pack: CountryPack;
  readonly taxes: readonly PlannedTax[];
  readonly positions: readonly PlannedPosition[];
  /** Key of the tax that becomes the company's default; null if it already has one. */
  readonly defaultTax: string | null;
  /** Shipped products that get the default tax. */
  readonly products: readonly { readonly id: Id; readonly name: string }[];
}

/** Suffixes of tax names; the standard rate needs no suffix. */
const levels: Readonly<Record<RateLevel, Texts | null>> = {
  standard: null,
  intermediate: { en_US: 'intermediate', fr_FR: 'taux intermédiaire' },
  reduced: { en_US: 'reduced', fr_FR: 'taux réduit' },
  second_reduced: { en_US: 'second reduced', fr_FR: 'second taux réduit' },
  super_reduced: { en_US: 'super-reduced', fr_FR: 'taux super-réduit' },
  lodging: { en_US: 'accommodation', fr_FR: 'hébergement' },
  zero: { en_US: 'zero rate', fr_FR: 'taux zéro' },
};

/**
 * Plans the taxes, fiscal positions and the default tax of a country pack. Needs elevated rights; writes nothing.
 *
 * @throws NotFound if there is no such pack; Conflict if the taxes of another country apply to the company's orders
 */
export async function planTaxes(ctx: Ctx, { company, country, priceInclude }: TaxSetupRequest): Promise<TaxPlan> {
  const pack = countryPacks.find((candidate) => candidate.country === country);
  if (!pack) throw new NotFound('There is no tax setup for this country.', { code: 'sale.no_country_pack' });
  await refuseOtherCountry(ctx, company, country);
  const taxes = await existingTaxes(ctx, company, taxesOf(ctx, pack), priceInclude);
  const positions = await existingPositions(ctx, company, await positionsOf(ctx, pack));
  const [row] = await ctx.model(SaleCompany).read([company], { select: { account_sale_tax_id: true } });
  const defaultTax = row?.account_sale_tax_id == null ? (taxes[0]?.key ?? null) : null;
  const products = defaultTax === null ? [] : await ctx.model(ProductTemplate).shippedUntaxed();
  return { pack, taxes, positions, defaultTax, products };
}

/** Applies a plan: creates missing records. Needs elevated rights and the lock of the company. */
export async function applyTaxes(ctx: Ctx, plan: TaxPlan, { company, priceInclude }: TaxSetupRequest): Promise<void> {
  const ids = new Map<string, Id>();
  const created = new Set<Id>();
  for (const [index, { key, name, label, amount, existing }] of plan.taxes.entries()) {
    const isZero = decimal(amount).isZero();
    const id =
      existing ??
      (await ctx.model(AccountTax).create({
        name,
        description: label,
        amount,
        price_include: priceInclude && !isZero,
        sequence: 10 + index,
        company_id: company,
        pack_key: key,
      }));
    ids.set(key, id);
    if (existing === null && !isZero) created.add(id);
  }
  for (const [index, position] of plan.positions.entries()) {
    const replacement = position.replacement === null ? null : (ids.get(position.replacement) ?? null);
    const mapped = position.existing === null ? chargedTaxes(plan, ids) : [...created];
    const lines =
      replacement === null ? [] : mapped.map((tax_src_id) => ({ create: { tax_src_id, tax_dest_id: replacement } }));
    if (position.existing !== null) {
      if (lines.length > 0) await ctx.model(FiscalPosition).write(position.existing, { tax_ids: lines });
      continue;
    }
    await ctx.model(FiscalPosition).create({
      name: position.name,
      note: position.note,
      auto_apply: true,
      vat_required: position.vatRequired,
      country_ids: [...position.countries],
      tax_ids: lines,
      sequence: 10 + index,
      company_id: company,
      pack_key: position.key,
    });
  }
  const defaultTax = plan.defaultTax === null ? undefined : ids.get(plan.defaultTax);
  await ctx.model(SaleCompany).write(company, {
    tax_country: plan.pack.country,
    ...(defaultTax === undefined ? {} : { account_sale_tax_id: defaultTax }),
  });
}

/** With two domestic positions, the taxes of an order would be arbitrary. */
async function refuseOtherCountry(ctx: Ctx, company: Id, country: string): Promise<void> {
  const positions = await ctx.model(FiscalPosition).find(
    [
      ['company_id', '=', company],
      ['pack_key', '!=', null],
    ],
    { select: { pack_key: true } },
  );
  const otherCountry = positions
    .flatMap(({ pack_key }) => pack_key?.split('/')[0] ?? [])
    .find((code) => code !== country);
  if (otherCountry === undefined) return;
  const message = t(
    ctx,
    'The taxes of another country ({country}) are already set up for this company. Archive its fiscal positions first.',
    { country: otherCountry },
  );
  throw new Conflict(message, { code: 'sale.other_country', fields: { country: message } });
}

/** Returns the taxes of a pack that are charged. */
function chargedTaxes({ taxes }: TaxPlan, ids: ReadonlyMap<string, Id>): Id[] {
  return taxes.flatMap(({ key, amount }) => (decimal(amount).isZero() ? [] : (ids.get(key) ?? [])));
}

function taxesOf(ctx: Ctx, { country, rates, isInUnion }: CountryPack): Omit<PlannedTax, 'existing'>[] {
  if (rates.length === 0) return [];
  const tax = (key: string, percent: string, level: Texts | null) => {
    const label = {
      en_US: `VAT ${percentText(ctx, percent, 'en_US')}`,
      fr_FR: `TVA ${percentText(ctx, percent, 'fr_FR')}`,
    };
    const name = level ? { en_US: `${label.en_US} (${level.en_US})`, fr_FR: `${label.fr_FR} (${level.fr_FR})` } : label;
    // Documents must explain a rate of 0 %, so its label includes the reason.
    return { key: `${country}/${key}`, name, label: percent === '0' ? name : label, amount: percent as Decimal };
  };
  return [
    ...rates.map(([level, percent]) => tax(level, percent, levels[level])),
    tax('exempt', '0', { en_US: 'exempt', fr_FR: 'exonéré' }),
    ...(isInUnion ? [tax('union', '0', { en_US: 'reverse charge', fr_FR: 'autoliquidation' })] : []),
    tax('export', '0', { en_US: 'export', fr_FR: 'exportation' }),
  ];
}

function percentText(ctx: Ctx, percent: string, lang: string): string {
  return ctx.get(app.formats).formatNumber(decimal(percent).div(100).toString(), lang, { percent: true, max: 2 });
}

/** Returns the fiscal positions of a pack. They name their countries, so that each form shows where the position applies. */
async function positionsOf(ctx: Ctx, pack: CountryPack): Promise<Omit<PlannedPosition, 'existing'>[]> {
  if (pack.rates.length === 0) return [];
  const { country, domestic, isInUnion } = pack;
  const all = await ctx.model(Country).find([], { select: { code: true } });
  const area = isInUnion ? [...union, ...domestic] : domestic;
  const idsOf = (fits: (code: string) => boolean): Id[] => all.filter(({ code }) => fits(code)).map(({ id }) => id);
  return [
    {
      key: `${country}/domestic`,
      name: { en_US: `Domestic (${country})`, fr_FR: `National (${country})` },
      note: null,
      countries: idsOf((code) => domestic.includes(code)),
      vatRequired: false,
      replacement: null,
    },
    ...(isInUnion
      ? [
          {
            key: `${country}/union`,
            name: { en_US: 'EU businesses with a VAT number', fr_FR: 'Entreprises de l’UE avec numéro de TVA' },
            note: notes.union,
            countries: idsOf((code) => union.includes(code) && !domestic.includes(code)),
            vatRequired: true,
            replacement: `${country}/union`,
          },
        ]
      : []),
    {
      key: `${country}/export`,
      name: isInUnion
        ? { en_US: 'Outside the European Union', fr_FR: 'Hors Union européenne' }
        : { en_US: `Outside the country (${country})`, fr_FR: `Hors du pays (${country})` },
      note: pack.exportNote ?? notes.export,
      countries: idsOf((code) => !area.includes(code)),
      vatRequired: false,
      replacement: `${country}/export`,
    },
  ];
}

const evenArchived = ['active', 'in', [true, false]] as const;

/** Finds existing taxes of the pack: by key, or created by hand with the same rate. */
async function existingTaxes(
  ctx: Ctx,
  company: Id,
  taxes: readonly Omit<PlannedTax, 'existing'>[],
  priceInclude: boolean,
): Promise<PlannedTax[]> {
  const rows = await ctx.model(AccountTax).find([evenArchived, ['company_id', 'in', [company, null]]], {
    select: { pack_key: true, type: true, amount: true, price_include: true, active: true },
  });
  return taxes.map((tax) => {
    const byKey = rows.find(({ pack_key }) => pack_key === tax.key);
    const handmade = rows.find(
      ({ pack_key, type, amount, price_include, active }) =>
        pack_key === null &&
        active &&
        type === 'percent' &&
        price_include === priceInclude &&
        !decimal(amount).isZero() &&
        decimal(amount).eq(tax.amount),
    );
    return { ...tax, existing: (byKey ?? handmade)?.id ?? null };
  });
}

/** Finds existing fiscal positions of the pack: by key, or created by hand for the same customers. */
async function existingPositions(
  ctx: Ctx,
  company: Id,
  positions: readonly Omit<PlannedPosition, 'existing'>[],
): Promise<PlannedPosition[]> {
  const rows = await ctx.model(FiscalPosition).find([evenArchived, ['company_id', 'in', [company, null]]], {
    select: { pack_key: true, auto_apply: true, vat_required: true, country_ids: true, active: true },
  });
  return positions.map((position) => {
    const byKey = rows.find(({ pack_key }) => pack_key === position.key);
    const handmade = rows.find(
      ({ pack_key, auto_apply, vat_required, country_ids, active }) =>
        pack_key === null &&
        active &&
        auto_apply &&
        vat_required === position.vatRequired &&
        country_ids.length === position.countries.length &&
        country_ids.every((id) => position.countries.includes(id)),
    );
    return { ...position, existing: (byKey ?? handmade)?.id ?? null };
  });
}
