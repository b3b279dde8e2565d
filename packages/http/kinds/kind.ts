import type { Call, Read } from '../routes/call.ts';
import { readQuery } from '../routes/query.ts';
import type { CrossSiteQuestion } from '../security/csrf.ts';

/** Differences between the kinds of routes. */
export interface Kind {
  /** Rejects cross-site requests before any of the body is read. */
  checkOrigin(call: Call): void;
  /** Reads query and body as the route declares them. */
  read(call: Call): Promise<Read>;
  /** Runs the handler, or its substitute, and sends the reply. */
  answer(call: Call): Promise<void>;
}

/** For routes whose only input is a declared query. */
export async function readDeclaredQuery(call: Call): Promise<Read> {
  const query = readQuery(call.query, call.option<Parameters<typeof readQuery>[1]>('query'));
  return { extras: { query }, counted: query };
}

/** Whether cross-site calls are rejected. A route can turn this off by giving a reason. */
export function isGuarded(call: Call): boolean {
  return (call.option('csrf') ?? true) === true;
}

export function questionOf({ info }: Call): CrossSiteQuestion {
  return { headers: info.req.headers, origin: info.host.origin };
}
