import { app, type Domain, type FieldsOf, type Id, type Ids, service } from 'pergola';
import { SaleHold } from '../../models/sale-hold.ts';
import { networkShare } from '../../settings.ts';
import { type LimitedResource, limitedResources, type Need } from './limited-resources.ts';

/** A need that exceeds the available quantity. */
export interface Shortage {
  readonly line: Id;
  readonly resource: string;
  readonly id: Id;
  readonly name: string;
  readonly wanted: number;
  /** Quantity available to the line. */
  readonly left: number;
}

/** An order with the network it was placed from; null if the network is shared by several visitors, or unknown. */
export interface NetworkOrder {
  readonly id: Id;
  readonly network: string | null;
}

/** Minimum number of seats or pieces a network may hold, however few are left: enough for a family. */
const MIN_SHARE = 4;

/**
 * Holds limited resources (seats, products in stock) for order lines. Availability is decided under locks, so that concurrent buyers never
 * get more than there is, on any number of nodes. A line's own hold never counts against it.
 *
 * ```
 * lock the resources ─▶ left − live holds of other lines ─▶ enough? ─▶ hold
 *                                                       └─ no ─▶ the shortages; nothing is held
 * ```
 *
 * Needs elevated rights, and a writing context for holding or locking.
 */
export class Stock extends service('sale.stock', { ctx: app.ctx, limited: limitedResources }) {
  /** Holds all needs of one call or none. Returns the shortages. */
  async hold(order: Id, needs: readonly Need[], until: Date): Promise<Shortage[]> {
    if (needs.length === 0) return [];
    const short = await this.shortages(needs, { order });
    if (short.length > 0) return short;
    await this.keep(order, needs, until);
    return [];
  }

  /**
   * Returns the needs that can't be met given other holds. Locks the resources unless `locked` is false, so that the result stays valid
   * until the transaction ends; doesn't wait for the lock of sold-out resources.
   *
   * @param order the order with these needs; null for a visitor without a cart
   */
  async shortages(
    needs: readonly Need[],
    { order = null, locked = true }: { readonly order?: Id | null; readonly locked?: boolean } = {},
  ): Promise<Shortage[]> {
    const resources = this.#byResource(needs);
    const [rows, ...short] = await Promise.all([
      locked ? this.#rowsOf(resources) : [],
      ...resources.map(([resource, resourceNeeds]) => this.#shortagesOf(resource, resourceNeeds, order)),
    ]);
    const shortages = short.flat();
    // Locks after reading: a concurrent change since the start of the transaction restarts it here.
    if (!shortages.some(({ left: available }) => available <= 0))
      for (const { model, ids } of rows) await this.ctx.lock(model, ids);
    return shortages;
  }

  /** Queues behind others that decide about the same resources, before anything is read; see `ctx.lineUp`. */
  async lineUp(needs: readonly Need[]): Promise<void> {
    for (const { model, ids } of await this.#rowsOf(this.#byResource(needs))) this.ctx.lineUp(model, ids);
  }

  /** Returns the quantity of each record that is neither sold nor held, for pages. Leaves out unlimited records. */
  async available(resource: string, ids: Ids): Promise<Map<Id, number>> {
    const remaining = (await this.#resource(resource)?.left(this.ctx, ids, null)) ?? new Map<Id, number | null>();
    const heldQuantities = await this.#heldByOthers(resource, ids, []);
    return new Map(
      [...remaining].flatMap(([id, number]) =>
        number === null ? [] : [[id, Math.max(0, number - (heldQuantities.get(id) ?? 0))] as const],
      ),
    );
  }

  /** Holds needs that were found to be available under lock, in this transaction. */
  async keep(order: Id, needs: readonly Need[], until: Date): Promise<void> {
    const holds = this.ctx.model(SaleHold);
    const existing = await holds.find([['line_id', 'in', [...new Set(needs.map(({ line }) => line))]]], {
      select: { line_id: true, resource: true, resource_id: true },
    });
    const byKey = new Map(existing.map((row) => [`${row.line_id}:${row.resource}:${row.resource_id}`, row.id]));
    const fresh: Need[] = [];
    for (const need of needs) {
      const key = `${need.line}:${need.resource}:${need.id}`;
      const id = byKey.get(key);
      byKey.delete(key);
      if (id === undefined) fresh.push(need);
      else await holds.write(id, { quantity: need.quantity, until });
    }
    // Deletes holds these lines no longer need.
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

  /** Releases the holds of orders. */
  async release(orders: Ids): Promise<void> {
    const holds = this.ctx.model(SaleHold);
    const ids = await holds.search([['order_id', 'in', orders]]);
    if (ids.length > 0) await holds.unlink(ids);
  }

  /** Extends the active holds of an order to a later time; never shortens them. */
  async extend(order: Id, until: Date): Promise<void> {
    const holds = this.ctx.model(SaleHold);
    const ids = await holds.search([
      ['order_id', '=', order],
      ['until', '>', this.ctx.now()],
      ['until', '<', until],
    ]);
    if (ids.length > 0) await holds.write(ids, { until });
  }

  /** Takes an order's needs permanently, replacing its holds, by means of the resources' addons. */
  async take(needs: readonly Need[]): Promise<void> {
    for (const [resource, resourceNeeds] of this.#byResource(needs)) await resource.take?.(this.ctx, resourceNeeds);
  }

  /** Returns the resources an order took. */
  async giveBack(needs: readonly Need[]): Promise<void> {
    for (const [resource, resourceNeeds] of this.#byResource(needs)) await resource.giveBack?.(this.ctx, resourceNeeds);
  }

  /**
   * Whether a placed order may hold its needs for longer: always if it is the only one of its network, otherwise within the network's
   * share; see {@link mayHold}.
   */
  async mayKeep(order: NetworkOrder): Promise<boolean> {
    if (order.network === null) return true;
    const holds = await this.ctx.model(SaleHold).find([['order_id', '=', order.id]], {
      select: { line_id: true, resource: true, resource_id: true, quantity: true },
    });
    const needs = holds.flatMap(({ line_id: line, resource, resource_id: id, quantity }) =>
      line === null ? [] : [{ line, resource, id, quantity }],
    );
    return this.#isWithinShare(order, needs, { states: ['sent'], only: 'unlimited' });
  }

  /**
   * Whether an order's network may hold these needs on top of its other carts and unpaid orders. A network gets a share of the remaining
   * quantity, and always enough seats for a family. Signed-in customers aren't limited. Decided under the locks of {@link shortages}.
   */
  mayHold(order: NetworkOrder, needs: readonly Need[]): Promise<boolean> {
    return this.#isWithinShare(order, needs, { states: ['draft', 'sent'], only: 'limited' });
  }

  async #isWithinShare(
    { id: order, network }: NetworkOrder,
    needs: readonly Need[],
    { states, only }: { readonly states: readonly ('draft' | 'sent')[]; readonly only: 'limited' | 'unlimited' },
  ): Promise<boolean> {
    if (network === null) return true;
    const share = await this.ctx.settings.get(networkShare);
    for (const [resource, resourceNeeds] of this.#byResource(needs)) {
      const ids = [...new Set(resourceNeeds.map(({ id }) => id))];
      const unpaidByNetwork = [
        ['order_id.network', '=', network],
        ['order_id.state', 'in', states],
      ] as const;
      const [remaining, heldByOthers, heldHere] = await Promise.all([
        resource.left(this.ctx, ids, order),
        this.#heldByOthers(resource.resource, ids, needs),
        this.#heldByOthers(resource.resource, ids, needs, unpaidByNetwork),
      ]);
      for (const [id, recordNeeds] of Map.groupBy(resourceNeeds, (need) => need.id)) {
        const number = remaining.get(id);
        if (number === null || number === undefined) continue;
        const heldByNetwork = heldHere.get(id) ?? 0;
        if (heldByNetwork === 0 && only === 'unlimited') continue;
        const free = number - (heldByOthers.get(id) ?? 0) + heldByNetwork;
        const maxShare = Math.max(MIN_SHARE, Math.floor((free * share) / 100));
        if (heldByNetwork + recordNeeds.reduce((sum, { quantity }) => sum + quantity, 0) > maxShare) return false;
      }
    }
    return true;
  }

  async #shortagesOf(resource: LimitedResource, needs: readonly Need[], order: Id | null): Promise<Shortage[]> {
    const ids = [...new Set(needs.map(({ id }) => id))];
    const [remaining, heldByOthers] = await Promise.all([
      resource.left(this.ctx, ids, order),
      this.#heldByOthers(resource.resource, ids, needs),
    ]);
    const short: { need: Need; left: number }[] = [];
    for (const [id, recordNeeds] of Map.groupBy(needs, (need) => need.id)) {
      const number = remaining.get(id);
      if (number === null || number === undefined) continue;
      let free = Math.max(0, number - (heldByOthers.get(id) ?? 0));
      for (const need of recordNeeds) {
        if (need.quantity > free) short.push({ need, left: free });
        free = Math.max(0, free - need.quantity);
      }
    }
    if (short.length === 0) return [];
    const names = await resource.names(
      this.ctx,
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

  /** Sums active holds by record, except holds of the requesting lines; a domain limits them to some orders. */
  async #heldByOthers(
    resource: string,
    ids: Ids,
    needs: readonly Need[],
    domain: Domain<FieldsOf<SaleHold>> = [],
  ): Promise<Map<Id, number>> {
    const groups = await this.ctx
      .model(SaleHold)
      .group(
        [
          ['resource', '=', resource],
          ['resource_id', 'in', ids],
          ['until', '>', this.ctx.now()],
          ['line_id', 'not in', [...new Set(needs.map(({ line }) => line))]],
          ...domain,
        ],
        { by: ['resource_id'], aggregates: ['quantity:sum'] },
      );
    return new Map(groups.map((group) => [Number(group.resource_id), Number(group['quantity:sum'])]));
  }

  /** Returns the rows to lock while availability is decided. */
  #rowsOf(resources: readonly [LimitedResource, Need[]][]) {
    return Promise.all(
      resources.map(([resource, resourceNeeds]) =>
        resource.lock(
          this.ctx,
          resourceNeeds.map(({ id }) => id),
        ),
      ),
    );
  }

  #resource(name: string): LimitedResource | undefined {
    return this.limited.find(({ resource }) => resource === name);
  }

  /** Sorts the resources: with a common order, two buyers of the same two items can't deadlock. */
  #byResource(needs: readonly Need[]): [LimitedResource, Need[]][] {
    return [...Map.groupBy(needs, ({ resource }) => resource)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, resourceNeeds]): [LimitedResource, Need[]][] => {
        const resource = this.#resource(name);
        return resource ? [[resource, resourceNeeds]] : [];
      });
  }
}
