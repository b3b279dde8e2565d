import type { Ctx, Id, Ids, Minor } from '#core';
import { SaleOrder } from '../../models/sale-order.ts';
import { keyOf, readTaxLabels, remembered, taxLabelMemory } from '../memories.ts';

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
  const labels = await taxLabels(
    ctx,
    sums.map(({ tax }) => tax),
  );
  return sums.map(({ tax, base, amount }) => ({ label: labels.get(tax) ?? '', base, amount }));
}

/** What taxes are called on pages and documents, in the context's language. */
export async function taxLabels(ctx: Ctx, taxes: Ids): Promise<ReadonlyMap<Id, string>> {
  // Whoever may read an order may know what its taxes are called.
  return remembered(ctx.sudo(), taxLabelMemory, readTaxLabels, `${ctx.lang}:${keyOf(taxes)}`);
}
