import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createTestApp, startPostgres } from '#core/testing';
import { fill } from '../core/testing/fixtures/fx_reference/addon.ts';
import { capture, compare, loadOptions, ratioTable } from './harness.ts';

/**
 * A page rendered without cache, with three queries, against a bare `node:http` server that answers the same text as a string (section 5 of the
 * frame's figures: at most 12 times the CPU on SQLite). PostgreSQL, whose own processes are not counted, is shown beside it.
 */
async function serve(dialect: 'sqlite' | 'postgres'): Promise<void> {
  const app = await createTestApp({ addons: ['fx_reference'], database: dialect });
  await app.write(fill);
  process.once('disconnect', () => void app.close().then(() => process.exit()));
  process.send?.(`${app.url}/reference/fresh`);
}

/** A server that knows nothing but one text. */
async function serveString(text: string): Promise<void> {
  const server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end(text);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`);
  });
  process.once('disconnect', () => process.exit());
}

async function start(...args: string[]): Promise<{ url: string; pid: number; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), args);
  const url = await new Promise<string>((resolve) => child.once('message', (address) => resolve(String(address))));
  return { url, pid: child.pid ?? 0, stop: () => child.disconnect() };
}

const [role, text = ''] = process.argv.slice(2);
if (role === 'sqlite' || role === 'postgres') await serve(role);
else if (role === 'string') await serveString(Buffer.from(text, 'base64').toString());
else {
  const postgres = process.env.TEST_PG_URL ? null : await startPostgres();
  const servers = [await start('sqlite')];
  const page = await capture(servers[0]?.url ?? '');
  const bare = await start('string', Buffer.from(page.body).toString('base64'));
  const cases = [
    { name: `bare string of ${page.body.length} bytes`, url: bare.url, pid: bare.pid },
    { name: 'page with three queries, SQLite', url: servers[0]?.url ?? '', pid: servers[0]?.pid ?? 0 },
  ];
  console.log(ratioTable(await compare(cases, loadOptions())));
  for (const server of [...servers, bare]) server.stop();
  await postgres?.stop();
}
