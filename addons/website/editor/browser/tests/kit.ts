import { jest } from '@jest/globals';

/** Mocked responses by path. */
export type Answers = Readonly<Record<string, (params: Record<string, unknown>) => unknown>>;

/** Call made by the browser. */
export interface MadeCall {
  readonly path: string;
  readonly params: Record<string, unknown>;
}

/** Mock server for JSON-RPC calls and forms, by path. A thrown error becomes an error response. */
export function serve(answers: Answers): MadeCall[] {
  const requests: MadeCall[] = [];
  globalThis.fetch = jest.fn(async (input: unknown, init?: RequestInit) => {
    const path = String(input);
    const isForm = init?.body instanceof FormData;
    const params = isForm
      ? Object.fromEntries(init.body as FormData)
      : withoutContext(JSON.parse(String(init?.body ?? '{}')).params);
    requests.push({ path, params });
    const answer = answers[path];
    if (!answer)
      return json({
        error: { code: 404, message: 'Not found', data: { arguments: ['Not found', `nothing at ${path}`] } },
      });
    try {
      const result = await answer(params);
      return json(isForm ? result : { result });
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return json({ error: { code: 200, message: text, data: { arguments: ['Refused', text], message: text } } });
    }
  }) as unknown as typeof fetch;
  return requests;
}

function json(value: unknown): Response {
  return {
    ok: true,
    status: 200,
    json: async () => value,
    text: async () => JSON.stringify(value),
    blob: async () => new Blob([JSON.stringify(value)], { type: 'image/png' }),
  } as Response;
}

/** Polyfills for jsdom: dialogs, sizes, observers, pointers. */
export function fillGaps(): void {
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement, value = '') {
      this.open = false;
      this.returnValue = value;
      this.dispatchEvent(new Event('close'));
    },
  });
  HTMLImageElement.prototype.decode ??= async () => {};
  HTMLCanvasElement.prototype.getContext = () => null;
  const rect = { top: 0, left: 0, right: 0, bottom: 0, width: 0, height: 0, x: 0, y: 0, toJSON: () => ({}) };
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => rect;
  document.elementFromPoint = () => null;
  Element.prototype.scrollIntoView = () => {};
  class Still {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  }
  Object.assign(globalThis, { ResizeObserver: Still, IntersectionObserver: Still });
  URL.parse ??= (url: string | URL, base?: string | URL) => (URL.canParse(url, base) ? new URL(url, base) : null);
}

/** `IntersectionObserver` that immediately reports everything as visible. */
export class InSight {
  readonly #see: (entries: readonly { isIntersecting: boolean }[]) => void;

  constructor(see: (entries: readonly { isIntersecting: boolean }[]) => void) {
    this.#see = see;
  }

  observe(): void {
    queueMicrotask(() => this.#see([{ isIntersecting: true }]));
  }

  disconnect(): void {}
}

/** Omits the page context sent with every call; the context of a method is one of its named arguments. */
function withoutContext({ context: _page, ...params }: Record<string, unknown> = {}): Record<string, unknown> {
  return params;
}
