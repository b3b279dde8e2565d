import { type Ctx, callable, contributionPoint, type Plan, type Sentence } from '@pergola/core';
import type { DataSet } from '@pergola/orm';
import type { Declared } from './declared.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /**
     * Records about the declarations of the enabled addons (groups, for example), as data with full external ids (`forum.group_moderator`).
     * Called in the switch's transaction whenever the set of enabled addons changes, after schema changes and before shipped data, which
     * may refer to them.
     */
    reflect: (ctx: Ctx, declared: Declared) => Promise<readonly DataSet[]>;
    /**
     * Additional sentences for the plan of a switch, requested from every enabled addon beforehand: effects on records that only this addon
     * understands (pages whose address is taken by a new route). Read-only.
     */
    planNotes: (ctx: Ctx, plan: Plan) => Promise<readonly Sentence[]>;
  }
}

export const reflect = contributionPoint('reflect', {
  shape: callable,
  build: ({ contributions }) => contributions,
});

export const planNotes = contributionPoint('planNotes', {
  shape: callable,
  build: ({ contributions }) => contributions,
});

/** Shipped records, demo records and migrations: files that a switch reads. */
const dataFiles = contributionPoint('data', { folders: ['data', 'demo', 'migrations'], build: () => null });

export const installPoints = [reflect, planNotes, dataFiles];
