import { jest } from '@jest/globals';

/** What was asked of the server. */
export interface Asked {
  readonly path: string;
  readonly params: unknown;
}

/** A server that answers calls by their addresses; what is not there is refused. */
export function serve(answers: Readonly<Record<string, unknown>>): Asked[] {
  const asked: Asked[] = [];
  globalThis.fetch = jest.fn<typeof fetch>(async (address, about) => {
    const [path = ''] = String(address).split('?');
    const sent = about?.body;
    const isCall = typeof sent === 'string';
    asked.push({
      path: String(address),
      params: isCall
        ? (JSON.parse(sent, (key, value) => (key === 'context' ? undefined : value)) as { params: unknown }).params
        : sent && Object.fromEntries(sent as never),
    });
    if (!(path in answers)) throw new TypeError('Failed to fetch');
    const result = answers[path];
    // jsdom has no Response.
    return { ok: true, json: async () => (isCall ? { jsonrpc: '2.0', id: 1, result } : result) } as Response;
  });
  return asked;
}

/** The toasts in the corner. */
export function toasts(): string[] {
  return [...document.querySelectorAll('.toast-note')].map(({ textContent }) => textContent ?? '');
}
