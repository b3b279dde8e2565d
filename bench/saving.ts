import { execFile } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { repository } from '@pergola/core';
import { startBrowser } from '../tools/testing/browser.ts';
import { median, startServer, watchGaps } from './harness.ts';

/**
 * Time from saving a file to seeing the change in Chromium, with all shipped addons and an addon outside the repository, whose files are
 * saved. While server code is saved, its page is requested continuously: no request may fail.
 */
const { values } = parseArgs({ options: { turns: { type: 'string' } } });
const turns = Number(values.turns ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'pergola-saving-'));

function save(file: string, content: string): void {
  const target = join(folder, 'addons/saved', file);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}

/** A kind of file: how to save it with a new word, and how to read the word from the page. */
interface Kind {
  readonly name: string;
  /** In seconds. */
  readonly limit: number;
  readonly save: (word: string) => void;
  /** Runs in the page and returns the word it shows. */
  readonly shown: () => string | null | undefined;
}

const kinds: readonly Kind[] = [
  {
    name: 'template',
    limit: 0.3,
    save: (word) =>
      save(
        'templates/saved.page.hbs',
        `<!doctype html>
<html lang="{{lang}}">
<head><title>Saved</title><link rel="icon" href="data:,">{{assets}}{{stylesheet "saved.page"}}</head>
<body><main><p id="template">${word}</p><p id="text">{{t "A word"}}</p><p id="style">style</p><p id="code">{{word}}</p>
<div id="island">{{island "saved.Word" on="load"}}</div></main></body>
</html>
`,
      ),
    shown: () => document.querySelector('#template')?.textContent,
  },
  {
    name: 'text',
    limit: 0.3,
    save: (word) =>
      save(
        'i18n/fr.po',
        `msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n#. module: saved\nmsgid "A word"\nmsgstr "${word}"\n`,
      ),
    shown: () => document.querySelector('#text')?.textContent,
  },
  {
    name: 'style',
    limit: 0.3,
    save: (word) => save('styles/page.page.scss', `#style::after {\n  content: '${word}';\n}\n`),
    shown: () => {
      const element = document.querySelector('#style');
      return element && getComputedStyle(element, '::after').content.slice(1, -1);
    },
  },
  {
    name: 'island',
    limit: 0.6,
    save: (word) =>
      save(
        'islands/word.tsx',
        `import { useEffect, useState } from 'react';

export default function Word() {
  const [isAlive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return <b data-alive={isAlive}>${word}</b>;
}
`,
      ),
    shown: () => document.querySelector('#island b[data-alive="true"]')?.textContent,
  },
  {
    name: 'server code',
    limit: 1,
    save: (word) =>
      save(
        'routes/page.ts',
        `import { route } from 'pergola';

export const page = route.page('/saved', { name: 'saved.page', multilang: true }, ({ render }) =>
  render('saved.page', { word: '${word}' }),
);
`,
      ),
    shown: () => document.querySelector('#code')?.textContent,
  },
];

save(
  'addon.ts',
  `import { defineAddon } from 'pergola';
import { page } from './routes/page.ts';

export default defineAddon({ name: 'saved', title: 'Saved', summary: 'Is saved', version: '1.0.0', depends: ['website'], routes: [page] });
`,
);
save('islands/word.props.ts', "import { z } from 'pergola';\n\nexport default z.object({});\n");
for (const kind of kinds) kind.save('begin');
mkdirSync(join(folder, 'data'));

const server = await startServer({
  command: [join(repository, 'bin/pergola.js'), 'dev'],
  env: { DATA_DIR: join(folder, 'data'), ADDONS_PATH: join(folder, 'addons'), DEMO: 'false', LOG_LEVEL: 'warn' },
  timeout: 180_000,
});
const run = promisify(execFile);
const browser = await startBrowser();
try {
  // Addons outside the repository aren't enabled automatically.
  const env = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    ADDONS_PATH: join(folder, 'addons'),
    LOG_LEVEL: 'error',
  };
  await run(process.execPath, [join(repository, 'bin/pergola.js'), 'enable', 'saved', '--yes'], { cwd: folder, env });
  while (!(await fetch(`${server.url}/fr/saved`)).ok) await sleep(200);
  const { page } = await browser.openPage({ baseUrl: server.url, locale: 'fr-FR' });
  // The page checks before each frame: polling from here would take longer than the measured time, because the page reloads in between.
  const seen = new EventEmitter();
  await page.exposeFunction('seen', (word: string, time: number) => seen.emit(word, time));
  await page.addInitScript(`
    const kinds = [${kinds.map(({ shown }) => shown.toString()).join()}];
    const before = [];
    (function poll() {
      kinds.forEach((shownWord, number) => {
        const word = document.body && shownWord();
        if (word && word !== before[number]) seen(word, Date.now());
        before[number] = word;
      });
      requestAnimationFrame(poll);
    })();`);
  await page.goto('/fr/saved');
  console.log('| saved | seen after (median) | each | limit | load of the machine | failed requests |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const kind of kinds) {
    const saveTimes: number[] = [];
    const failures: string[] = [];
    for (let turn = 0; turn <= turns; turn++) {
      // Waits until the restart has settled and the next process is on standby.
      await sleep(kind.name === 'server code' ? 6_000 : 1_000);
      const gaps = watchGaps(`${server.url}/fr/saved`, 25);
      const word = `${kind.name.replace(' ', '')}${turn}`;
      const seenAt = once(seen, word, { signal: AbortSignal.timeout(60_000) });
      const savedAt = Date.now();
      kind.save(word);
      const [shownAt] = (await seenAt) as [number];
      // The first save of each kind also loads the build tools.
      if (turn > 0) saveTimes.push((shownAt - savedAt) / 1000);
      failures.push(...(await gaps.stop()).failures);
    }
    console.log(
      `| ${kind.name} | ${median(saveTimes).toFixed(2)} s | ${saveTimes.map((seconds) => seconds.toFixed(2)).join(', ')} | ${kind.limit} s | ${loadavg()[0]?.toFixed(1)} | ${failures.length === 0 ? 0 : `${failures.length}: ${failures[0]}`} |`,
    );
  }
} finally {
  await browser.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
