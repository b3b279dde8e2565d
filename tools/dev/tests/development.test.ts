import { once } from 'node:events';
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Addon } from '@pergola/core';
import { createLog, repository } from '@pergola/core';
import { serveHttp } from '@pergola/http';
import { createTestApp, startServer, until, withBrowser } from 'pergola/testing';
import { codeChanges } from '../code-changes.ts';
import { Development } from '../development.ts';
import { HeldLines } from '../held-lines.ts';
import { OpenPages } from '../open-pages.ts';
import { consequenceOf, swapOf } from '../saved-files.ts';
import { watchSources } from '../watch-sources.ts';

describe('What a saved file asks for', () => {
  it.each([
    ['ship/templates/ship.index.hbs', 'rebuild'],
    ['ship/islands/flag.tsx', 'rebuild'],
    ['ship/browser.ts', 'rebuild'],
    ['ship/editor/browser/tools.tsx', 'rebuild'],
    ['styles/_tokens.scss', 'rebuild'],
    ['ship/i18n/fr.po', 'rebuild'],
    ['ship/static/a.png', 'rebuild'],
    ['ship/islands/flag.props.ts', 'restart'],
    ['ship/addon.ts', 'restart'],
    ['ship/data/01-ports.ts', 'restart'],
    ['ship/tests/ship.test.ts', 'nothing'],
    ['ship/node_modules/a/index.js', 'nothing'],
    ['ship/.git/index', 'nothing'],
    ['ship/README.md', 'nothing'],
    ['ship/templates/ship.index.hbs~', 'nothing'],
    ['ship/i18n/ship.pot', 'nothing'],
  ])('%s: %s', (file, consequence) => {
    expect(consequenceOf(file)).toBe(consequence);
  });
});

test.each([
  [['ship/styles/ship.scss'], 'styles'],
  [['ship/styles/ship.scss', 'ship/islands/flag.tsx'], 'islands'],
  [['ship/islands/parts/use-flag.ts'], 'islands'],
  [['ship/islands/flag.props.ts'], 'page'],
  [['ship/islands/port.Flag.slots.tsx'], 'page'],
  [['ship/islands/flag.tsx', 'ship/templates/ship.index.hbs'], 'page'],
  [['ship/kit.ts'], 'page'],
])('Pages show %j by new %s', (files, swap) => {
  expect(swapOf(files)).toBe(swap);
});

test('Only what was saved since the database last followed the code is looked at again, shipped records before pages are served', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'followed-'));
  const saveAt = (file: string, time: number) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), '');
    utimesSync(path.join(root, file), time / 1000, time / 1000);
    for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder))
      utimesSync(path.join(root, folder), 1, 1);
  };
  const knownAddons = ['ship', 'port'].map((name) => ({ name, folder: path.join(root, name) }) as Addon);
  const look = async (since: number, databaseUrl = 'sqlite:a') => {
    const changes = await codeChanges({ dataDir: root, databaseUrl }, { addons: knownAddons, since });
    const [addons, demo] = [[...changes.addons], [...changes.demo]];
    return { found: { addons, demo, records: changes.records }, settle: changes.settle };
  };
  for (const file of ['ship/routes.ts', 'ship/data/ships.ts', 'port/addon.ts']) saveAt(file, 1_000_000);
  const first = await look(2_000_000);
  expect(first.found).toEqual({ addons: ['ship', 'port'], demo: [], records: true });
  await first.settle();
  expect((await look(0)).found).toEqual({ addons: [], demo: [], records: false });
  // For another database nothing has been applied yet.
  expect((await look(0, 'sqlite:b')).found.addons).toEqual(['ship', 'port']);
  saveAt('ship/routes.ts', 3_000_000);
  expect((await look(0)).found).toEqual({ addons: ['ship'], demo: [], records: false });
  saveAt('ship/demo/ships.ts', 3_000_000);
  expect((await look(0)).found).toEqual({ addons: ['ship'], demo: ['ship'], records: false });
  saveAt('ship/data/ships.ts', 3_000_000);
  expect((await look(0)).found).toEqual({ addons: ['ship'], demo: ['ship'], records: true });
});

test('Pages that are opened hear the latest, and what is over is not told again', async () => {
  const pages = new OpenPages();
  const server = createServer((_req, res) => pages.add(res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const hear = async () => {
    const reader = (await fetch(url)).body?.getReader();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const piece = await reader?.read();
    return new TextDecoder().decode(piece?.value);
  };
  pages.tell('generation', '1');
  pages.tell('problems', 'one\ntwo');
  expect(await hear()).toBe('retry: 150\n\nevent: generation\ndata: 1\n\nevent: problems\ndata: one\ndata: two\n\n');
  pages.tell('problems', '');
  expect(await hear()).toBe('retry: 150\n\nevent: generation\ndata: 1\n\n');
  pages.close();
  await new Promise((resolve) => server.close(resolve));
});

test('A problem stays on pages until it is fixed, whatever else is told meanwhile', async () => {
  const { root, savePage } = writeAddon();
  const problem = { addon: 'edited', message: 'cannot be built.' };
  let problems = [problem];
  const followed = Promise.withResolvers<void>();
  const application = {
    refresh: async () => problems,
    ready: true,
    problems: [],
    followed: followed.promise,
    roots: [root],
    generation: { number: 1 },
    lifecycle: { leftOut: new Map() },
  } as unknown as ConstructorParameters<typeof Development>[0]['application'];
  const saves: (readonly string[])[] = [];
  const development = new Development({
    application,
    log: createLog('silent'),
    queries: { text: () => '' },
    folders: [root],
    onSaved: (files) => void saves.push(files),
    openAnew: async () => null,
  });
  await development.ready;
  const sent: string[] = [];
  const page = { writeHead: () => page, write: (piece: string) => sent.push(piece), on: () => page, end: () => {} };
  const shownProblems = (): string => {
    sent.length = 0;
    development.handle({ url: '/_dev/events' } as IncomingMessage, page as unknown as ServerResponse);
    return sent.join('');
  };
  savePage('<h1>Two');
  await until(() => saves.length > 0);
  expect(shownProblems()).toContain('cannot be built.');
  development.checked([{ addon: 'edited', message: 'has a mistake.' }]);
  expect(shownProblems()).toMatch(/cannot be built\.[\s\S]*has a mistake\./);
  followed.resolve();
  await sleep(0);
  expect(shownProblems()).toContain('cannot be built.');
  problems = [];
  savePage('<h1>Three</h1>');
  await until(() => !shownProblems().includes('cannot be built.'));
  await development.close();
});

/** A small addon to edit. */
function writeAddon() {
  const root = mkdtempSync(path.join(tmpdir(), 'edited-'));
  const save = (file: string, content: string): void => {
    const target = path.join(root, 'edited', file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  };
  const savePage = (content: string): void =>
    save(
      'templates/edited.page.hbs',
      `<!doctype html><html lang="en"><head><title>Page</title><link rel="icon" href="data:,">{{assets}}</head><body><main>${content}</main></body></html>`,
    );
  save(
    'addon.ts',
    `import { defineAddon, route } from 'pergola';
const page = route.page('/edited', { name: 'edited.page' }, ({ render }) => render('edited.page', {}));
export default defineAddon({ name: 'edited', title: 'Edited', summary: 'Edited', version: '1.0.0', routes: [page] });
`,
  );
  savePage('<h1>One</h1>');
  return { root, save, savePage };
}

test('Lines of an application are held until it serves, and dropped if it is refused', () => {
  const writtenLines: string[] = [];
  const lines = new HeldLines((line) => writtenLines.push(line));
  lines.add('a');
  expect(writtenLines).toEqual([]);
  lines.release();
  lines.add('b');
  expect(writtenLines).toEqual(['a', 'b']);
  const rejectedLog = new HeldLines((line) => writtenLines.push(line));
  rejectedLog.add('c');
  rejectedLog.drop();
  rejectedLog.add('d');
  expect(writtenLines).toEqual(['a', 'b']);
});

test('What is saved while the server starts counts as saved', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'watched-'));
  const save = (file: string, savedMs: number): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), '');
    utimesSync(path.join(root, file), savedMs / 1000, savedMs / 1000);
  };
  const started = Date.now() - 2000;
  save('ship/addon.ts', started - 60_000);
  save('ship/models/boat.ts', started + 1000);
  save('ship/models/mast.ts', started + 3600_000);
  save('ship/templates/ship.index.hbs', started + 1000);
  const saved: string[] = [];
  const watcher = watchSources(
    [root],
    (file, consequence) => saved.push(`${path.basename(file)}: ${consequence}`),
    started,
  );
  await watcher.ready;
  expect(saved.sort()).toEqual(['boat.ts: restart', 'ship.index.hbs: rebuild']);
  await watcher.close();
});

describe('In development', () => {
  const browser = withBrowser();

  /** Serves an application like `pergola dev` and shows it in a browser. */
  async function develop(prepare: (addon: ReturnType<typeof writeAddon>) => void = () => {}) {
    const addon = writeAddon();
    prepare(addon);
    const { root, save, savePage } = addon;
    const app = await createTestApp({ addons: ['edited'], roots: [root], dev: true });
    const http = await serveHttp(app.application);
    const openings: string[] = [];
    const development = new Development({
      application: app.application,
      folders: [root],
      onSaved: () => {},
      log: createLog('silent'),
      queries: { text: () => 'No queries.' },
      openAnew: async () => {
        openings.push('application');
        return null;
      },
    });
    const server = createServer((req, res) => development.handle(req, res) || http.server.emit('request', req, res));
    await development.ready;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { page } = await browser.openPage({ baseUrl: `http://localhost:${port}` });
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    const listening = page.waitForRequest('**/_dev/events');
    await page.goto('/edited');
    await listening;
    const shows = (text: string) => page.getByText(text, { exact: true }).waitFor();
    const close = async (): Promise<void> => {
      await page.close();
      await development.close();
      server.closeAllConnections();
      server.close();
      await app.close();
    };
    return { save, savePage, page, shows, warnings, asked: openings, [Symbol.asyncDispose]: close };
  }

  it('a saved template, a new file and a repaired fault are seen at once; a fault is told and the site stays', async () => {
    await using site = await develop();
    await site.shows('One');
    await sleep(300);
    site.savePage('<h1>Two</h1>');
    await site.shows('Two');

    site.savePage('<h1>Three</h1>{{#if');
    await until(() => site.warnings.length > 0);
    expect(site.warnings[0]).toMatch(/The saved change can't be served.*\n.*edited templates\/edited\.page\.hbs/);
    await site.page.reload();
    await site.shows('Two');

    site.save('templates/edited.part.hbs', '<p>A part</p>');
    site.savePage('<h1>Four</h1>{{> edited.part}}');
    await site.shows('A part');

    site.save('islands/knob.props.ts', "import { z } from 'pergola';\nexport default z.object({});\n");
    expect(site.asked).toEqual([]);
    await until(() => site.asked.length > 0);
    expect(site.asked).toEqual(['application']);
  });

  it('a saved style sheet or island takes its place on the page, and what was typed stays', async () => {
    const island = (label: string) => `import { useState } from 'react';
export default function Counter() {
  const [count, setCount] = useState(0);
  return <button type="button" onClick={() => setCount(count + 1)}>{'${label} ' + count}</button>;
}
`;
    await using site = await develop(({ save, savePage }) => {
      save('islands/counter.props.ts', "import { z } from 'pergola';\nexport default z.object({});\n");
      save('islands/counter.tsx', island('First'));
      save('styles/edited.scss', 'h1 { color: rgb(1, 2, 3); }');
      savePage('<h1>One</h1><label>Name <input></label>{{island "edited.Counter" (object) on="load"}}');
    });
    const { page, save, shows } = site;
    const isColored = (color: string) =>
      page.waitForFunction(
        (color) => getComputedStyle(document.querySelector('h1') ?? document.body).color === color,
        color,
      );
    await isColored('rgb(1, 2, 3)');
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button').click();
    await shows('First 1');

    save('styles/edited.scss', 'h1 { color: rgb(4, 5, 6); }');
    await isColored('rgb(4, 5, 6)');
    save('islands/counter.tsx', island('Second'));
    await shows('Second 1');
    await page.getByRole('button').click();
    await shows('Second 2');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
    expect(site.warnings).toEqual([]);
  });

  it('saved server code is served by a new application, and Ctrl-C ends it', async () => {
    const { root, save } = writeAddon();
    const server = await startServer({
      command: [path.join(repository, 'bin/pergola.js'), 'dev'],
      env: { ADDONS_PATH: root, DEMO: 'false' },
    });
    try {
      const previousOpening = await openingOf(server.url);
      await sleep(500);
      const visitor = watchSite(server.url);
      save('services.ts', 'export const a = 1;\n');
      await until(async () => ![previousOpening, ''].includes(await openingOf(server.url).catch(() => '')));
      expect(await visitor.stop()).toEqual({ failures: [] });
      expect(await server.stop('SIGINT')).toBe(0);
    } finally {
      await server.remove();
    }
  });
});

/** Requests a page continuously. */
function watchSite(url: string): { stop(): Promise<{ failures: unknown[] }> } {
  const failures: unknown[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const answer = await fetch(`${url}/web/login`).catch((error: unknown) => ({ status: String(error) }));
      if (answer.status !== 200) failures.push(answer.status);
      await sleep(5);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return { failures };
    },
  };
}

/** Reads the application's id from the events sent to pages. */
async function openingOf(url: string): Promise<string> {
  const stop = new AbortController();
  try {
    const reader = (await fetch(`${url}/_dev/events`, { signal: stop.signal })).body?.getReader();
    let received = '';
    while (!/"generation":"(\d+)\./.test(received)) received += new TextDecoder().decode((await reader?.read())?.value);
    return /"generation":"(\d+)\./.exec(received)?.[1] ?? '';
  } finally {
    stop.abort();
  }
}
