import { type Ctx, type Id, type Ids, listPoint, type ModelRef } from 'pergola';

/** Something of which there are only so many: products in stock, seats. */
export interface LimitedResource {
  /** The name of the model whose records are limited: `product.product`, `event.event.ticket`. */
  readonly resource: string;
  /** The model whose records are locked while somebody decides, and which of them: the row that holds the number, say. */
  lock(ctx: Ctx, ids: Ids): Promise<{ readonly model: ModelRef; readonly ids: Ids }>;
  /**
   * How many of each are left once sold ones are subtracted, but not holds. Unlimited ones are left out or null. Called with rights lifted.
   *
   * @param order the order that asks: what is reserved for it is left for it; null for pages
   */
  left(ctx: Ctx, ids: Ids, order: Id | null): Promise<ReadonlyMap<Id, number | null>>;
  /** What the customer calls each, for sentences about what is short. */
  names(ctx: Ctx, ids: Ids): Promise<ReadonlyMap<Id, string>>;
  /** Takes what an order confirmed, for good. Nothing where the sold ones are counted otherwise. */
  take?(ctx: Ctx, needs: readonly Need[]): Promise<void>;
  /** Gives back what an order took that is cancelled. */
  giveBack?(ctx: Ctx, needs: readonly Need[]): Promise<void>;
}

/** What a line of an order needs of something limited. */
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

/** Where addons say what of theirs is limited. */
export const limitedResources = listPoint('limitedResources');
