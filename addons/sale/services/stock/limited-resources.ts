import { type Ctx, type Id, type Ids, listPoint, type ModelRef } from 'pergola';

/** A limited resource, such as products in stock or seats. */
export interface LimitedResource {
  /** Name of the model whose records are limited: `product.product`, `event.event.ticket`. */
  readonly resource: string;
  /** Model and records to lock while availability is decided, such as the row with the quantity. */
  lock(ctx: Ctx, ids: Ids): Promise<{ readonly model: ModelRef; readonly ids: Ids }>;
  /**
   * Returns the remaining quantity of each record: minus sold ones, but not holds. Unlimited records are missing or null. Called with
   * elevated rights.
   *
   * @param order the requesting order, whose own reservations count as available; null for pages
   */
  left(ctx: Ctx, ids: Ids, order: Id | null): Promise<ReadonlyMap<Id, number | null>>;
  /** Names of the records for customers, used in messages about shortages. */
  names(ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, string>>;
  /** Takes the needs of a confirmed order permanently. Not needed if sold pieces are counted otherwise. */
  take?(ctx: Ctx, needs: readonly Need[]): Promise<void>;
  /** Returns the resources of a cancelled order. */
  giveBack?(ctx: Ctx, needs: readonly Need[]): Promise<void>;
}

/** Need of an order line for a limited resource. */
export interface Need {
  readonly line: Id;
  readonly resource: string;
  readonly id: Id;
  readonly quantity: number;
}

declare module 'pergola/contributions' {
  interface Contributions {
    limitedResources: readonly LimitedResource[];
  }
}

/** Contribution point for limited resources of addons. */
export const limitedResources = listPoint('limitedResources');
