import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../server.ts';

const folder = mkdtempSync(join(tmpdir(), 'server-test-'));

function script(text: string): string[] {
  const file = join(folder, `${Math.random()}.mjs`);
  writeFileSync(file, text);
  return [file];
}

const listening = (handler: string): string => `
  import { createServer } from 'node:http';
  createServer((request, response) => { ${handler} }).listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(3));
  console.log('hello from', process.cwd());
`;

test('A server that was started answers, with a folder and a port of its own, and ends when asked to', async () => {
  const command = script(
    listening(`response.end(JSON.stringify([process.env.DATA_DIR, process.env.LOG_LEVEL, process.pid]))`),
  );
  const server = await startServer({ command, env: { LOG_LEVEL: 'warn' } });
  expect(await (await fetch(server.url)).json()).toEqual([server.dataDir, 'warn', server.pid]);
  expect(server.output()).toContain(`hello from ${server.dataDir}`);
  expect(await server.stop()).toBe(3);
  expect(existsSync(server.dataDir)).toBe(true);
  await server.remove();
  expect(existsSync(server.dataDir)).toBe(false);
});

test('The settings of the developer do not reach the server', async () => {
  process.env.SMTP_URL = 'smtp://developer.example';
  try {
    const server = await startServer({ command: script(listening(`response.end(process.env.SMTP_URL ?? 'none')`)) });
    expect(await (await fetch(server.url)).text()).toBe('none');
    await server.remove();
  } finally {
    delete process.env.SMTP_URL;
  }
});

test('A server that ends before it serves is told with its exit code and what it printed', async () => {
  const command = script(`console.error('DATABASE_URL: must be …'); process.exit(2);`);
  await expect(startServer({ command })).rejects.toThrow(
    /exited with 2 before it was ready\. It printed:\nDATABASE_URL/,
  );
});

test('A server that never gets ready is ended', async () => {
  const command = script(listening(`response.writeHead(503).end()`));
  await expect(startServer({ command, timeout: 300 })).rejects.toThrow('within 300 ms');
});
