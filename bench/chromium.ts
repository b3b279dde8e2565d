import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium } from '../tools/testing/browser/find.ts';

type Send = (method: string, params?: object, session?: string) => Promise<Record<string, unknown>>;

/** An event of a page, as Chromium's protocol names it. */
interface PageEvent {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol has hundreds of them.
  readonly params: any;
  readonly session: string;
}

export interface Chromium {
  readonly send: Send;
  /** Told of every event, until the next who asks. */
  onEvent(then: (event: PageEvent) => void): void;
  stop(): Promise<void>;
}

/**
 * Chromium by its own protocol. What drives it for tests runs scripts of its own in every page, which takes a slow phone a tenth of a second, and keeps
 * it from making pages ready ahead.
 */
export async function startChromium(): Promise<Chromium> {
  const { executablePath, env } = findChromium();
  const profile = mkdtempSync(join(tmpdir(), 'bench-chromium-'));
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage'];
  // One process for the site, so that the CPU of pages made ready ahead is slowed too; phones keep no room for a scrollbar.
  const own = ['--process-per-site', '--hide-scrollbars', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn(executablePath, [...args, ...own, 'about:blank'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let address = '';
  for await (const text of createInterface(child.stderr)) {
    address = /DevTools listening on (ws:\S+)/.exec(text)?.[1] ?? '';
    if (address) break;
  }
  child.stderr.resume();
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const asked = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  let told: (event: PageEvent) => void = () => {};
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(String(data));
    if (method) told({ method, params, session: sessionId ?? '' });
    else if (error) asked.get(id)?.reject(new Error(error.message));
    else asked.get(id)?.resolve(result);
    asked.delete(id);
  });
  let last = 0;
  const send: Send = (method, params = {}, sessionId = undefined) => {
    const answer = Promise.withResolvers<Record<string, unknown>>();
    asked.set(++last, answer);
    socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    return answer.promise;
  };
  return {
    send,
    onEvent(then) {
      told = then;
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What an expression is in a page, once it has settled. */
export async function evaluate<T>({ send }: Chromium, expression: string, session: string): Promise<T> {
  const { result } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, session);
  return (result as { value: T }).value;
}

/** What a function makes of a page of its own. */
export async function inBlankPage(chromium: Chromium, work: () => number): Promise<number> {
  const { targetId } = await chromium.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await chromium.send('Target.attachToTarget', { targetId, flatten: true });
  const made = await evaluate<number>(chromium, `(${work})()`, String(sessionId));
  await chromium.send('Target.closeTarget', { targetId });
  return made;
}
