import { codeMeter, type Key } from '@pergola/core';
import { database } from '@pergola/db';
import { files } from '@pergola/files';
import { pageCache } from '@pergola/page-cache';
import { guards, sessions } from './keys.ts';
import { rateLimiter } from './rate-limits/rate-limiter.ts';
import type { HttpServer } from './server.ts';
import { type HttpApplication, vitals } from './types.ts';

/** The application; values of its parts are looked up by key. */
export type ServedApplication = Pick<
  HttpApplication,
  'config' | 'log' | 'draining' | 'unready' | 'problems' | 'lease' | 'onSwitch' | 'read' | 'write'
> & { get<T>(key: Key<T>): T };

/**
 * Creates the HTTP server of an application. Express and other server libraries are loaded only now: commands and addons don't need them.
 */
export async function serveHttp(application: ServedApplication): Promise<HttpServer> {
  const { createHttpServer } = await import('./server.ts');
  return createHttpServer(asServed(application));
}

function asServed(application: ServedApplication): HttpApplication {
  return {
    config: application.config,
    log: application.log,
    database: application.get(database),
    files: application.get(files),
    sessions: application.get(sessions),
    guards: application.get(guards),
    limiter: application.get(rateLimiter),
    pageCache: application.get(pageCache),
    vitals: application.get(vitals),
    openAccount: (work) => application.get(codeMeter).open(work),
    get draining() {
      return application.draining;
    },
    get unready() {
      return application.unready;
    },
    get problems() {
      return application.problems;
    },
    lease: () => application.lease(),
    onSwitch: (listener) => application.onSwitch(listener),
    read: (options, work) => application.read(options, work),
    write: (options, work) => application.write(options, work),
  };
}
