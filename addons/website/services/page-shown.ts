import { type RequestView, safePath } from 'pergola';

/**
 * The page a visitor looks at, as its address says: `/fr/wall/1?shown=12`. Of a call it is the page that made it, and the `usual` one where that does
 * not tell.
 */
export function pageShown(request: RequestView, usual = '/'): string {
  return safePath(request.method === 'GET' ? request.url : (callerOf(request) ?? usual));
}

function callerOf({ headers, origin }: RequestView): string | null {
  const page = typeof headers.referer === 'string' ? URL.parse(headers.referer) : null;
  return page?.origin === origin ? page.pathname + page.search : null;
}
