import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium } from '../tools/testing/browser/find.ts';

type Send = (method: string, params?: object, session?: string) => Promise<Record<string, unknown>>;

/** An event of Chromium's DevTools protocol. */
interface PageEvent {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol has hundreds of them.
  readonly params: any;
  readonly session: string;
}

export interface Chromium {
  readonly send: Send;
  /** Sets the event listener, replacing the previous one. */
  onEvent(then: (event: PageEvent) => void): void;
  stop(): Promise<void>;
}

/**
 * Drives Chromium through its own protocol. The driver used by the tests injects scripts into every page, which costs a slow phone a tenth
 * of a second and prevents prerendering.
 */
export async function startChromium(): Promise<Chromium> {
  const { executablePath, env } = findChromium();
  const profile = mkdtempSync(join(tmpdir(), 'bench-chromium-'));
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage'];
  // One process per site, so that prerendered pages run on the slowed CPU too. Phones reserve no room for scrollbars.
  const browserArgs = [
    '--process-per-site',
    '--hide-scrollbars',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
  ];
  const child = spawn(executablePath, [...args, ...browserArgs, 'about:blank'], {
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
  const pending = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  let listener: (event: PageEvent) => void = () => {};
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(String(data));
    if (method) listener({ method, params, session: sessionId ?? '' });
    else if (error) pending.get(id)?.reject(new Error(error.message));
    else pending.get(id)?.resolve(result);
    pending.delete(id);
  });
  let last = 0;
  const send: Send = (method, params = {}, sessionId = undefined) => {
    const reply = Promise.withResolvers<Record<string, unknown>>();
    pending.set(++last, reply);
    socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    return reply.promise;
  };
  return {
    send,
    onEvent(then) {
      listener = then;
    },
    async stop() {
      child.kill();
      await once(child, 'exit');
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Evaluates an expression in a page and waits for its promise. */
export async function evaluate<T>({ send }: Chromium, expression: string, session: string): Promise<T> {
  const { result } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, session);
  return (result as { value: T }).value;
}

/** Runs a function in a new blank page and returns its result. */
export async function inBlankPage(chromium: Chromium, work: () => number): Promise<number> {
  const { targetId } = await chromium.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await chromium.send('Target.attachToTarget', { targetId, flatten: true });
  const score = await evaluate<number>(chromium, `(${work})()`, String(sessionId));
  await chromium.send('Target.closeTarget', { targetId });
  return score;
}
