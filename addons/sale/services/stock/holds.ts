import type { Ctx, Id, Ids } from '#core';
import { SaleHold } from '../../models/sale-hold.ts';
import { type LimitedResource, type Need, resourcesOf } from './resource.ts';

/** Something there is too little of. */
export interface Shortage {
  readonly line: Id;
  readonly resource: string;
  readonly id: Id;
  readonly name: string;
  readonly wanted: number;
  /** How many the line could have. */
  readonly left: number;
}

/**
 * Holds for lines of orders, on whatever is limited. The whole of it runs under locks on what is limited, so of any number of buyers at once none gets
 * more than there is, whichever node they are on; what a line holds itself is never counted against it.
 *
 * ```
 * lock what is limited ─▶ left − live holds of other lines ─▶ enough? ─▶ hold
 *                                                        └─ no ─▶ the shortages; nothing is held
 * ```
 *
 * Needs a context that writes, with rights lifted. All needs of one call are decided together: either all are held, or none.
 */
export async function hold(ctx: Ctx, order: Id, needs: readonly Need[], until: Date): Promise<Shortage[]> {
  if (needs.length === 0) return [];
  const short = await shortages(ctx, needs);
  if (short.length > 0) return short;
  await keep(ctx, order, needs, until);
  return [];
}

/**
 * Which needs cannot be met beside what others hold. Locks what is limited unless told otherwise, so that the answer stays true until the transaction
 * ends.
 */
export async function shortages(
  ctx: Ctx,
  needs: readonly Need[],
  { locked = true }: { readonly locked?: boolean } = {},
): Promise<Shortage[]> {
  const found: Shortage[] = [];
  const resources = resourcesOf(ctx);
  // One order for everybody: two buyers of the same two things never wait for each other in a circle.
  const byResource = [...Map.groupBy(needs, ({ resource }) => resource)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, wanted] of byResource) {
    const resource = resources.get(name);
    if (resource) found.push(...(await shortOf(ctx, resource, wanted, locked)));
  }
  return found;
}

async function shortOf(
  ctx: Ctx,
  resource: LimitedResource,
  needs: readonly Need[],
  locked: boolean,
): Promise<Shortage[]> {
  const ids = [...new Set(needs.map(({ id }) => id))].sort((a, b) => a - b);
  if (locked) {
    const rows = await resource.lock(ctx, ids);
    await ctx.lock(rows.model, rows.ids);
  }
  const left = await resource.left(ctx, ids);
  const others = await heldByOthers(ctx, resource.resource, ids, needs);
  const short: { need: Need; left: number }[] = [];
  for (const [id, wanted] of Map.groupBy(needs, (need) => need.id)) {
    const number = left.get(id);
    if (number === null || number === undefined) continue;
    let free = Math.max(0, number - (others.get(id) ?? 0));
    for (const need of wanted) {
      if (need.quantity > free) short.push({ need, left: free });
      free = Math.max(0, free - need.quantity);
    }
  }
  if (short.length === 0) return [];
  const names = await resource.names(
    ctx,
    short.map(({ need }) => need.id),
  );
  return short.map(({ need, left: free }) => ({
    line: need.line,
    resource: need.resource,
    id: need.id,
    name: names.get(need.id) ?? '',
    wanted: need.quantity,
    left: free,
  }));
}

/** Live holds by record, without those of the lines that ask. */
async function heldByOthers(ctx: Ctx, resource: string, ids: Ids, needs: readonly Need[]): Promise<Map<Id, number>> {
  const groups = await ctx.model(SaleHold).group(
    [
      ['resource', '=', resource],
      ['resource_id', 'in', ids],
      ['until', '>', ctx.now()],
      ['line_id', 'not in', [...new Set(needs.map(({ line }) => line))]],
    ],
    { by: ['resource_id'], aggregates: ['quantity:sum'] },
  );
  return new Map(groups.map((group) => [Number(group.resource_id), Number(group['quantity:sum'])]));
}

/** How many of each are neither sold nor held by anybody now; for pages. Those that are not limited are left out. */
export async function available(ctx: Ctx, resource: string, ids: Ids): Promise<Map<Id, number>> {
  const system = ctx.sudo(); // How many are left is for everybody to see; whose they are is not shown.
  const left = (await resourcesOf(ctx).get(resource)?.left(system, ids)) ?? new Map<Id, number | null>();
  const held = await heldByOthers(system, resource, ids, []);
  return new Map(
    [...left].flatMap(([id, number]) =>
      number === null ? [] : [[id, Math.max(0, number - (held.get(id) ?? 0))] as const],
    ),
  );
}

/** Holds what was found to be there under its lock, in this transaction. */
export async function keep(ctx: Ctx, order: Id, needs: readonly Need[], until: Date): Promise<void> {
  const holds = ctx.model(SaleHold);
  const there = await holds.find([['line_id', 'in', [...new Set(needs.map(({ line }) => line))]]], {
    select: { line_id: true, resource: true, resource_id: true },
  });
  const byKey = new Map(there.map((row) => [`${row.line_id}:${row.resource}:${row.resource_id}`, row.id]));
  const fresh: Need[] = [];
  for (const need of needs) {
    const key = `${need.line}:${need.resource}:${need.id}`;
    const id = byKey.get(key);
    byKey.delete(key);
    if (id === undefined) fresh.push(need);
    else await holds.write(id, { quantity: need.quantity, until });
  }
  // What these lines held and no longer need.
  await holds.unlink([...byKey.values()]);
  await holds.create(
    fresh.map(({ line, resource, id, quantity }) => ({
      order_id: order,
      line_id: line,
      resource,
      resource_id: id,
      quantity,
      until,
    })),
  );
}

/** Lets go what an order holds. */
export async function release(ctx: Ctx, orders: Ids): Promise<void> {
  const holds = ctx.model(SaleHold);
  const ids = await holds.search([['order_id', 'in', orders]]);
  if (ids.length > 0) await holds.unlink(ids);
}

/** Keeps what an order holds, and still holds, until a later moment; nothing is held less long than before. */
export async function extendHolds(ctx: Ctx, order: Id, until: Date): Promise<void> {
  const holds = ctx.model(SaleHold);
  const ids = await holds.search([
    ['order_id', '=', order],
    ['until', '>', ctx.now()],
    ['until', '<', until],
  ]);
  if (ids.length > 0) await holds.write(ids, { until });
}
