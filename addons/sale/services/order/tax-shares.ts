import type { Ctx, Id, Minor } from '#core';
import { AccountTax } from '../../models/account-tax.ts';
import { SaleOrder } from '../../models/sale-order.ts';

/** One tax over an order, as documents show it. */
export interface TaxShare {
  readonly label: string;
  readonly base: Minor;
  readonly amount: Minor;
}

/** The taxes of an order the caller may read, with their labels in the context's language. */
export async function taxShares(ctx: Ctx, id: Id): Promise<TaxShare[]> {
  const { tax_sums } = await ctx.model(SaleOrder).get(id, { select: { tax_sums: true } });
  const sums = tax_sums ?? [];
  const taxes = await ctx
    .sudo() // Whoever may read the order may know what its taxes are called.
    .model(AccountTax)
    .find(
      [
        ['id', 'in', sums.map(({ tax }) => tax)],
        ['active', 'in', [true, false]],
      ],
      { select: { name: true, description: true } },
    );
  const labels = new Map(taxes.map((tax) => [tax.id, tax.description ?? tax.name]));
  return sums.map(({ tax, base, amount }) => ({ label: labels.get(tax) ?? '', base, amount }));
}
