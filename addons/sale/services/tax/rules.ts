import type { Ctx, Id, Ids } from '#core';
import { keyOf, readTaxes, remembered, taxMemory } from '../memories.ts';
import type { TaxRule } from './exact-taxes.ts';

/** What is needed of taxes to work them out, by id; those switched off as well, which old orders still name. */
export async function taxRules(ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, TaxRule>> {
  return ids.length === 0 ? new Map() : remembered(ctx, taxMemory, readTaxes, keyOf(ids));
}

/** The rules of these taxes; taxes that are gone are passed over. */
export function pick(rules: ReadonlyMap<Id, TaxRule>, ids: Ids): TaxRule[] {
  return ids.flatMap((id) => rules.get(id) ?? []);
}
