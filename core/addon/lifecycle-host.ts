import type { Follower } from '../cluster/follow.ts';
import type { GenerationHolder } from '../cluster/generation-holder.ts';
import type { Leases } from '../cluster/lease.ts';
import type { Nodes } from '../cluster/nodes.ts';
import type { Config } from '../config.ts';
import type { Connection, Database } from '../db/types.ts';
import type { BuildResult } from '../generation-builder.ts';
import type { Addon } from '../kernel/addon.ts';
import type { Discovery } from '../kernel/discover.ts';
import type { Generation } from '../kernel/generation.ts';
import type { Log } from '../log.ts';
import type { OwnedContext } from '../request-context.ts';
import type { GenerationRecord } from './generation-store.ts';
import type { LeftOut } from './world.ts';

/** What switches need of the application. */
export interface LifecycleParts {
  readonly database: Database;
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'demo'>;
  readonly log: Log;
  readonly holder: GenerationHolder<Generation>;
  readonly leases: Leases;
  readonly nodes: Pick<Nodes, 'acknowledged'>;
  /** The addons on this machine, as they were loaded. */
  readonly discovery: Discovery;
  /** Builds and checks a generation of these addons; it is not served yet. */
  build(record: GenerationRecord, addons: readonly Addon[]): Promise<BuildResult>;
  /** The same for the start: without the addons that cannot be built, and those that need them. */
  buildWithoutBroken(
    record: GenerationRecord,
    addons: readonly Addon[],
  ): Promise<BuildResult & { readonly leftOut: LeftOut }>;
  /** A context of the system on a generation, with rights lifted. It writes where the connection is a transaction. */
  context(generation: Generation, connection: Connection): OwnedContext;
  /** Languages texts are kept in, the default one first, as the database says; null before there are any. */
  languages(connection: Connection): Promise<readonly string[] | null>;
  /** Told when the site moved on to versions of addons that only a fresh process can load; not at the start. */
  readonly onOutdated?: () => void;
  /** When the code of any addon on this machine changed last. */
  readonly codeStamp?: () => Promise<number>;
}

/** The same with what keeps this process on the newest generation. */
export interface LifecycleHost extends LifecycleParts {
  readonly follower: Pick<Follower, 'check' | 'exclusively'>;
}
