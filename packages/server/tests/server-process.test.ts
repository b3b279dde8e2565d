import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from '../../../core/base/addon-folders.ts';
import { createTestApp } from '../../../tools/testing/app.ts';
import { Client } from '../../../tools/testing/client.ts';
import { freePort } from '../../../tools/testing/free-port.ts';
import { inOrder } from '../../../tools/testing/in-order.ts';
import { type RunningServer, startServer } from '../../../tools/testing/server.ts';
import { until } from '../../../tools/testing/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'process-'));
const dataDir = join(folder, 'data');
const addons = join(folder, 'addons');
const database = `sqlite:${join(dataDir, 'site.db')}`;

/** An external addon with an island and its own package. */
const outside: Readonly<Record<string, string>> = {
  'outside/addon.ts': `import { defineAddon, reply, route } from 'pergola';
import { word } from 'own-package';
const page = route.page('/outside', { name: 'outside.page' }, async ({ render }) => render('outside.page', { word }));
const slow = route.http('/outside/slow', { name: 'outside.slow', method: 'GET' }, async () => {
  await new Promise((resolve) => setTimeout(resolve, 400));
  return reply.text('slow and whole');
});
const breaks = route.page('/outside/breaks', { name: 'outside.breaks' }, async () => {
  void Promise.reject(new Error('nobody waits for this'));
  setTimeout(() => { throw new Error('thrown where nobody catches'); }, 1);
  throw new Error('the handler broke, canary-5f1c');
});
export default defineAddon({ name: 'outside', title: 'Outside', summary: 'From another folder', version: '1.0.0', routes: [page, slow, breaks] });
`,
  'outside/templates/outside.page.hbs': `<!doctype html>
<html lang="{{lang}}"><head><meta charset="utf-8"><title>Outside</title>{{assets}}</head>
<body><main><h1>{{word}}</h1>{{island "outside.Greeting" (object name="Ada")}}</main></body></html>
`,
  'outside/islands/greeting.props.ts': `import { z } from 'pergola';
export default z.object({ name: z.string() });
`,
  'outside/islands/greeting.tsx': `import { word } from 'own-package';
export default function Greeting({ name }: { name: string }) { return <p className="greeting">{word}, {name}</p>; }
`,
  'outside/node_modules/own-package/package.json':
    '{ "name": "own-package", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
  'outside/node_modules/own-package/index.js': `export const word = 'from its own package';\n`,
  'outside_broken/addon.ts': `import { defineAddon } from 'pergola';
throw new Error('broken at load');
export default defineAddon({ name: 'outside_broken', title: 'Broken', summary: '', version: '1.0.0' });
`,
};

let port = 0;
let server: RunningServer;

function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: database,
    PORT: String(port),
    ADDONS_PATH: addons,
    DEMO: 'false',
    ADMIN_PASSWORD: 'a first password',
    ...more,
  };
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command like a user at a terminal, while the server runs. */
function pergola(
  words: readonly string[],
  env: Readonly<Record<string, string>> = environment(),
  cwd = folder,
): Promise<Ended> {
  const all = { PATH: process.env.PATH ?? '', UV_THREADPOOL_SIZE: '16', LOG_LEVEL: 'fatal', ...env };
  return new Promise((resolve) => {
    const options = { cwd, env: all, maxBuffer: 50_000_000 };
    execFile(process.execPath, [join(repository, 'bin/pergola.js'), ...words], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err }),
    );
  });
}

const status = async (path: string): Promise<number> => (await new Client(server.url).get(path)).status;

beforeAll(async () => {
  for (const [path, text] of Object.entries(outside)) {
    mkdirSync(join(addons, path, '..'), { recursive: true });
    writeFileSync(join(addons, path), text);
  }
  mkdirSync(dataDir);
  // Later processes start faster with few enabled addons.
  await (await createTestApp({ addons: ['web'], url: database })).close();
  port = await freePort();
  server = await startServer({ env: environment({ LOG_LEVEL: 'warn' }) });
});
afterAll(() => server.remove());

// All tests use one server, which some of them stop.
inOrder();

describe('A running site', () => {
  inOrder();

  test('starts although an addon cannot be used, names it in the log, and runs nothing of it', () => {
    expect(server.output()).toMatch(/outside_broken.*`summary`/);
    expect(server.output()).not.toContain('broken at load');
  });

  test('follows the command line within a second: an addon from another folder, with an island and a package of its own', async () => {
    expect(await status('/outside')).toBe(404);
    const enabled = await pergola(['enable', 'outside']);
    expect(enabled).toMatchObject({ code: 0, out: expect.stringContaining('New address: GET /outside') });
    await until(async () => (await status('/outside')) === 200);
    const page = await (await fetch(`${server.url}/outside`)).text();
    expect(page).toContain('<h1>from its own package</h1>');
    expect(page).toMatch(/<p class="greeting">from its own package<!-- -->, <!-- -->Ada<\/p>/);
  });

  test('lives on when a route fails in every way there is, and tells visitors a reference and nothing else', async () => {
    const answer = await fetch(`${server.url}/outside/breaks`);
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toMatch(/canary|\.ts:|node_modules|at .+\(/);
    await sleep(50);
    expect(await status('/healthz')).toBe(200);
    const line =
      server
        .output()
        .split('\n')
        .find((line) => line.includes('canary-5f1c')) ?? '{}';
    const { request } = JSON.parse(line) as { request: string };
    expect(text).toContain(request);
    expect(server.output()).toContain('nobody waits for this');
    expect(server.output()).toContain('thrown where nobody catches');
  });

  test('has a fresh process do for the Apps what it cannot itself: load what was mended, added or brought up to date', async () => {
    const source = (name: string, version: string, end = ');') => `import { defineAddon, reply, route } from 'pergola';
const page = route.http('/${name}', { name: '${name}.page', method: 'GET' }, async () => reply.text('${version}'));
export default defineAddon({ name: '${name}', title: '${name}', summary: 'Answers', version: '${version}', routes: [page] }${end}
`;
    const write = (name: string, ...rest: [version: string, end?: string]): void => {
      mkdirSync(join(addons, name), { recursive: true });
      writeFileSync(join(addons, name, 'addon.ts'), source(name, ...rest));
    };
    const client = new Client(server.url);
    await client.rpc('/web/session/authenticate', { db: '', login: 'admin', password: 'a first password' });
    interface Card {
      readonly name: string;
      readonly state: string;
      readonly problems: readonly string[];
      readonly actions: readonly { readonly action: string }[];
    }
    const card = async (name: string): Promise<Card | undefined> => {
      const { categories } = await client.rpc<{ categories: { cards: Card[] }[] }>('/web/backend/apps', {});
      return categories.flatMap(({ cards }) => cards).find((card) => card.name === name);
    };
    const does = async (name: string, action: string): Promise<unknown> => {
      interface Planned {
        readonly parties: string;
        readonly problems: readonly string[];
        readonly reviews: readonly { readonly digest: string }[];
      }
      let plan = await client.rpc<Planned>('/web/backend/apps/plan', { name, action });
      const digests = plan.reviews.map(({ digest }) => digest);
      if (digests.length > 0) plan = await client.rpc<Planned>('/web/backend/apps/allow', { name, action, digests });
      expect(plan.problems).toEqual([]);
      return client.rpc('/web/backend/apps/run', { name, action, parties: plan.parties });
    };
    const says = (name: string, text: string) => async () =>
      fetch(`${server.url}/${name}`).then(
        async (answer) => answer.ok && (await answer.text()) === text,
        () => false,
      );
    expect(await card('added')).toBeUndefined();
    write('added', '1.0.0', ';');
    write('outside_broken', '1.0.0');
    expect(await card('added')).toMatchObject({
      state: 'broken',
      problems: [expect.stringMatching(/^added addon\.ts:3: /)],
    });
    write('added', '1.0.0');
    expect(await card('added')).toMatchObject({ state: 'uninstalled', problems: [], actions: [{ action: 'enable' }] });
    expect(await card('outside_broken')).toMatchObject({ state: 'uninstalled', problems: [] });
    await does('added', 'enable');
    await until(says('added', '1.0.0'));
    // Edited while a process that has loaded neither addon has to enable another one that it can't load.
    write('later', '1.0.0');
    write('added', '1.1.0');
    const plan = await client.rpc<{ problems: string[] }>('/web/backend/apps/plan', {
      name: 'later',
      action: 'enable',
    });
    expect(plan.problems).toEqual([expect.stringMatching(/^added: .* Upgrade it first: `npx pergola upgrade added`/)]);
    await until(async () => (await card('added'))?.actions[0]?.action === 'upgrade');
    await does('added', 'upgrade');
    await until(says('added', '1.1.0'));
    // Loaded by the server that took over, then edited.
    writeFileSync(
      join(addons, 'later', 'addon.ts'),
      source('later', '1.0.0').replace("text('1.0.0')", "text('edited')"),
    );
    const enabled = await pergola(['enable', 'later']);
    expect(enabled).toMatchObject({ code: 0, err: '' });
    expect(enabled.out).toMatch(/… Waiting for the running server to apply it \(process \d+ on .+\)\n… Done\n$/);
    // “Done” means that it is being served.
    expect(await says('later', 'edited')()).toBe(true);
  });

  test('is told to stop: what is under way ends whole, the exit code is 0, and a restart has the data', async () => {
    const agent = new Agent({ keepAlive: true });
    const slow = new Promise<string>((resolve, reject) => {
      get(`${server.url}/outside/slow`, { agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () => resolve(text)).once('error', reject);
      }).once('error', reject);
    });
    await sleep(100);
    const stopped = server.stop();
    await until(async () => (await status('/readyz').catch(() => 503)) === 503);
    expect(await slow).toBe('slow and whole');
    expect(await stopped).toBe(0);
    agent.destroy();
    server = await startServer({ env: environment() });
    expect(await status('/outside')).toBe(200);
    await pergola(['disable', 'outside']);
    await until(async () => (await status('/outside')) === 404);
  });
});

describe('A server that is killed', () => {
  /** Writes continuously until the server stops responding, recording acknowledged names; returns all names that were sent. */
  async function writeUntilGone(client: Client, writer: string, acknowledged: string[]): Promise<string[]> {
    const sent: string[] = [];
    for (;;) {
      const name = `${writer} ${sent.length}`;
      sent.push(name);
      try {
        await client.rpc('/web/dataset/call_kw', {
          model: 'res.partner',
          method: 'create',
          args: [{ name }],
          kwargs: {},
        });
        acknowledged.push(name);
      } catch {
        return sent;
      }
    }
  }

  test('has kept everything it acknowledged, and nothing twice (C07)', async () => {
    // Use twenty rounds for a thorough check.
    for (let round = 0; round < Number(process.env.KILL_ROUNDS ?? 2); round += 1) {
      const client = new Client(server.url);
      await client.rpc('/web/session/authenticate', { db: '', login: 'admin', password: 'a first password' });
      const names = `round ${round} of ${randomUUID()}`;
      const acknowledged: string[] = [];
      const writers = Array.from({ length: 6 }, (_, index) =>
        writeUntilGone(client, `${names} writer ${index}`, acknowledged),
      );
      await until(async () => acknowledged.length > 10);
      await sleep(Math.random() * 700);
      await server.stop('SIGKILL');
      const sentNames = await Promise.all(writers);
      server = await startServer({ env: environment() });
      const newClient = new Client(server.url);
      await newClient.rpc('/web/session/authenticate', { db: '', login: 'admin', password: 'a first password' });
      const rows = await newClient.rpc<{ name: string }[]>('/web/dataset/call_kw', {
        model: 'res.partner',
        method: 'search_read',
        args: [[['name', 'like', names]], ['name']],
        kwargs: {},
      });
      const storedNames = rows.map(({ name }) => name);
      expect(new Set(storedNames).size).toBe(storedNames.length);
      expect(acknowledged.filter((name) => !storedNames.includes(name))).toEqual([]);
      expect(storedNames.filter((name) => !sentNames.some((sent) => sent.includes(name)))).toEqual([]);
    }
  });
});

test('pergola config says what holds, whoever said it, and no secret', async () => {
  const place = mkdtempSync(join(tmpdir(), 'config-'));
  writeFileSync(join(place, '.env'), 'PORT=12345\nSMTP_URL=smtp://me:hunter2@mail.example\n');
  const { code, out } = await pergola(['config', '--json'], {}, place);
  expect(code).toBe(0);
  expect(out).not.toContain('hunter2');
  expect(JSON.parse(out)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'PORT', value: '12345', given: true }),
      expect.objectContaining({ name: 'BASE_URL', value: 'http://localhost:12345', given: false }),
      expect.objectContaining({ name: 'SMTP_URL', value: 'smtp://…@mail.example', given: true }),
      expect.objectContaining({ name: 'SESSION_SECRET', value: null, given: false }),
    ]),
  );
});

describe('A wrong configuration', () => {
  test('is refused with every problem at once, by variable', async () => {
    const { code, err, out } = await pergola(
      ['start'],
      environment({ PORT: '99999', SMTP_URL: 'mail.example', BASE_URL: 'nowhere' }),
    );
    expect(code).toBe(1);
    for (const name of ['PORT', 'SMTP_URL', 'BASE_URL']) expect(err + out).toContain(name);
    expect(err + out).not.toMatch(/at .+\.ts:\d+/);
  });

  test('in a .env file counts as one of the environment', async () => {
    const place = mkdtempSync(join(tmpdir(), 'dotenv-'));
    writeFileSync(join(place, '.env'), 'PORT=not-a-number\n');
    const { code, err, out } = await pergola(['config'], {}, place);
    expect({ code, text: err + out }).toMatchObject({ code: 1, text: expect.stringContaining('PORT') });
  });
});
