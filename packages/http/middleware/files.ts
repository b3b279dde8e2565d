import { assets } from '@pergola/islands';
import type { Request, RequestHandler, Response } from 'express';
import { setHeaders } from '../replies/send.ts';
import { required } from '../request-state.ts';
import type { HttpParts } from '../routes/call.ts';
import { isStaticPath } from '../routes/route-table.ts';

/** Serves the files of addons and the assets built from them. */
export function files(parts: HttpParts): RequestHandler {
  return async function files(req, res, next) {
    if (await isServed(parts, req, res)) req.pergola.end();
    else next();
  };
}

async function isServed({ application }: HttpParts, req: Request, res: Response): Promise<boolean> {
  const { lease, account } = req.pergola;
  const { generation } = lease;
  const { path, file } = required(req.pergola.target);
  if (!isStaticPath(path) || file === null || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
  setHeaders(res, application.guards.securityHeaders('asset', generation));
  if (await generation.get(assets).serve(file, req, res)) {
    // `/_assets/<addon>/…` or `/<addon>/static/…`
    const [first = '', second = ''] = path.slice(1).split('/');
    if (res.statusCode === 200)
      account?.sent(first === '_assets' ? second : first, Number(res.getHeader('content-length') ?? 0));
    account?.close('/_assets');
    return true;
  }
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  return false;
}
