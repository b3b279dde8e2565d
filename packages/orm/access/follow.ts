import type { Ctx } from '@pergola/core';
import { writtenOut } from '../domain/parse.ts';
import { modelRegistry } from '../registry-key.ts';
import type { Domain, FieldsOf, ModelRef } from '../types.ts';
import type { Operation } from './compiled.ts';
import { type RecordRule, type Rights, rule } from './define.ts';
import { guardFor } from './guard.ts';

/**
 * Rules for records that belong to a record of another model, such as lines of an order: users who may read the parent may read them, and
 * users who may write the parent may create, change and delete them. The model's other rules apply to records without a parent.
 *
 * ```ts
 * rules: [...followRules('sale.lines_of_orders', SaleOrderLine, 'order_id')]
 * ```
 *
 * `readers` and `writers` override the operations allowed to these users.
 */
export function followRules<I>(
  id: string,
  model: ModelRef<I>,
  field: keyof FieldsOf<I> & string,
  { readers = 'r', writers = 'wcd' }: { readonly readers?: Rights; readonly writers?: Rights } = {},
): RecordRule[] {
  const domainFor = (operation: Operation) => async (ctx: Ctx) =>
    (await domainThrough(ctx, model.modelName, field, operation)) as Domain<FieldsOf<I>>;
  const read = rule(`${id}_read`, model, { operations: readers, domain: domainFor('read') });
  const write = rule(`${id}_written`, model, { operations: writers, domain: domainFor('write') });
  return [read, write].filter((recordRule) => recordRule.operations !== '');
}

async function domainThrough(
  ctx: Ctx,
  model: string,
  field: string,
  operation: Operation,
): Promise<readonly unknown[]> {
  const registry = ctx.get(modelRegistry);
  const link = registry.get(model)?.fields.get(field);
  const target = link?.relation?.to;
  if (!link || !target) throw new Error(`“${field}” of “${model}” leads to no record that could be followed.`);
  const domain = writtenOut(await guardFor(ctx, registry, target, operation), field);
  return link.required || domain.length === 0 ? domain : ['|', [field, '=', null], ...domain];
}
