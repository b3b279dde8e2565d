import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from '@pergola/core';
import { createTestApp, startServer, until } from 'pergola/testing';
import { freePort } from '../../testing/free-port.ts';
import type { RunningServer } from '../../testing/server.ts';

/** Timeout in ms for the page and its events before they are requested again. */
const ANSWER_MS = 5_000;

const folder = mkdtempSync(path.join(tmpdir(), 'mistakes-'));
const files = {
  'addon.ts': `import { defineAddon } from 'pergola';
import { Thing } from './models/thing.ts';
import { page } from './routes.ts';
export default defineAddon({ name: 'faulty', title: 'Faulty', summary: 'Faulty', version: '1.0.0', models: [Thing], routes: [page] });
`,
  'models/thing.ts': `import { f, model } from 'pergola';
export class Thing extends model('faulty.thing', { name: f.char({ translate: true, size: 80 }) }, { label: 'Thing' }) {}
`,
  'routes.ts': `import { route } from 'pergola';
export const page = route.page('/faulty', { name: 'faulty.page' }, ({ render }) =>
  render('faulty.page', {}));
const endless = () => {
  for (;;);
};
const broken = () => {
  throw new Error('thrown here');
};
export const unused = [endless, broken];
`,
  'templates/faulty.page.hbs':
    '<!doctype html><html lang="en"><head><title>Page</title>{{assets}}{{stylesheet "faulty.page"}}</head><body><main>whole</main></body></html>\n',
  'styles/page.page.scss': '.faulty { color: red; }\n',
} as const;

type Files = Readonly<Record<string, string>>;

function save(saved: Files): void {
  for (const [file, content] of Object.entries(saved)) {
    const target = path.join(folder, 'faulty', file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

function changed(file: keyof typeof files, from: string, to: string): Files {
  if (!files[file].includes(from)) throw new Error(`${file} has no ${from}`);
  return { [file]: files[file].replace(from, to) };
}

/** Files that a developer saves, and the expected message: on the page, in the overlay of open pages, or in the terminal. */
interface Mistake {
  readonly what: string;
  readonly saved: Files;
  readonly says: RegExp;
  /** The line that the terminal prints too. */
  readonly line?: RegExp;
}

const unclosed = changed('templates/faulty.page.hbs', '<main>', '<main>{{#if a}}');
const raised = changed('addon.ts', '1.0.0', '1.1.0');
const mistakes: readonly Mistake[] = [
  {
    what: 'a syntax error',
    saved: changed('routes.ts', "'/faulty',", "'/faulty' 'x',"),
    says: /events: .*faulty routes\.ts:2: cannot be loaded.*> 2 \| export const page/s,
    line: /^[^\n]*"file":"routes\.ts"[^\n]*"msg":"The change can’t be served; the site still serves the previous version"\}\n$/,
  },
  {
    what: 'an addon.ts that throws, and leaves a timer running',
    saved: changed('addon.ts', 'export', "setInterval(() => {}, 1000);\nthrow new Error('oh no');\nexport"),
    says: /events: .*faulty addon\.ts:5: cannot be loaded: oh no/s,
  },
  {
    what: 'an addon.ts that ends the process',
    saved: changed('addon.ts', 'export', 'process.exit(0);\nexport'),
    says: /terminal: .*The server exited\. It restarts when you save a file\./s,
  },
  {
    what: 'a template that is not closed',
    saved: unclosed,
    says: /events: .*faulty templates\/faulty\.page\.hbs/s,
  },
  {
    what: 'a template that is not closed, of an addon that everything stands on',
    saved: { ...unclosed, ...changed('addon.ts', 'routes:', 'permanent: true, routes:') },
    says: /events: .*faulty templates\/faulty\.page\.hbs/s,
  },
  {
    what: 'a style sheet that is none',
    saved: changed('styles/page.page.scss', 'red', '$nothing'),
    says: /events: .*faulty styles\/page\.page\.scss:1: .*Undefined variable/s,
  },
  {
    what: 'a relation that leads nowhere',
    saved: changed('models/thing.ts', '{ name:', "{ other_id: f.many2one('faulty.nothing'), name:"),
    says: /events: .*faulty models\/thing\.ts:2: .*faulty\.nothing.*> 2 \| export class Thing/s,
  },
  {
    what: 'a table that cannot be made, of a version that is raised',
    saved: { ...changed('models/thing.ts', 'translate: true', 'translate: true, unique: true'), ...raised },
    says: /events: .*“faulty\.thing\.name” is translated and cannot be unique/s,
  },
  {
    what: 'a table that cannot be made, of the same version',
    saved: changed('models/thing.ts', 'translate: true', 'translate: true, unique: true'),
    says: /events: .*“faulty\.thing\.name” is translated and cannot be unique/s,
  },
  {
    what: 'a route that throws',
    saved: changed('routes.ts', "render('faulty.page', {})", "render('faulty.pag', {})"),
    says: /page: .*faulty: The route “faulty\.page” failed: There is no template "faulty\.pag"\. Did you mean “faulty\.page”/s,
  },
  {
    what: 'a handler that throws',
    saved: changed('routes.ts', 'render(', 'broken() ?? render('),
    says: /page: .*faulty routes\.ts:8: thrown here.*&gt; +8 \| {3}throw new Error/s,
  },
  {
    what: 'a loop that never ends',
    saved: changed('routes.ts', 'render(', 'endless() ?? render('),
    says: /terminal: .*The server isn’t responding/s,
  },
  {
    what: 'a migration that fails',
    saved: {
      ...raised,
      'migrations/0001-first.ts': `import { migration } from 'pergola';
export default migration({ version: '1.1.0', summary: 'Fails', up: async ({ db }) => void (await db('nowhere').select('nothing')) });
`,
    },
    says: /events: .*faulty migrations\/0001-first\.ts: failed: .*nowhere/s,
    line: /"file":"migrations\/0001-first\.ts","message":"failed: [^\n]*The change can’t be served; the site still serves the previous version/,
  },
];

let server: RunningServer;
const page = async (): Promise<string> => {
  try {
    const answer = await fetch(`${server.url}/faulty`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return `${answer.status} ${(await answer.text()).replaceAll('&#39;', "'").replaceAll('&quot;', '"')}`;
  } catch (error) {
    return String(error);
  }
};
const isWhole = async (): Promise<boolean> => /^200 .*<main>whole<\/main>/s.test(await page());

/** Events that newly opened pages receive. */
async function events(): Promise<string> {
  try {
    const answer = await fetch(`${server.url}/_dev/events`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const reader = answer.body?.getReader();
    const received = new TextDecoder().decode((await reader?.read())?.value);
    await sleep(50);
    const more = new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    return received + more;
  } catch (error) {
    return String(error);
  }
}

/** Waits like {@link until}; the error shows the page and the terminal. */
async function untilSeen(isSo: () => Promise<boolean>): Promise<void> {
  await until(isSo).catch(async (error: unknown) => {
    throw new Error(`page: ${await page()}\n${server.output().slice(-5000)}`, { cause: error });
  });
}

beforeAll(async () => {
  save(files);
  const database = `sqlite:${path.join(folder, 'site.db')}`;
  // A site with only this addon is fast to build.
  await (await createTestApp({ addons: ['faulty'], roots: [folder], url: database })).close();
  const port = await freePort();
  const blocker = createServer().listen(port, '127.0.0.1');
  server = await startServer({
    command: [path.join(repository, 'bin/pergola.js'), 'dev'],
    env: { ADDONS_PATH: folder, DATABASE_URL: database, PORT: String(port) },
    ready: '/faulty',
    onOutput: (text) => {
      if (text.includes('Something else listens')) blocker.close();
    },
  });
});
afterAll(async () => {
  await server?.stop('SIGINT');
  await server?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('A port that is taken is waited for', async () => {
  expect(server.output()).toContain(`Something else listens on port ${server.port}`);
  expect(await isWhole()).toBe(true);
});

test.each(mistakes)('$what is told, and what is put right is served', async ({ saved, says, line = /^/ }) => {
  const outputLength = server.output().length;
  save(saved);
  const isSaid = async (): Promise<boolean> =>
    says.test(`page: ${await page()}`) ||
    says.test(`events: ${await events()}`) ||
    says.test(`terminal: ${server.output().slice(outputLength)}`);
  await untilSeen(isSaid);
  await untilSeen(async () => line.test(server.output().slice(outputLength)));
  // The overlay of an open page shows the message, and the page itself is still the previous version.
  if (says.source.startsWith('events:')) expect(await isWhole()).toBe(true);
  save(files);
  await untilSeen(isWhole);
});
