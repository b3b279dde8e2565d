import type { Ctx, Id, Ids } from '#core';
import { AccountTax } from '../../models/account-tax.ts';
import type { TaxRule } from './exact-taxes.ts';

const select = {
  type: true,
  amount: true,
  price_include: true,
  include_base_amount: true,
  sequence: true,
} as const;

/** What is needed of taxes to work them out, by id; those switched off as well, which old orders still name. */
export async function taxRules(ctx: Ctx, ids: Ids): Promise<Map<Id, TaxRule>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await ctx.model(AccountTax).find(
    [
      ['id', 'in', wanted],
      ['active', 'in', [true, false]],
    ],
    { select },
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The rules of these taxes; taxes that are gone are passed over. */
export function pick(rules: ReadonlyMap<Id, TaxRule>, ids: Ids): TaxRule[] {
  return ids.flatMap((id) => rules.get(id) ?? []);
}
