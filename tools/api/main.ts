// node tools/api/main.ts [--write]: writes the public face as text to api/. Without --write it exits with 1 if the text is out of date.
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { addonFolders, repository, resolveAlias } from '@pergola/core';
import { reportFace } from './report.ts';

const folder = join(repository, 'api');
const addons = join(repository, 'addons');
const faces = [
  ...[
    '',
    '/orm',
    '/http',
    '/pages',
    '/mail',
    '/kernel',
    '/contributions',
    '/browser',
    '/islands',
    '/zones',
    '/html',
    '/testing',
  ].map((face) => `pergola${face}`),
  ...[...addonFolders([addons]).keys()].flatMap((name) =>
    ['', '/browser', '/kit', '/kit-combobox'].map((face) => `@pergola/${name}${face}`),
  ),
];

/** Files of the core that extend interfaces of other files. */
const merging = globSync('{core,packages}/**/*.ts', { cwd: repository, exclude: (path) => path.endsWith('tests') })
  .map((path) => join(repository, path))
  .filter((path) => /^declare module '(\.|@pergola\/)/m.test(readFileSync(path, 'utf8')))
  .sort();

/** Report text by file name in `api/`. */
const reports = new Map<string, string>(
  faces.flatMap((face) => {
    const file = resolveAlias(face, [addons]);
    if (file === null) return [];
    const head = `// ${face}: what may be imported of it. Written by "npm run api"; docs stand with the code.\n\n`;
    return [
      [`${face.replace(/^@pergola/, 'addons').replaceAll('/', '.')}.txt`, head + reportFace(file, merging)] as const,
    ];
  }),
);

const existingFiles = existsSync(folder) ? readdirSync(folder) : [];
const stale = [...reports].filter(
  ([name, text]) => !existingFiles.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
);
const obsoleteFiles = existingFiles.filter((name) => !reports.has(name));
if (process.argv.includes('--write')) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of stale) writeFileSync(join(folder, name), text);
  for (const name of obsoleteFiles) rmSync(join(folder, name));
} else if (stale.length + obsoleteFiles.length > 0) {
  const names = [...stale.map(([name]) => name), ...obsoleteFiles].map((name) => `api/${basename(name)}`);
  process.stderr.write(
    `The public face is not what ${names.join(', ')} ${names.length === 1 ? 'says' : 'say'}. If that is meant, run "npm run api", ` +
      'look at the difference, and say it in CHANGELOG.md.\n',
  );
  process.exitCode = 1;
}
