import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { buildAddon, buildFolder } from '../build.ts';
import { clearDrafts } from '../kept-build.ts';
import { stampsOf, unchanged } from '../stamps.ts';
import { islandFiles, temporaryFolder, writeAddon, writeFiles } from './kit.ts';

const counter = `import { useState } from 'react';
export default function Counter({ start }: { start: number }) {
  const [count, setCount] = useState(start);
  return <button type="button" onClick={() => setCount(count + 1)}>{count}</button>;
}
`;

function placeFor(folder: string) {
  return { buildDir: temporaryFolder(), dev: false, roots: [path.dirname(folder)] };
}

describe('The build of an addon', () => {
  it('names files by their content, and leaves React to the page', async () => {
    const addon = writeAddon('ship', {
      ...islandFiles('counter', counter),
      'styles/ship.scss': '.a { .b { color: red } }',
    });
    const place = placeFor(addon.folder);
    const { manifest, problems } = await buildAddon(addon, place);
    expect(problems).toEqual([]);
    expect(manifest?.islands.counter?.script).toMatch(/^counter\.[A-Z0-9]{8}\.js$/);
    expect(manifest?.styles.public).toEqual([expect.stringMatching(/^ship\.[0-9a-f]{10}\.css$/)]);
    const folder = path.join(buildFolder(addon, place), 'browser');
    const script = readFileSync(path.join(folder, manifest?.islands.counter?.script ?? ''), 'utf8');
    expect(script).toMatch(/from"react"/);
    expect(script.length).toBeLessThan(500);
  });

  it('makes nothing for the server of an island that is for the browser alone', async () => {
    const alone = 'z.object({});\nexport const island = { ssr: false }';
    const addon = writeAddon('ship', {
      ...islandFiles('counter', counter),
      ...islandFiles('map', "import { word } from './parts/word.ts';\nexport default () => <b>{word}</b>;", alone),
      'islands/parts/word.ts': "export const word = 'only in browsers';",
    });
    const place = placeFor(addon.folder);
    const { manifest, problems } = await buildAddon(addon, place);
    expect(problems).toEqual([]);
    const { counter: both, map } = manifest?.islands ?? {};
    expect([both?.server, map?.server]).toEqual([expect.stringMatching(/^counter\./), '']);
    expect(map?.script).toMatch(/^map\./);
    expect(readdirSync(path.join(buildFolder(addon, place), 'server'))).toEqual([both?.server]);
  });

  it('builds nothing when nothing changed, and anew when a file, a name or a file of another addon did', async () => {
    const addon = writeAddon('ship', {
      ...islandFiles(
        'counter',
        `import { word } from '@pergola/harbour/browser';\n${counter.replace('{count}', '{word}')}`,
      ),
    });
    const harbour = path.join(path.dirname(addon.folder), 'harbour');
    writeFiles(harbour, { 'addon.ts': '', 'browser.ts': "export const word = 'one';" });
    const place = placeFor(addon.folder);
    const build = async (): Promise<number> => {
      expect((await buildAddon(addon, place)).problems).toEqual([]);
      return statSync(buildFolder(addon, place)).ino;
    };
    const first = await build();
    expect(await build()).toBe(first);
    utimesSync(path.join(addon.folder, 'islands/counter.tsx'), 1, 1);
    const second = await build();
    expect(second).not.toBe(first);
    writeFiles(harbour, { 'browser.ts': "export const word = 'another';" });
    const third = await build();
    expect(third).not.toBe(second);
    writeFiles(addon.folder, { 'behaviours/flag.ts': 'export default () => {};' });
    expect(await build()).not.toBe(third);
  });

  it('sees that a package an addon brings itself has another version', async () => {
    const addon = writeAddon(
      'ship',
      islandFiles('sail', "import { size } from 'sailcloth';\nexport default () => <b>{size}</b>;"),
    );
    const cloth = path.join(addon.folder, 'node_modules/sailcloth');
    const release = (version: string) =>
      writeFiles(cloth, {
        'package.json': JSON.stringify({ name: 'sailcloth', version, main: 'index.js' }),
        'index.js': `exports.size = ${JSON.stringify(version)};`,
      });
    release('1.0.0');
    const place = placeFor(addon.folder);
    const before = await buildAddon(addon, place);
    expect(before.problems).toEqual([]);
    release('1.0.1');
    const after = await buildAddon(addon, place);
    expect(after.manifest?.islands.sail?.script).not.toBe(before.manifest?.islands.sail?.script);
  });

  it('keeps the files of open pages for a week', async () => {
    const addon = writeAddon('ship', { 'behaviours/flag.ts': 'export default () => "one";' });
    const place = placeFor(addon.folder);
    const old = (await buildAddon(addon, place)).manifest?.behaviours.flag?.script ?? '';
    const folder = path.join(buildFolder(addon, place), 'browser');
    writeFiles(addon.folder, { 'behaviours/flag.ts': 'export default () => "another";' });
    await buildAddon(addon, place);
    expect(readdirSync(folder)).toContain(old);
    utimesSync(path.join(folder, old), 1, 1);
    writeFiles(addon.folder, { 'behaviours/flag.ts': 'export default () => "a third, longer";' });
    await buildAddon(addon, place);
    expect(readdirSync(folder)).not.toContain(old);
  });

  it('says with file and line what does not build, and keeps the build before', async () => {
    const addon = writeAddon('ship', islandFiles('counter', counter));
    const place = placeFor(addon.folder);
    await buildAddon(addon, place);
    writeFiles(addon.folder, {
      'islands/counter.tsx': "\nimport './gone.ts';\nexport default () => null;\n",
      'styles/a.scss': '\n.a { color: $nowhere }',
    });
    const { manifest, problems } = await buildAddon(addon, place);
    // Names alone, so that templates that use them are not blamed.
    expect(manifest).toMatchObject({ key: '', islands: { counter: { script: '' } } });
    expect(problems).toContainEqual(expect.objectContaining({ addon: 'ship', file: 'islands/counter.tsx', line: 2 }));
    expect(problems).toContainEqual(expect.objectContaining({ addon: 'ship', file: 'styles/a.scss', line: 2 }));
    expect(readdirSync(buildFolder(addon, place))).toContain('manifest.json');
  });

  it('refuses islands and behaviours that export nothing by default, and imports that are for the server', async () => {
    const addon = writeAddon('ship', {
      ...islandFiles('counter', 'export function Counter() { return null; }'),
      'behaviours/flag.ts': 'export const flag = 1;',
    });
    const files = (await buildAddon(addon, placeFor(addon.folder))).problems.map(({ file }) => file);
    expect(files).toEqual(['islands/counter.tsx', 'behaviours/flag.ts']);
    const other = writeAddon('boat', { 'behaviours/flag.ts': "import { z } from 'pergola';\nexport default () => z;" });
    const { problems } = await buildAddon(other, placeFor(other.folder));
    expect(problems).toEqual([
      expect.objectContaining({
        file: 'behaviours/flag.ts',
        line: 1,
        message: 'imports code that only the server can run: behaviours/flag.ts → pergola.',
        remedy: expect.stringContaining('"pergola/browser"'),
      }),
    ]);
  });

  it('names the import of the island that leads to server code, once, and the way there', async () => {
    const models = {
      'models/boat.ts': "import { model } from 'pergola';\nimport './crew.ts';\nexport const boats = model;",
      'models/crew.ts':
        "import { f } from 'pergola';\nimport { readFileSync } from 'node:fs';\nexport const crew = [f, readFileSync];",
    };
    const problemsOf = async (imports: string, more: Record<string, string> = {}) => {
      const islands = islandFiles(
        'sail',
        `import { useState } from 'react';\n${imports}\nexport default () => <b>{useState(used)}</b>;`,
      );
      const addon = writeAddon('ship', { ...islands, ...models, ...more });
      return (await buildAddon(addon, placeFor(addon.folder))).problems;
    };
    const about = { addon: 'ship', file: 'islands/sail.tsx', line: 2 };
    const remedy = expect.stringContaining('`import type`');
    const begins = 'imports code that only the server can run: islands/sail.tsx';
    expect(await problemsOf("import { boats as used } from '../models/boat.ts';")).toEqual([
      { ...about, message: `${begins} → models/boat.ts → pergola.`, remedy },
    ]);
    expect(await problemsOf("import { readFileSync as used } from 'node:fs';")).toEqual([
      { ...about, message: `${begins} → node:fs.`, remedy: 'Do this on the server, and pass the result to the page.' },
    ]);
    // A package that needs the server, with a file of it that isn't there.
    const cloth = {
      'node_modules/sailcloth/package.json': JSON.stringify({ name: 'sailcloth', main: 'index.js' }),
      'node_modules/sailcloth/index.js': "require('./weave.js'); require('loom');",
      'node_modules/sailcloth/weave.js': "require('tty');",
    };
    expect(await problemsOf("import used from 'sailcloth';", cloth)).toEqual([
      { ...about, message: `${begins} → sailcloth → tty.`, remedy },
    ]);
    // Types only lead nowhere; other faults stay as they are.
    expect(
      await problemsOf("import type { boats } from '../models/boat.ts';\nconst used: typeof boats | 0 = 0;"),
    ).toEqual([]);
    expect(await problemsOf("import { used } from './gone.ts';")).toEqual([
      { ...about, message: 'Could not resolve "./gone.ts"' },
    ]);
  });

  it('does not count as made of a file that was saved while it was made', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'a.ts': '' });
    const file = path.join(folder, 'a.ts');
    const now = Date.now();
    for (const [savedMs, isMadeOf] of [
      [now - 60_000, true],
      [now - 1000, false],
      // The clock of another machine.
      [now + 3600_000, true],
    ] as const) {
      utimesSync(file, savedMs / 1000, savedMs / 1000);
      expect(await unchanged(await stampsOf([file], now - 5000))).toBe(isMadeOf);
    }
  });

  it('is rid of what killed processes left, and leaves what others are at', async () => {
    const place = placeFor(temporaryFolder());
    const inside = path.join(place.buildDir, 'production');
    const id = '01234567-89ab-4cde-8f01-23456789abcd';
    const here = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const names = {
      killed: `ship.draft-${gone}-${here}-${id}`,
      killedLate: `ship.draft-${gone}-${here}-${id}.former`,
      running: `ship.draft-${process.pid}-${here}-${id}`,
      elsewhere: `ship.draft-${gone}-00000000-${id}`,
      forgotten: `harbour.draft-${gone}-00000000-${id}`,
      ship: 'ship',
    };
    for (const name of Object.values(names)) mkdirSync(path.join(inside, name, 'browser'), { recursive: true });
    const longAgo = Date.now() / 1000 - 7200;
    utimesSync(path.join(inside, names.forgotten), longAgo, longAgo);
    utimesSync(path.join(inside, names.ship), longAgo, longAgo);
    await clearDrafts(place.buildDir);
    expect(readdirSync(inside).sort()).toEqual([names.ship, names.running, names.elsewhere].sort());
  });

  it('leaves nothing beside its folder, also when it fails or is done twice at once', async () => {
    const addon = writeAddon('ship', islandFiles('counter', counter));
    const place = placeFor(addon.folder);
    mkdirSync(place.buildDir, { recursive: true });
    const folderNow = () => statSync(buildFolder(addon, place)).ino;
    const both = [buildAddon(addon, place), buildAddon(addon, place)];
    await Promise.race(both);
    const first = folderNow();
    expect((await Promise.all(both)).flatMap(({ problems }) => problems)).toEqual([]);
    // Whoever was second leaves the files of the first, which may be read already.
    expect(folderNow()).toBe(first);
    rmSync(path.join(addon.folder, 'islands/counter.tsx'));
    writeFiles(addon.folder, { 'islands/counter.tsx': 'export default (' });
    await buildAddon(addon, place);
    expect(readdirSync(path.dirname(buildFolder(addon, place)))).toHaveLength(1);
  });
});
