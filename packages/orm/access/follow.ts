import type { Ctx } from '@pergola/core';
import { writtenOut } from '../domain/parse.ts';
import { modelRegistry } from '../registry-key.ts';
import type { Domain, FieldsOf, ModelRef } from '../types.ts';
import type { Operation } from './compiled.ts';
import { type RecordRule, type Rights, rule } from './define.ts';
import { guardFor } from './guard.ts';

/**
 * Rules for records that belong to one of another model, as lines do to their order: they are seen by whoever may read that one, and made, changed and
 * deleted by whoever may write it. What belongs to none is for the model's other rules.
 *
 * ```ts
 * rules: [...followRules('sale.lines_of_orders', SaleOrderLine, 'order_id')]
 * ```
 *
 * `readers` and `writers` say otherwise what those two may do.
 */
export function followRules<I>(
  id: string,
  model: ModelRef<I>,
  field: keyof FieldsOf<I> & string,
  { readers = 'r', writers = 'wcd' }: { readonly readers?: Rights; readonly writers?: Rights } = {},
): RecordRule[] {
  const through = (operation: Operation) => async (ctx: Ctx) =>
    (await domainThrough(ctx, model.modelName, field, operation)) as Domain<FieldsOf<I>>;
  const read = rule(`${id}_read`, model, { operations: readers, domain: through('read') });
  const written = rule(`${id}_written`, model, { operations: writers, domain: through('write') });
  return [read, written].filter((one) => one.operations !== '');
}

async function domainThrough(
  ctx: Ctx,
  model: string,
  field: string,
  operation: Operation,
): Promise<readonly unknown[]> {
  const registry = ctx.get(modelRegistry);
  const held = registry.get(model)?.fields.get(field);
  const target = held?.relation?.to;
  if (!held || !target) throw new Error(`“${field}” of “${model}” leads to no record that could be followed.`);
  const domain = writtenOut(await guardFor(ctx, registry, target, operation), field);
  return held.required || domain.length === 0 ? domain : ['|', [field, '=', null], ...domain];
}
