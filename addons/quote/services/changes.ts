import { type Ctx, type Id, z } from 'pergola';
import { QuotedOrder } from '../models/sale-order.ts';

/** Session key for the changes found by the visitor's last attempt to accept. */
const REFUSED = 'quote_refused';
const refusedShape = z.object({ order: z.number(), version: z.string(), changes: z.array(z.string()) });

/** Stores differences from the version the customer saw, for the page after a refused acceptance. */
export async function keepChanges(system: Ctx, order: Id, changes: readonly string[]): Promise<void> {
  if (changes.length === 0 && system.session.get(REFUSED) === undefined) return;
  const { version } = await system.model(QuotedOrder).get(order, { select: { version: true } });
  const shortened = changes.map((text) => text.slice(0, 1_000));
  system.session.set(REFUSED, changes.length === 0 ? undefined : { order, version, changes: shortened });
}

/** Returns what had changed when the visitor last tried to accept this version of a quotation; empty if nothing had. */
export function keptChanges(system: Ctx, order: Id, version: string): readonly string[] {
  const { data } = refusedShape.safeParse(system.session.get(REFUSED));
  return data?.order === order && data.version === version ? data.changes : [];
}
