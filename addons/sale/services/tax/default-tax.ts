import { User } from '@pergola/base';
import { type Ctx, type Id, kept } from 'pergola';
import { SaleCompany } from '../../models/res-company.ts';
import { OrderDefaults } from '../orders/order-defaults.ts';

/** Default sales tax of a company; null if it is missing or archived. */
export const companyTax = kept('sale.company_tax', async (ctx: Ctx, company: Id): Promise<Id | null> => {
  const [row] = await ctx.model(SaleCompany).read([company], { select: { account_sale_tax_id: { active: true } } });
  return row?.account_sale_tax_id?.active ? row.account_sale_tax_id.id : null;
});

/**
 * Returns the taxes of a new product.
 *
 * @param company the product's company; null for a product of all companies, which gets the tax of the user's company
 * @returns the default sales tax as a list, or null if it is missing
 */
export async function defaultTaxes(ctx: Ctx, company: Id | null): Promise<Id[] | null> {
  const system = ctx.sudo(); // Every user who may create a product needs its tax.
  const tax = await companyTax.get(system, company ?? (await sellingCompany(system)));
  return tax === null ? null : [tax];
}

/** Returns the signed-in user's company, or the main company. Needs elevated rights. */
export async function sellingCompany(system: Ctx): Promise<Id> {
  const [user] =
    system.user.id === null ? [] : await system.model(User).read([system.user.id], { select: { company_id: true } });
  return user?.company_id ?? system.get(OrderDefaults).mainCompany();
}
