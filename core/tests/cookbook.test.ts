import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../base/addon-folders.ts';
import { cookbook, unnamed, writeCookbook } from './cookbook.ts';

const root = writeCookbook();
process.env.ADDONS_PATH = path.join(root, 'addons');
afterAll(() => rmSync(root, { recursive: true }));

describe('The cookbook', () => {
  it('holds no code that does not run', () => expect(unnamed).toEqual([]));

  it('fits the types', async () => {
    const config = {
      extends: '../../tsconfig.json',
      compilerOptions: {
        paths: {
          '#addons/studio': ['./addons/studio/index.ts'],
          '#addons/fx_*': ['../../tools/testing/fixtures/fx_*/index.ts'],
        },
      },
      // Core first: what it says of its own points would be lost behind what an addon adds to them.
      include: ['../../core', 'addons'],
      // Tests that load addons would bring a part of them.
      exclude: ['../../core/**/tests'],
    };
    writeFileSync(path.join(root, 'tsconfig.json'), JSON.stringify(config));
    const compiler = path.join(repository, 'node_modules/typescript/bin/tsc');
    const run = promisify(execFile)(process.execPath, [compiler, '--project', root]);
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  }, 120_000);
});

// The tests of the recipes: what each page says that one sees.
for (const { file } of cookbook.filter((one) => one.file.endsWith('.test.ts')))
  await import(path.join(root, 'addons/studio', file));
