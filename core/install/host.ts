import type { Log } from '../base/log.ts';
import type { Leases } from '../cluster/lease.ts';
import type { Nodes } from '../cluster/nodes.ts';
import type { OwnedContext } from '../context/context.ts';
import type { Connection, Database } from '../db/types.ts';
import type { Discovery } from '../kernel/discover.ts';
import type { Generation } from '../kernel/generation.ts';
import type { GenerationHolder } from '../kernel/generation-holder.ts';

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
