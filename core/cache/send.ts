import type { IncomingMessage, ServerResponse } from 'node:http';
import fresh from 'fresh';
import { acceptedEncodings } from '../base/index.ts';
import type { KeptPage } from './kept-page.ts';

/**
 * Sends a kept page without holes: 304 where the visitor has it already, else 200 in the best encoding that is ready. HEAD gets the headers.
 */
export function sendKept(req: IncomingMessage, res: ServerResponse, page: KeptPage): void {
  const known = req.headers['if-none-match'];
  if (known !== undefined && page.etag !== null && fresh({ 'if-none-match': known }, { etag: page.etag })) {
    res.writeHead(304, page.notModified as string[]);
    res.end();
    return;
  }
  const { headers, bytes } = page.bestReply(acceptedEncodings(req.headers['accept-encoding'] as string | undefined));
  res.writeHead(page.status, headers as string[]);
  res.end(bytes);
}
