import type { HttpServer } from './server.ts';
import type { HttpApplication } from './types.ts';

/** Makes the HTTP server of an application. Express and what else only a server needs is loaded now: commands and addons go without. */
export async function serveHttp(application: HttpApplication): Promise<HttpServer> {
  const { createHttpServer } = await import('./server.ts');
  return createHttpServer(application);
}
