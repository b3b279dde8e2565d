import { setTimeout } from 'node:timers/promises';
import type { BrowserContext, Page, Request } from 'playwright-core';

/** Problems of a page since it was opened, in the browser's words. */
export interface Trouble {
  consoleErrors: string[];
  /** uncaught exceptions */
  pageErrors: string[];
  /** requests that failed or returned a status of 400 or more: `404 GET http://…` */
  failedRequests: string[];
  /** Largest total layout shift of a page, excluding shifts right after input. 0 means none, up to 0.1 counts as good. */
  layoutShift: number;
  /**
   * moved elements with their position and size (x, y, width, height) before and after, and the time: `<nav menu > 0 8 300 40 → 0 16 300 40
   * after 210 ms`
   */
  shifted: string[];
}

export interface Recorder {
  readonly trouble: Trouble;
  /** Cancelled requests, mostly because the page was left: no problem, but they may explain why a page waits in vain. */
  readonly cancelled: readonly string[];
  /** Waits until no request has been pending for 100 ms, at most 10 s. */
  quiet(): Promise<void>;
}

const binding = '__pergolaShift';

/** Starts recording; call it before the first navigation. Layout shifts aren't recorded without JavaScript. */
export async function recordTrouble(context: BrowserContext, page: Page): Promise<Recorder> {
  const trouble: Trouble = { consoleErrors: [], pageErrors: [], failedRequests: [], layoutShift: 0, shifted: [] };
  const cancelled: string[] = [];
  page.on('console', (message) => {
    // Failed requests are reported in failedRequests.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
    trouble.consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => trouble.pageErrors.push(error.stack || `${error.name}: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed';
    const list = reason === 'net::ERR_ABORTED' ? cancelled : trouble.failedRequests;
    list.push(`${reason} ${request.method()} ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() < 400) return;
    trouble.failedRequests.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  await context.exposeBinding(binding, (_source, sum: number, moved: string[]) => {
    trouble.layoutShift = Math.max(trouble.layoutShift, sum);
    trouble.shifted.push(...moved);
  });
  await context.addInitScript(watchLayout, binding);
  return { trouble, cancelled, quiet: countRequests(page) };
}

function countRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let last = performance.now();
  page.on('request', (request) => {
    // An event stream stays open as long as its page.
    if (request.resourceType() !== 'eventsource') open.add(request);
  });
  const ended = (request: Request): void => {
    open.delete(request);
    last = performance.now();
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    const start = performance.now();
    while ((open.size > 0 || performance.now() - last < 100) && performance.now() - start < 10_000)
      await setTimeout(20);
  };
}

/** Runs in the page. */
function watchLayout(name: string): void {
  interface LayoutShift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  // The browser ignores shifts within half a second of an input. On a busy machine the response is rendered later than that, especially if
  // it needs the server.
  const reactions: { from: number; until: number; calls: number }[] = [];
  const endOnceDrawn = (reaction: (typeof reactions)[number]): void => {
    requestAnimationFrame(() =>
      requestAnimationFrame((drawnAt) => {
        if (reaction.calls === 0) reaction.until = drawnAt + 500;
      }),
    );
  };
  for (const type of ['pointerdown', 'keydown', 'input', 'change'])
    addEventListener(
      type,
      () => {
        const reaction = { from: performance.now(), until: Number.POSITIVE_INFINITY, calls: 0 };
        reactions.push(reaction);
        endOnceDrawn(reaction);
      },
      { capture: true },
    );
  const send = globalThis.fetch;
  globalThis.fetch = (...request) => {
    const waiting = reactions.filter(({ until }) => performance.now() <= until);
    for (const reaction of waiting)
      Object.assign(reaction, { calls: reaction.calls + 1, until: Number.POSITIVE_INFINITY });
    return send(...request).finally(() => {
      for (const reaction of waiting) {
        reaction.calls -= 1;
        endOnceDrawn(reaction);
      }
    });
  };
  const report: unknown = Reflect.get(globalThis, name);
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries() as LayoutShift[]) {
      const { startTime, hadRecentInput } = shift;
      if (hadRecentInput || reactions.some(({ from, until }) => startTime >= from && startTime <= until)) continue;
      sum += shift.value;
      if (typeof report !== 'function') continue;
      const place = ({ x, y, width, height }: DOMRectReadOnly): string =>
        [x, y, width, height].map(Math.round).join(' ');
      const moves = shift.sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        const name = element ? `<${element.localName} ${element.id} ${element.className}>` : '<gone>';
        return `${name} ${place(previousRect)} → ${place(currentRect)} after ${Math.round(startTime)} ms`;
      });
      report(sum, moves);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
