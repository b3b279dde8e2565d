/** What a refused call is answered with. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Answers calls and forms by path in a test of an island, and keeps what was sent, in its order. */
export function serve(routes: Readonly<Record<string, (sent: Readonly<Record<string, unknown>>) => unknown>>) {
  const made: { readonly path: string; readonly sent: Readonly<Record<string, unknown>> }[] = [];
  globalThis.fetch = (async (path: string, { body }: RequestInit = {}) => {
    const isForm = body instanceof FormData;
    const sent = isForm
      ? Object.fromEntries(body)
      : (JSON.parse(String(body ?? '{}'), (key, value) => (key === 'context' ? undefined : value)).params ?? {});
    made.push({ path, sent });
    try {
      const result = await routes[path]?.(sent);
      return {
        ok: true,
        json: async () => (isForm ? { location: null, result } : body === undefined ? result : { result }),
      };
    } catch (error) {
      const { code, message } = error as Refusal;
      return {
        ok: true,
        json: async () => ({ error: { code, message, data: { message, arguments: ['', message] } } }),
      };
    }
  }) as unknown as typeof fetch;
  return made;
}

/** What the shop's statistics are told. */
export function counted(): string[] {
  const told: string[] = [];
  navigator.sendBeacon = (path) => told.push(String(path).replace('/stats/ecom/', '')) > 0;
  return told;
}

export const euro = (value: number) => ({ value, digits: 2, before: '', after: '\u00a0€' });
