import type { Server } from 'node:http';
import { value } from '../kernel/index.ts';
import type { Application } from './application.ts';

/** The server for visitors, started and stopped by the process. */
export interface Listener {
  /** The HTTP server: a fresh process takes over its socket. */
  readonly server: Server;
  /**
   * Stops gracefully: keeps serving all requests for `graceMs`, so a load balancer notices; then accepts no new ones and completes those in
   * progress.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Creates the server of an application without listening. Provided by the part that serves HTTP. */
export const listener = value<(application: Application) => Promise<Listener>>('core.listener');
