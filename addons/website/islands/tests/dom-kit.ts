import { jest } from '@jest/globals';

/** Polyfills dialogs for jsdom: open, close, events and return value. */
export function mendDialogs(): void {
  const prototype = HTMLDialogElement.prototype;
  prototype.showModal = function showModal(this: HTMLDialogElement): void {
    this.open = true;
  };
  prototype.close = function close(this: HTMLDialogElement, value?: string): void {
    if (!this.open) return;
    this.open = false;
    if (value !== undefined) this.returnValue = value;
    this.dispatchEvent(new Event('close'));
  };
}

/** Sets the body of the page and returns its only element. */
export function show<E extends HTMLElement = HTMLElement>(html: string): E {
  document.body.innerHTML = html;
  return document.body.firstElementChild as E;
}

/** Returns the element that matches the selector, or throws. */
export function find<E extends HTMLElement = HTMLElement>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`There is no ${selector} in ${document.body.innerHTML}`);
  return element;
}

/** Mocks media queries: those that contain one of the words match. */
export function media(...words: string[]): void {
  window.matchMedia = ((query: string) => ({
    matches: words.some((word) => query.includes(word)),
    addEventListener: () => {},
    removeEventListener: () => {},
  })) as unknown as typeof window.matchMedia;
}

/** Mocks server responses by path and records the calls. */
export function serve(
  answers: Readonly<Record<string, (body: unknown) => unknown>>,
): { path: string; body: unknown }[] {
  const calls: { path: string; body: unknown }[] = [];
  window.fetch = jest.fn(async (input: unknown, init?: { body?: unknown }) => {
    const path = String(input);
    const body: unknown =
      typeof init?.body === 'string'
        ? (JSON.parse(init.body, (key, value) => (key === 'context' ? undefined : value)) as { params: unknown }).params
        : init?.body;
    calls.push({ path, body });
    const answer = answers[path]?.(body);
    if (answer === undefined) return { ok: false, status: 404, statusText: 'Not Found', json: async () => null };
    const json = async () => ({ jsonrpc: '2.0', id: 1, result: answer });
    return { ok: true, status: 200, json, text: async () => String(answer) };
  }) as unknown as typeof window.fetch;
  return calls;
}

/** Runs all pending callbacks. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round++) await Promise.resolve();
}

/** Runs behaviours on a fresh page per test, and removes them afterwards. */
export function withBehaviours() {
  const ends: (undefined | (() => void))[] = [];
  beforeEach(() => {
    media();
    mendDialogs();
    localStorage.clear();
    window.scrollTo = jest.fn() as unknown as typeof window.scrollTo;
    Object.assign(window, { scrollY: 0, innerHeight: 800 });
  });
  afterEach(() => {
    for (const end of ends.splice(0)) end?.();
    jest.useRealTimers();
  });
  return <E extends HTMLElement>(mount: (element: E) => undefined | (() => void), element: E): void => {
    ends.push(mount(element));
  };
}
