import type { Leases, Nodes } from '@pergola/cluster';
import type { Discovery, Generation, GenerationHolder, Log, OwnedContext } from '@pergola/core';
import type { Connection, Database } from '@pergola/db';

/** The part of the application used for storing switches. */
export interface InstallHost {
  readonly database: Database;
  /** DATA_DIR */
  readonly dataDir: string;
  /** Folders that contain addons, besides the repository's. */
  readonly addonsPath: readonly string[];
  readonly log: Log;
  readonly holder: GenerationHolder<Generation>;
  readonly leases: Leases;
  readonly nodes: Pick<Nodes, 'acknowledged'>;
  readonly discovery: Discovery;
  /** A system context on a generation, with elevated rights. It writes if the connection is a transaction. */
  context(generation: Generation, connection: Connection): OwnedContext;
}
