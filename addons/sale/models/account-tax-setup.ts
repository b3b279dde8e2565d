import { Company } from '@pergola/base';
import { type Ctx, decimal, type FieldsOf, f, type Id, InvalidInput, model, type Values } from 'pergola';
import { countryPacks, type PackCountry } from '../services/tax/country-packs.ts';
import { sellingCompany } from '../services/tax/default-tax.ts';
import { applyTaxes, planTaxes, type TaxPlan, type TaxSetupRequest } from '../services/tax/tax-setup.ts';
import { t } from '../texts.ts';

type SetupValues = Values<FieldsOf<TaxSetup>>;

/**
 * Sets up the taxes of a country for a company: VAT rates, fiscal positions and default sales tax. The form previews the plan before it is
 * saved. Setting up the same country again only creates missing records.
 */
export class TaxSetup extends model(
  'account.tax.setup',
  {
    company_id: f.many2one('res.company', {
      required: true,
      ondelete: 'cascade',
      default: (ctx) => sellingCompany(ctx.sudo()), // It is no secret which company sells.
    }),
    country: f.selection(
      {
        FR: 'France',
        BE: 'Belgium',
        DE: 'Germany',
        NL: 'Netherlands',
        ES: 'Spain',
        IT: 'Italy',
        LU: 'Luxembourg',
        AT: 'Austria',
        IE: 'Ireland',
        CH: 'Switzerland',
        GB: 'United Kingdom',
        US: 'United States (no tax)',
      },
      { required: true, default: (ctx, { company_id }) => packCountry(ctx, company_id), label: 'Country' },
    ),
    price_include: f.boolean({
      default: true,
      label: 'Prices include tax',
      help: 'Usual for shops selling to consumers',
    }),
    plan: f.json({ readonly: true, label: 'Preview' }),
  },
  { order: 'id desc', nameField: 'country', label: 'Tax setup' },
) {
  override async beforeCreate(values: readonly SetupValues[]): Promise<readonly SetupValues[]> {
    const complete: SetupValues[] = [];
    for (const value of values) {
      const request = await requestOf(this.ctx, value);
      const system = this.ctx.sudo(); // Managers may create taxes, and thereby set the company's default.
      // Prevents a concurrent setup from creating everything twice.
      await system.lock(Company, [request.company]);
      const plan = await planTaxes(system, request);
      complete.push({
        ...value,
        company_id: request.company,
        country: request.country,
        plan: planTable(this.ctx, plan),
      });
      await applyTaxes(system, plan, request);
    }
    return super.beforeCreate(complete);
  }
}

/** Returns the setup requested by the values, with the form's defaults for missing ones. */
async function requestOf(ctx: Ctx, { company_id, country, price_include }: SetupValues): Promise<TaxSetupRequest> {
  const company = typeof company_id === 'number' ? company_id : await sellingCompany(ctx.sudo()); // Same as the field default.
  const code = country ?? (await packCountry(ctx, company));
  const pack = countryPacks.find((candidate) => candidate.country === code);
  if (!pack) {
    const message = t(ctx, 'Choose a country.');
    throw new InvalidInput(message, { code: 'sale.bad_tax_setup', fields: { country: message } });
  }
  return { company, country: pack.country, priceInclude: price_include !== false };
}

/** Returns the pack of the company's country, or null if no pack exists. */
async function packCountry(ctx: Ctx, company: unknown): Promise<PackCountry | null> {
  const system = ctx.sudo(); // A company's country is public.
  const id = typeof company === 'number' ? company : await sellingCompany(system);
  const [row] = await system.model(Company).read([id], { select: { partner_id: { country_id: { code: true } } } });
  const home = row?.partner_id?.country_id?.code ?? '';
  return countryPacks.find(({ country }) => country === home)?.country ?? null;
}

/** Shows the plan as a table in the form. */
function planTable(ctx: Ctx, { taxes, positions, defaultTax, products }: TaxPlan): object {
  const lang = ctx.lang.startsWith('fr') ? 'fr_FR' : 'en_US';
  const row = (kind: string, name: string, status: string) => ({ cells: [kind, name, status] });
  const status = (existing: Id | null): string =>
    existing === null ? t(ctx, 'New') : t(ctx, 'Already exists, unchanged');
  const hasNewTaxes = taxes.some(({ existing, amount }) => existing === null && !decimal(amount).isZero());
  const main = taxes.find(({ key }) => key === defaultTax);
  return {
    columns: [{ label: t(ctx, 'Type') }, { label: t(ctx, 'Name') }, { label: t(ctx, 'Status') }],
    rows: [
      ...taxes.map(({ name, existing }) => row(t(ctx, 'Tax'), name[lang], status(existing))),
      ...positions.map(({ name, existing, replacement }) => {
        const isExtended = existing !== null && replacement !== null && hasNewTaxes;
        return row(
          t(ctx, 'Fiscal position'),
          name[lang],
          isExtended ? t(ctx, 'Already exists, new taxes added') : status(existing),
        );
      }),
      ...(main ? [row(t(ctx, 'Default sales tax'), main.name[lang], t(ctx, 'For new products'))] : []),
      ...products.map(({ name }) => row(t(ctx, 'Product'), name, t(ctx, 'Gets the default sales tax'))),
      ...(taxes.length === 0 ? [row(t(ctx, 'Tax'), t(ctx, 'None'), t(ctx, 'Products are sold without tax'))] : []),
    ],
  };
}

declare module 'pergola' {
  interface Models {
    'account.tax.setup': TaxSetup;
  }
}
