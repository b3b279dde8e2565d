import { Company, Country } from '@pergola/base';
import { type Ctx, f, type Id, type Ids, kept, model } from 'pergola';
import { countryPacks } from '../services/tax/country-packs.ts';
import { FiscalPositionTax } from './account-fiscal-position-tax.ts';
import { SalePartner } from './res-partner.ts';

/** Destination and recipient of a sale. */
export interface Destination {
  readonly partner?: Id | null;
  readonly country?: Id | null;
  /** The selling company; positions of other companies don't apply. */
  readonly company: Id;
  /** Whether the customer owes the tax under their own VAT number; see `TaxNumbers`. */
  readonly isReverseCharge: boolean;
}

/**
 * Place of taxation: goods are taxed where they are delivered, services at the invoice address, and event admission in the country of the
 * event (null if unknown, for the seller's country).
 */
export type Supply = 'goods' | 'service' | { readonly takesPlaceIn: Id | null };

/** Everything that the taxes of an order or a page depend on. */
export interface TaxTerms {
  /** Fiscal position of goods. */
  readonly fiscalPosition: Id | null;
  /** Fiscal position of services, if it's another one. */
  readonly servicePosition?: Id | null;
  /** Whether staff chose the fiscal position for this order; it then applies to all lines. */
  readonly isChosen?: boolean;
  readonly partner?: Id | null;
  /** The selling company. */
  readonly company: Id;
}

/** Maps product taxes under a fiscal position; unmapped taxes stay. */
export type TaxMapping = (taxes: Ids) => Id[];

/** Replaces product taxes for customers in certain places. */
export class FiscalPosition extends model(
  'account.fiscal.position',
  {
    name: f.char({ required: true, translate: true, label: 'Fiscal position' }),
    sequence: f.integer({ default: 10 }),
    auto_apply: f.boolean({ label: 'Detect automatically', help: 'Applied based on the customer’s country' }),
    vat_required: f.boolean({
      label: 'VAT number required',
      help: 'A number from another EU country that matches the billing address and is confirmed by VIES',
    }),
    country_ids: f.many2many('res.country', {
      empty: 'all',
      ondelete: 'restrict',
      label: 'Countries',
      help: 'Leave empty for all countries except yours',
      relation: { table: 'fiscal_position_country_rel', from: 'position_id', to: 'country_id' },
    }),
    tax_ids: f.one2many('account.fiscal.position.tax', 'position_id', { label: 'Taxes' }),
    note: f.text({ translate: true, label: 'Note on documents' }),
    company_id: f.many2one('res.company', { empty: 'all', ondelete: 'restrict' }),
    /** Key from a country pack, `FR/standard`: repeating the setup finds the existing record. */
    pack_key: f.char({ size: 32, readonly: true, copy: false, index: true, label: 'Country pack' }),
    active: f.boolean({ default: true }),
  },
  { order: 'sequence, id', label: 'Fiscal position' },
) {
  /**
   * Returns the fiscal position for a customer: the one staff chose for them, or the most specific automatic one for the country of
   * delivery, or null. A position without countries is for exports: it doesn't apply to the seller's VAT area, nor if the customer's or the
   * seller's country is unknown.
   */
  async forCustomer({ partner, country, company, isReverseCharge }: Destination): Promise<Id | null> {
    if (partner) {
      const [contact] = await this.ctx
        .model(SalePartner)
        .read([partner], { select: { property_account_position: true } });
      if (contact?.property_account_position) return contact.property_account_position;
    }
    if (!country) return null;
    const { area } = await companyCountry.get(this.ctx, company);
    const isAbroad = area.length > 0 && !area.includes(country);
    const positions = await automaticPositions.get(this.ctx, company);
    const fitting = positions.filter(
      ({ vat_required, country_ids }) =>
        (!vat_required || isReverseCharge) && (country_ids.length === 0 ? isAbroad : country_ids.includes(country)),
    );
    const specificity = ({ country_ids, vat_required }: (typeof fitting)[number]): number =>
      (country_ids.length > 0 ? 2 : 0) + (vat_required ? 1 : 0);
    return fitting.toSorted((a, b) => specificity(b) - specificity(a))[0]?.id ?? null;
  }

  /** Returns the fiscal position for a place of taxation, or null. Tax numbers don't count for admission to events. */
  async forSupply(terms: TaxTerms, supply: Supply): Promise<Id | null> {
    const { fiscalPosition, servicePosition = fiscalPosition, isChosen, partner, company } = terms;
    if (isChosen || supply === 'goods') return fiscalPosition;
    if (supply === 'service') return servicePosition;
    const country = supply.takesPlaceIn ?? (await companyCountry.get(this.ctx, company)).country;
    return country === null ? null : this.forCustomer({ partner, country, company, isReverseCharge: false });
  }

  /** Returns the tax mapping of a position; without a position, taxes stay the same. */
  async mapping(position: Id | null): Promise<TaxMapping> {
    if (position === null) return (taxes) => [...taxes];
    const targets = Map.groupBy(await mappings.get(this.ctx, position), ({ tax_src_id }) => tax_src_id);
    return (taxes) => [
      ...new Set(
        taxes.flatMap((tax) => {
          const mapped = targets.get(tax);
          return mapped ? mapped.flatMap(({ tax_dest_id }) => tax_dest_id ?? []) : [tax];
        }),
      ),
    ];
  }
}

/** Automatic fiscal positions of a company's orders, in their order. */
export const automaticPositions = kept('sale.automatic_positions', (ctx: Ctx, company: Id) =>
  ctx
    .model(FiscalPosition)
    .find([['auto_apply', '=', true], '|', ['company_id', '=', null], ['company_id', '=', company]], {
      select: { vat_required: true, country_ids: true },
    }),
);

/** Place of the selling company. */
interface SellerPlace {
  readonly country: Id | null;
  /** Countries of its VAT area, such as Monaco for France; empty if its country is unknown. */
  readonly area: Ids;
}

/** Country of a company and its VAT area. */
export const companyCountry = kept('sale.company_country', async (ctx: Ctx, company: Id): Promise<SellerPlace> => {
  const row = await ctx.model(Company).get(company, { select: { partner_id: { country_id: { code: true } } } });
  const country = row.partner_id?.country_id ?? null;
  if (country === null) return { country, area: [] };
  const codes = countryPacks.find((pack) => pack.country === country.code)?.domestic ?? [];
  const area = await ctx.model(Country).search([['code', 'in', codes]]);
  return { country: country.id, area: [country.id, ...area] };
});

/** Lines of a position. */
export const mappings = kept('sale.tax_mappings', (ctx: Ctx, position: Id) =>
  ctx
    .model(FiscalPositionTax)
    .find([['position_id', '=', position]], { select: { tax_src_id: true, tax_dest_id: true } }),
);

declare module 'pergola' {
  interface Models {
    'account.fiscal.position': FiscalPosition;
  }
}
