import { Socket } from 'node:net';

/** Connections of this process that aren't to the database or the bucket of files. */
export interface OutgoingGuard {
  /** Hosts that were refused so far. */
  readonly refused: ReadonlySet<string>;
  release(): void;
}

/** Refuses all connections of this process except to these hosts, so that nothing leaves a copy of a site. */
export function refuseConnections(allowed: readonly string[]): OutgoingGuard {
  const refusedHosts = new Set<string>();
  const hosts = new Set(allowed);
  const { connect } = Socket.prototype;
  const guarded = function (this: Socket, ...input: unknown[]): Socket {
    const host = hostOf(input);
    if (host === null || hosts.has(host)) return Reflect.apply(connect, this, input) as Socket;
    refusedHosts.add(host);
    const error = new Error(`A copy of the site makes no requests to others, so ${host} wasn't contacted.`);
    process.nextTick(() => this.destroy(error));
    return this;
  };
  Socket.prototype.connect = guarded as typeof connect;
  return {
    refused: refusedHosts,
    release() {
      Socket.prototype.connect = connect;
    },
  };
}

/** Host of the arguments of `connect`; null for local sockets. */
function hostOf(input: readonly unknown[]): string | null {
  // Node passes its own calls on with the arguments in one list.
  const [first, second] = (Array.isArray(input[0]) ? input[0] : input) as readonly unknown[];
  if (typeof first === 'object' && first !== null) {
    if ('path' in first && typeof first.path === 'string') return null;
    return 'host' in first && typeof first.host === 'string' ? first.host : 'localhost';
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return null;
  return typeof second === 'string' ? second : 'localhost';
}
