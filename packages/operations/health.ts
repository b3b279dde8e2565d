import { liveNodes, type NodeInfo } from '@pergola/cluster';
import { type Ctx, contextTools, neverKept, values } from '@pergola/core';
import { type DatabaseMetrics, databaseSession } from '@pergola/db';
import { type Vitals, vitals } from '@pergola/http';
import { uploadLimitsOf } from './upload-limits.ts';

/** Health of the site, as seen by the current process. */
export interface SystemHealth {
  readonly database: {
    readonly kind: 'sqlite' | 'postgres';
    readonly well: boolean;
    readonly figures: DatabaseMetrics;
  };
  readonly process: {
    readonly node: string;
    readonly pid: number;
    /** Version of Node.js. */
    readonly runtime: string;
    readonly upSeconds: number;
    /** Resident, in bytes. */
    readonly memory: number;
  };
  /** Serving generation and its languages. */
  readonly generation: number;
  readonly languages: readonly string[];
  /** Bytes of all files, and their limit; null: no limit but disk space. */
  readonly files: { readonly used: number; readonly most: number | null };
  /** Null while the database doesn't respond. */
  readonly vitals: Vitals | null;
  readonly production: boolean;
  /** All processes that serve the site. */
  readonly nodes: readonly NodeInfo[];
}

/** Health of the site. The caller checks access. */
export async function systemHealth(ctx: Ctx): Promise<SystemHealth> {
  neverKept(ctx, 'it shows the state of the system');
  const { database } = ctx.get(databaseSession);
  const { generation } = ctx.get(contextTools);
  const well = await database.health().catch(() => false);
  return {
    database: { kind: database.dialect, well, figures: database.metrics() },
    process: {
      node: ctx.config.nodeId,
      pid: process.pid,
      runtime: process.version,
      upSeconds: Math.round(process.uptime()),
      memory: process.memoryUsage.rss(),
    },
    generation: Math.floor(generation.number),
    languages: generation.get(values.languages),
    files: { used: await ctx.files.usedBytes(), most: (await uploadLimitsOf(ctx)).total },
    vitals: await ctx
      .get(vitals)
      .read(true)
      .catch(() => null),
    production: ctx.config.production,
    nodes: await liveNodes(database),
  };
}
