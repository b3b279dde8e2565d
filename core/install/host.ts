import type { Log } from '../base/index.ts';
import type { Leases, Nodes } from '../cluster/index.ts';
import type { OwnedContext } from '../context/index.ts';
import type { Connection, Database } from '../db/index.ts';
import type { Discovery, Generation, GenerationHolder } from '../kernel/index.ts';

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
