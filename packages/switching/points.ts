import { type Ctx, callable, contributionPoint, type Plan, type Sentence } from '@pergola/core';
import type { DataSet } from '@pergola/orm';
import type { Declared } from './declared.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /**
     * Records about what the enabled addons declare (groups, say), as data with full external ids (`forum.group_moderator`). Asked in the
     * switch's transaction whenever the set of enabled addons changes, after the schema and before shipped data, which may refer to them.
     */
    reflect: (ctx: Ctx, declared: Declared) => Promise<readonly DataSet[]>;
    /**
     * More sentences for the plan of a switch, asked of every enabled addon before anything is done: what the switch means for records that only
     * this addon knows (pages whose address a new route takes). Reads only.
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

/** Shipped and demo records, and migrations: files, which a switch reads. */
const dataFiles = contributionPoint('data', { folders: ['data', 'demo', 'migrations'], build: () => null });

export const installPoints = [reflect, planNotes, dataFiles];
