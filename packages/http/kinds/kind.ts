import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJson } from '../bodies/json-body.ts';
import type { ErrorStyle } from '../replies/error-reply.ts';
import type { Call, Read } from '../routes/call.ts';
import { readQuery } from '../routes/query.ts';
import type { Reply } from '../routes/reply.ts';
import type { RateLimit, RouteDefinition } from '../routes/route.ts';
import { READING } from '../routes/route-table.ts';
import type { CrossSiteQuestion } from '../security/csrf.ts';

/** A problem of a route, and its remedy. */
export type RouteFault = readonly [message: string, remedy: string];

/** A request on its route, as a kind of an addon sees it. */
export interface RouteCall {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** An option of the route; the caller knows its type from the route's kind. */
  option<T>(name: string): T | undefined;
  /** Runs the handler in its transaction, with the input of `read`, and returns its result. Cookies and headers it set are then set on `res`. */
  run(): Promise<unknown>;
}

/** What distinguishes the routes of one kind. All members but the first two are optional. */
export interface RouteKind<C = RouteCall> {
  /** In listings: `page`. */
  readonly name: string;
  /** Methods of its routes. */
  readonly methods: readonly string[];
  /** Whether visitors open its addresses: with language prefixes, sign-in and error pages. */
  readonly forVisitors?: boolean;
  /** Whether its replies may be kept in the page cache. */
  readonly isKept?: boolean;
  /** Whether its routes also serve the paths below their own. */
  readonly servesBelow?: boolean;
  /** Whether the connection stays open, at an address that people don't see and whose records may be renamed meanwhile. */
  readonly isStream?: boolean;
  /** Form of its error replies; by default as the client asks. */
  readonly errors?: ErrorStyle;
  /** Limit shared by all its routes. */
  readonly rate?: RateLimit;
  /** Whether a route's body carries a CSRF token, which `read` checks. */
  hasToken?(route: RouteDefinition): boolean;
  /** Reasons why a route can't work, completing "route … ". */
  faults?(route: RouteDefinition): readonly RouteFault[];
  /**
   * Rejects cross-site requests before any of the body is read. By default, writing methods have to prove that they come from this site,
   * unless their content type is one that other sites can't send without a preflight.
   */
  checkOrigin?(call: C): void;
  /** Reads query and body as the route declares them; by default the query. */
  read?(call: C): Promise<Read>;
  /** Reply for the result of a handler; by default the result itself. */
  reply?(result: unknown): Reply;
  /** Runs the handler, or its substitute, and sends the reply. */
  answer?(call: C): Promise<void>;
}

/** A shipped kind. */
export type Kind = RouteKind<Call>;

export function checkOrigin(call: Call): void {
  const { method, req } = call.info;
  if (READING.has(method) || !isGuarded(call)) return;
  const proof = isJson(req.headers['content-type']) ? 'if-present' : 'required';
  call.parts.application.guards.checkSameOrigin(questionOf(call), proof);
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
