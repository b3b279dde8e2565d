import { type RequestView, safePath } from 'pergola';

/** Path of the page that the visitor is on: `/fr/wall/1?shown=12`. For calls it is the calling page, or `fallback` if unknown. */
export function pageShown(request: RequestView, fallback = '/'): string {
  return safePath(request.method === 'GET' ? request.url : (callerOf(request) ?? fallback));
}

function callerOf({ headers, origin }: RequestView): string | null {
  const page = typeof headers.referer === 'string' ? URL.parse(headers.referer) : null;
  return page?.origin === origin ? page.pathname + page.search : null;
}
