import { Company } from '@pergola/base';
import type { Ctx, Id, Ids, RawDomain } from 'pergola';
import { companyTax, defaultTaxes, sellingCompany } from './default-tax.ts';

/** Whether a product has no tax although its company has a default one. Publishing it must be confirmed; a 0 % tax marks it as intended. */
export async function lacksTax(
  ctx: Ctx,
  { taxes_id, company_id }: { readonly taxes_id: Ids; readonly company_id: Id | null },
): Promise<boolean> {
  return taxes_id.length === 0 && (await defaultTaxes(ctx, company_id)) !== null;
}

/**
 * Returns the domain of products matching `lacksTax`.
 *
 * @param path fields from the searched model to the product, with a dot at the end
 */
export async function lackingTax(ctx: Ctx, path = ''): Promise<RawDomain> {
  const system = ctx.sudo(); // It is no secret which companies have a default tax.
  const mainCompany = await sellingCompany(system);
  const companies: (Id | null)[] = [];
  for (const company of await system.model(Company).search([])) {
    if ((await companyTax.get(system, company)) === null) continue;
    companies.push(company, ...(company === mainCompany ? [null] : []));
  }
  return [
    [`${path}taxes_id`, '=', null],
    [`${path}company_id`, 'in', companies],
  ];
}
