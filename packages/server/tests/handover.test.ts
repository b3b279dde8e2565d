import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { until } from '../../../tools/testing/until.ts';

/** Opens a new connection per request, to check that none is refused. */
function ask(port: number, method: 'GET' | 'POST' = 'GET'): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const call = request({ port, host: '127.0.0.1', method, agent: false, timeout: 60_000 }, (response) => {
    let text = '';
    response.on('data', (chunk) => {
      text += chunk;
    });
    response.on('end', () => resolve(text));
  });
  call.on('error', reject);
  call.end();
  return promise;
}

describe('A process that gives way to a fresh one', () => {
  let root: ChildProcess;
  const port = 20_000 + Math.floor(Math.random() * 20_000);

  async function start(...args: string[]): Promise<void> {
    root = spawn(process.execPath, [join(import.meta.dirname, 'handover-server.ts'), String(port), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (root.stdout) await once(root.stdout, 'data');
  }
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  afterEach(() => {
    root.kill('SIGKILL');
  });

  test('hands over twice under load without one failed request, and then two processes are left', async () => {
    await start();
    const seen: string[] = [];
    let answers = 0;
    let stopped = false;
    const load = Array.from({ length: 8 }, async () => {
      while (!stopped) {
        const pid = await ask(port);
        if (!seen.includes(pid)) seen.push(pid);
        answers += 1;
      }
    });
    const moreAnswers = (): Promise<number> => {
      const enough = answers + 50;
      return until(() => answers >= enough);
    };
    await moreAnswers();
    for (const processes of [2, 3]) {
      await ask(port, 'POST');
      await until(() => seen.length === processes);
      await moreAnswers();
    }
    stopped = true;
    await Promise.all(load);
    const [first, second, third] = seen.map(Number);
    expect(first).toBe(root.pid);
    await until(() => !isAlive(second ?? 0));
    expect([isAlive(first ?? 0), isAlive(third ?? 0)]).toEqual([true, true]);
    const exited = once(root, 'exit');
    root.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(isAlive(third ?? 0)).toBe(false);
  });

  test('goes on when the fresh one cannot take over, and logs the reason once', async () => {
    await start('refuses');
    let out = '';
    root.stdout?.on('data', (chunk: Buffer) => {
      out += chunk;
    });
    for (let n = 0; n < 2; n++) expect(await ask(port, 'POST')).toBe('refused');
    expect(Number(await ask(port))).toBe(root.pid);
    expect(out).toContain('this one is made to refuse');
    expect(out.trim().split('\n')).toHaveLength(1);
  });

  test('frees the address when the one everybody knows is killed', async () => {
    await start();
    await ask(port, 'POST');
    await until(async () => Number(await ask(port)) !== root.pid);
    const successor = Number(await ask(port));
    root.kill('SIGKILL');
    await until(() => !isAlive(successor));
    await expect(ask(port)).rejects.toThrow(/ECONNREFUSED/);
  });
});
