import { breakers, breakersPart, clusterPart, nodes } from '@pergola/cluster';
import { codeMeter, contexts, definePart, generations, type PartHost, value } from '@pergola/core';
import { database, dbPart } from '@pergola/db';
import type { JobDefinition } from './define.ts';
import { type JobHealth, overdueJobs } from './health.ts';
import { jobs } from './point.ts';
import { createJobQueue } from './queue.ts';
import { tables } from './tables.ts';
import { type JobLease, JobWorker } from './worker.ts';

export const jobWorker = value<JobWorker>('job worker');

/** Time for running jobs to finish when the process stops, in ms. */
const STOP_MS = 5_000;

/** Work outside requests, queued in the database and run by any node. */
export const jobsPart = definePart({
  name: 'jobs',
  needs: [dbPart, clusterPart, breakersPart],
  points: [jobs],
  tables,
  provide(host) {
    const { log, parts, get, set } = host;
    const clockRepair = parts.map((part) => part.clockRepair?.(host)).find((job) => job !== undefined);
    const ownJobs: readonly JobDefinition[] = [
      ...parts.flatMap((part) => part.jobs?.(host) ?? []),
      ...(clockRepair ? [clockRepair as JobDefinition] : []),
    ];
    set(
      jobWorker,
      new JobWorker({
        breakers: get(breakers),
        database: get(database),
        log,
        nodeId: get(nodes).instance,
        clockRepair,
        openAccount: () => get(codeMeter).open('job'),
        host: { lease: () => leaseOf(host, ownJobs) },
      }),
    );
  },
  context: { jobs: createJobQueue },
  health: async ({ get }) => ({ jobs: await overdueJobs(get(database)) }),
  phases: {
    ready: ({ get }) => get(jobWorker).start(),
    stop: ({ get }) => get(jobWorker).stop(STOP_MS),
  },
});

function leaseOf({ get }: PartHost, ownJobs: readonly JobDefinition[]): JobLease {
  const { generation, release } = get(generations).acquire();
  const all = [...ownJobs, ...generation.get(jobs)];
  const options = get(contexts).systemOptions(generation, 'job');
  return {
    jobs: new Map(all.map((job) => [job.name, job])),
    read: (work) => get(contexts).read(options, work),
    write: (work) => get(contexts).write(options, work),
    release,
  };
}

declare module '@pergola/core/part' {
  interface Health {
    readonly jobs?: JobHealth;
  }
  interface PartOptions {
    /** Jobs of the part itself. */
    // biome-ignore lint/suspicious/noExplicitAny: jobs of any input
    readonly jobs?: (host: PartHost) => readonly JobDefinition<any>[];
    /** Queued after the clock turns out to have been ahead. */
    readonly clockRepair?: (host: PartHost) => JobDefinition<Record<string, never>>;
    /** Times in the part's own tables that the repair moves back. */
    readonly clockStamps?: readonly ClockStamps[];
  }
}

/** Timestamps stored in the rows of a table. */
export interface ClockStamps {
  readonly table: string;
  /** When the row was written. */
  readonly stamp: string;
  readonly columns: readonly string[];
}
