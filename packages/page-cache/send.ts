import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptedEncodings } from '@pergola/core';
import fresh from 'fresh';
import type { KeptPage, ReadyReply } from './kept-page.ts';

/**
 * Sends a cached page without holes: 304 if the visitor has it, otherwise 200 in the best encoding the visitor accepts. HEAD requests get
 * only the headers.
 */
export function sendKept(req: IncomingMessage, res: ServerResponse, page: KeptPage): void {
  const clientEtag = req.headers['if-none-match'];
  if (clientEtag !== undefined && page.etag !== null && fresh({ 'if-none-match': clientEtag }, { etag: page.etag })) {
    res.writeHead(304, page.notModified as string[]);
    res.end();
    return;
  }
  const [best = 'identity'] = acceptedEncodings(req.headers['accept-encoding'] as string | undefined);
  const reply = page.reply(best);
  if ('then' in reply) void reply.then((compressedReply) => send(res, page, compressedReply));
  else send(res, page, reply);
}

function send(res: ServerResponse, { status }: KeptPage, { headers, bytes }: ReadyReply): void {
  if (res.destroyed) return;
  res.writeHead(status, headers as string[]);
  res.end(bytes);
}
