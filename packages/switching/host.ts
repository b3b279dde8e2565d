import type { Leases, Nodes } from '@pergola/cluster';
import type { Discovery, Generation, GenerationHolder, Log, OwnedContext } from '@pergola/core';
import type { Connection, Database } from '@pergola/db';

/** What storing switches needs of the application. */
export interface InstallHost {
  readonly database: Database;
  readonly databaseUrl: string;
  /** DATA_DIR */
  readonly dataDir: string;
  readonly log: Log;
  readonly holder: GenerationHolder<Generation>;
  readonly leases: Leases;
  readonly nodes: Pick<Nodes, 'acknowledged'>;
  readonly discovery: Discovery;
  /** A context of the system on a generation, with rights lifted. It writes where the connection is a transaction. */
  context(generation: Generation, connection: Connection): OwnedContext;
}
