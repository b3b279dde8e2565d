import type { CodeAccount, Config, ContextOptions, Ctx, Health, Log, Problem } from '@pergola/core';
import { type Generation, value } from '@pergola/core';
import type { Database } from '@pergola/db';
import type { FileStore } from '@pergola/files';
import type { PageCache } from '@pergola/page-cache';
import type { RateLimiter } from './rate-limits/types.ts';
import type { Guards } from './security/guards.ts';
import type { SessionStore } from './sessions/session.ts';

/** The part of the application that the HTTP server needs; tests provide a small implementation. */
export interface HttpApplication {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  readonly files: FileStore;
  /** True once the process is shutting down: `/readyz` returns 503, new requests are still served. */
  readonly draining: boolean;
  /** Reasons why this node can't serve properly ("addon forum 1.2.0 is not on this disk"); empty if it can. Quick, never waits. */
  readonly unready: readonly string[];
  /** In development: code that isn't served as it was saved, and why; otherwise empty. */
  readonly problems: readonly Problem[];
  /** Holds the current generation. */
  lease(): Lease;
  /** Calls the listener with each generation that starts serving. Returns a function that unsubscribes. */
  onSwitch(listener: (generation: Generation) => void): () => void;
  /** Runs `work` on the read pool in a new context, which is disposed afterwards. */
  read<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs `work` in one write transaction and returns after the commit. `work` may be retried from the start. */
  write<T>(options: ContextOptions, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  readonly sessions: SessionStore;
  readonly guards: Guards;
  readonly limiter: RateLimiter;
  readonly pageCache: PageCache;
  readonly vitals: VitalSource;
  /** Opens an account of what a request costs; null to leave it out. */
  openAccount(work: 'session' | 'visitor'): CodeAccount | null;
}

/** Reports the health of a site; cheap enough for probes, which get results up to two seconds old. */
export interface VitalSource {
  disks(): Promise<readonly DiskSpace[]>;
  /** @param isFresh skips the cache, for people looking at the figures */
  read(isFresh?: boolean): Promise<Vitals>;
}

export const vitals = value<VitalSource>('vitals');

/** Space on a disk used by the site, in bytes. `full`: no space for writes; `low`: nearly full. */
export interface DiskSpace {
  readonly holds: readonly ('database' | 'files' | 'backups')[];
  readonly free: number;
  readonly size: number;
  readonly state: 'well' | 'low' | 'full';
}

/** Resources a site needs to keep running. */
export interface Vitals extends Health {
  readonly disks: readonly DiskSpace[];
}

/** A generation that isn't disposed before `release`, which is called once, when the response is closed *and* the handler has settled. */
export interface Lease {
  readonly generation: Generation;
  release(): void;
}
