import type { RequestView } from '@pergola/core';

/** Header in which a page's scripts send the page's context: `lang=fr_FR&website_id=1`. */
const CONTEXT_HEADER = 'x-page-context';

/**
 * Language of the page a request comes from: from the header, or from the query (`?context=…`) of event streams, which can't set headers.
 * Null if neither names one. The website always follows from the host, so `website_id` is ignored.
 */
export function pageLangOf(headers: RequestView['headers'], query: string): string | null {
  const header = headers[CONTEXT_HEADER];
  if (typeof header === 'string') return langIn(new URLSearchParams(header).get('lang'));
  if (!query.includes('context=') || headers.accept !== 'text/event-stream') return null;
  return langIn(new URLSearchParams(new URLSearchParams(query).get('context') ?? '').get('lang'));
}

/** Language in the `context` of a JSON-RPC call, as sent by Odoo clients; null if missing. */
export function pageLangIn(params: Readonly<Record<string, unknown>>): string | null {
  const { context } = params;
  return typeof context === 'object' && context !== null ? langIn((context as { lang?: unknown }).lang) : null;
}

function langIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 20 ? value : null;
}
