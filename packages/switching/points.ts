import { type Ctx, callable, contributionPoint, type Plan, type Sentence } from '@pergola/core';
import type { DataSet, Decimal } from '@pergola/orm';
import type { Declared } from './declared.ts';

/** One thing that a switch means for the people of a site. */
export interface Consequence {
  /** What `count` counts (`Open orders`), or without `count` a complete sentence. */
  readonly sentence: Sentence;
  /** Shown before the sentence. Consequences with 0 are left out. */
  readonly count?: number;
  /** Exact decimals by ISO 4217 currency, such as the total of these orders. */
  readonly amounts?: readonly { readonly amount: Decimal; readonly currency: string }[];
  /** Names of the records or people, or the first of many. */
  readonly names?: readonly string[];
  /** Whether people rely on this: the button then warns. */
  readonly stops?: boolean;
}

declare module '@pergola/core/contributions' {
  interface Contributions {
    /**
     * Records about the declarations of the enabled addons (groups, for example), as data with full external ids (`forum.group_moderator`).
     * Called in the switch's transaction whenever the set of enabled addons changes, after schema changes and before shipped data, which
     * may refer to them.
     */
    reflect: (ctx: Ctx, declared: Declared) => Promise<readonly DataSet[]>;
    /**
     * Effects of a switch on the people of the site, requested from every enabled addon beforehand: open orders, attendees of tomorrow, pages
     * with its blocks. `leaving` names the addons that will no longer be enabled. Read-only.
     *
     * ```ts
     * consequences: async (ctx, leaving) =>
     *   leaving.has('library')
     *     ? [{ count: await ctx.model(Loan).count([['returned', '=', false]]), sentence: sentence('Books on loan'), stops: true }]
     *     : [],
     * ```
     */
    consequences: (ctx: Ctx, leaving: ReadonlySet<string>, plan: Plan) => Promise<readonly Consequence[]>;
  }
}

export const reflect = contributionPoint('reflect', {
  shape: callable,
  build: ({ contributions }) => contributions,
});

export const consequences = contributionPoint('consequences', {
  shape: callable,
  build: ({ contributions }) => contributions,
});

/** Shipped records, demo records and migrations: files that a switch reads. */
const dataFiles = contributionPoint('data', { folders: ['data', 'demo', 'migrations'], build: () => null });

export const installPoints = [reflect, consequences, dataFiles];
