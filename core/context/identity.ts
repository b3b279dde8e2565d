import type { Id } from '../base/index.ts';
import type { Ctx, Identity } from './context.ts';

/** How users are found; provided once, by addon base. */
export interface IdentityProvider {
  /** The identity of a user, or null when it is gone or disabled. Rows it reads are followed: a change is seen by the next call on every node (C16). */
  load(ctx: Ctx, userId: Id): Promise<Identity | null>;
  /** Everybody who has not signed in. */
  anonymous(ctx: Ctx): Promise<Identity>;
}
