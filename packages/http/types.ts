import type { Config, ContextOptions, Ctx, Health, Log, Problem } from '@pergola/core';
import { type Generation, value } from '@pergola/core';
import type { Database } from '@pergola/db';
import type { FileStore } from '@pergola/files';
import type { PageCache } from '@pergola/page-cache';
import type { RateLimiter } from './rate-limits/types.ts';
import type { Guards } from './security/guards.ts';
import type { SessionStore } from './sessions/session.ts';

/**
 * What serving needs of the application; its tests bring a small one of their own.
 */
export interface HttpApplication {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  readonly files: FileStore;
  /** True from the moment the process has been told to stop: `/readyz` answers 503, new work is still served. */
  readonly draining: boolean;
  /** What keeps this node from serving as it should ("addon forum 1.2.0 is not on this disk"); empty when nothing does. Quick, never waits. */
  readonly unready: readonly string[];
  /** In development: what of the code is not served as it was saved, and why; else empty. */
  readonly problems: readonly Problem[];
  /** Holds the generation that serves now. */
  lease(): Lease;
  /** Called with the generation that serves from now on. Answers how to stop. */
  onSwitch(listener: (generation: Generation) => void): () => void;
  /** Runs `work` on the read pool in a context of its own, which is disposed afterwards. */
  read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs `work` in one write transaction and answers after the commit. `work` may run again from its beginning. */
  write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  readonly sessions: SessionStore;
  readonly guards: Guards;
  readonly limiter: RateLimiter;
  readonly pageCache: PageCache;
  readonly vitals: VitalSource;
}

/** Tells how a site is; cheap enough for probes, which get an answer of the last two seconds. */
export interface VitalSource {
  disks(): Promise<readonly DiskSpace[]>;
  /** @param isFresh asks anew, for people who look at it */
  read(isFresh?: boolean): Promise<Vitals>;
}

export const vitals = value<VitalSource>('vitals');

/** Room on a disk that the site writes to, in bytes. `full` has no room for a write, `low` runs out soon. */
export interface DiskSpace {
  readonly holds: readonly ('database' | 'files' | 'backups')[];
  readonly free: number;
  readonly size: number;
  readonly state: 'well' | 'low' | 'full';
}

/** What a site needs to go on. */
export interface Vitals extends Health {
  readonly disks: readonly DiskSpace[];
}

/** A generation that is not disposed before `release`: called once, when the response is closed *and* the handler has settled. */
export interface Lease {
  readonly generation: Generation;
  release(): void;
}
