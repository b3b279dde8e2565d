import express, { type Express } from 'express';
import { access } from './middleware/access.ts';
import { bearer } from './middleware/bearer.ts';
import { body } from './middleware/body.ts';
import { crossSite } from './middleware/cross-site.ts';
import { errors } from './middleware/errors.ts';
import { fallbacks } from './middleware/fallbacks.ts';
import { files } from './middleware/files.ts';
import { findRoute } from './middleware/find-route.ts';
import { hosts } from './middleware/hosts.ts';
import { loadShedding } from './middleware/load-shedding.ts';
import { probes } from './middleware/probes.ts';
import { rates } from './middleware/rates.ts';
import { requestState } from './middleware/request-state.ts';
import { routeAnswers } from './middleware/route-answers.ts';
import { session } from './middleware/session.ts';
import { site } from './middleware/site.ts';
import type { HttpParts } from './routes/call.ts';
import { parseQuery } from './routes/query.ts';

/** Middleware in the order a request passes through it. Only `kept-pages.ts` runs before it. */
export function createApp(parts: HttpParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', false);
  app.set('query parser', (query: string) => parseQuery(query ?? ''));

  app.use(probes(parts)); //         /healthz, /readyz, /metrics
  app.use(requestState(parts)); // req.pergola: an id, a generation until the end, a log entry
  app.use(hosts(parts)); // 400 and 421: invalid addresses and unknown hosts
  app.use(files(parts)); // scripts, styles, images of addons
  app.use(loadShedding(parts)); // 503 under overload
  app.use(session(parts)); //        the visitor's session, by its cookie
  app.use(site(parts)); // identity, request attributes, language, the path to route
  app.use(findRoute(parts)); //      redirects, 405, the route
  app.use(bearer(parts)); // identity by token, on routes for API clients
  app.use(fallbacks(parts)); // pages at paths without a route, 404
  app.use(access()); //              sign-in and groups
  app.use(crossSite()); // CSRF: rejects cross-site requests
  app.use(rates()); // rate limits that don't depend on the body
  app.use(body()); //                query and body as the route declares them
  app.use(routeAnswers()); //        the addon's handler, its transaction, the reply
  app.use(errors(parts)); // texts for rejections, a reference for faults
  return app;
}
