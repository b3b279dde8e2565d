import type { Server } from 'node:http';
import { value } from '../kernel/index.ts';
import type { Application } from './application.ts';

/** What answers visitors, as the process starts and ends it. */
export interface Listener {
  /** The server itself: a fresh process takes over its socket. */
  readonly server: Server;
  /**
   * Stops gracefully: everything is still answered for `graceMs`, so that a balancer notices; then nothing new is accepted, and what is under way
   * is answered.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Makes what answers the visitors of an application. The part that serves HTTP provides it; nothing listens yet. */
export const listener = value<(application: Application) => Promise<Listener>>('core.listener');
