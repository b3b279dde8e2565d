import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../addon-folders.ts';
import { findPackage } from '../module-resolution.ts';

const outside = realpathSync(mkdtempSync(join(tmpdir(), 'resolve-')));

function write(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(outside, file)), { recursive: true });
    writeFileSync(join(outside, file), text);
  }
}

/** Runs a script in Node with the hooks, like the start script. */
function run(text: string): string {
  const script = join(outside, 'run.mjs');
  writeFileSync(
    script,
    `import { registerResolve } from ${JSON.stringify(join(repository, 'core/base/module-resolution.ts'))};
     const undo = registerResolve(${JSON.stringify([join(repository, 'addons'), join(outside, 'addons')])});
     ${text}`,
  );
  try {
    return execFileSync(process.execPath, [script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  }
}

beforeAll(() => {
  write({
    'addons/club/addon.ts': '',
    'addons/club/index.ts': `export const name: string = 'club'; export { createElement } from 'react'; export { z } from 'zod';`,
    'addons/club/node_modules/zod/package.json': '{ "name": "zod", "main": "index.js" }',
    'addons/club/node_modules/zod/index.js': `exports.z = "the addon's own"; exports.react = () => require('react');`,
    'addons/fans/addon.ts': '',
    'addons/fans/index.ts': `import { name } from '@pergola/club'; export default 'fans of ' + name; export { z } from 'zod';`,
    'addons/lost/addon.ts': '',
    'addons/lost/index.ts': `import '@pergola/nowhere';`,
    'addons/lost/package.ts': `import 'no-such-package';`,
  });
});

describe('An addon outside the repository', () => {
  test('imports other addons, and the packages that come with Pergola', () => {
    const printed = run(`
      const fans = await import(${JSON.stringify(join(outside, 'addons/fans/index.ts'))});
      console.log(fans.default, typeof fans.z.object);`);
    expect(printed).toBe('fans of club function');
  });

  test('uses the same copy of React as everybody', () => {
    const printed = run(`
      const { createElement } = await import(${JSON.stringify(join(outside, 'addons/club/index.ts'))});
      const { createRequire } = await import('node:module');
      console.log(createElement === createRequire(${JSON.stringify(join(repository, 'package.json'))})('react').createElement);`);
    expect(printed).toBe('true');
  });

  test('keeps a package that it brings itself, which finds only what packages find', () => {
    const printed = run(`
      const { z } = await import(${JSON.stringify(join(outside, 'addons/club/index.ts'))});
      const { default: zod } = await import(${JSON.stringify(join(outside, 'addons/club/node_modules/zod/index.js'))});
      let react = 'found';
      try { zod.react(); } catch (error) { react = error.code; }
      console.log(z, react);`);
    expect(printed).toBe("the addon's own MODULE_NOT_FOUND");
  });

  test('that imports an addon which is not there is told who did, what is missing and where it was looked for', () => {
    const printed = run(`await import(${JSON.stringify(join(outside, 'addons/lost/index.ts'))});`);
    expect(printed).toContain(
      `"@pergola/nowhere", imported by ${join(outside, 'addons/lost/index.ts')}, does not exist`,
    );
    expect(printed).toContain('ADDONS_PATH');
  });

  test('that imports a package which nobody has gets the error that Node gives', () => {
    const printed = run(`await import(${JSON.stringify(join(outside, 'addons/lost/package.ts'))});`);
    expect(printed).toContain(
      `Cannot find package 'no-such-package' imported from ${join(outside, 'addons/lost/package.ts')}`,
    );
  });

  test('resolves so in jest, too', async () => {
    cpSync(join(outside, 'addons/fans'), join(outside, 'addons/jest_fans'), { recursive: true });
    const fans: { default: string; z: { object: unknown } } = await import(join(outside, 'addons/jest_fans/index.ts'));
    expect([fans.default, typeof fans.z.object]).toEqual(['fans of club', 'function']);
  });
});

describe('Packages of Pergola', () => {
  /** Finds a package that only Pergola has; null if it isn't found. */
  const borrowed = (importer: string, code = 'ERR_MODULE_NOT_FOUND'): string | null => {
    try {
      return findPackage('zod', importer, (parentURL) => {
        if (parentURL === undefined) throw Object.assign(new Error('No zod.'), { code });
        return parentURL;
      });
    } catch {
      return null;
    }
  };
  const place = pathToFileURL(join(repository, 'package.json')).href;

  test('are there for addons outside, also in a folder whose name begins as the repository’s does', () => {
    expect(borrowed(join(outside, 'addons/club/models/member.ts'))).toBe(place);
    expect(borrowed(`${repository}-addons/club/models/member.ts`)).toBe(place);
  });

  test('are there for an addon that is installed as a package, and not for its packages', () => {
    write({ 'site/node_modules/pergola-hello/dist/hello/addon.js': '' });
    const installed = join(outside, 'site/node_modules/pergola-hello/dist/hello');
    expect(borrowed(join(installed, 'islands/counter.js'))).toBe(place);
    expect(borrowed(join(installed, 'node_modules/left-pad/index.js'))).toBeNull();
    expect(borrowed(join(outside, 'site/node_modules/left-pad/index.js'))).toBeNull();
  });

  test('don’t replace one that is there and doesn’t export what is asked for', () => {
    expect(borrowed(join(outside, 'addons/club/index.ts'), 'ERR_PACKAGE_PATH_NOT_EXPORTED')).toBeNull();
  });

  test('are there in jest', async () => {
    const { default: resolveForJest } = await import('../../../tools/testing/jest/resolver.ts');
    const defaultResolver = (specifier: string, { basedir }: { basedir: string }): string => {
      if (basedir !== repository) throw new Error(`Cannot find module '${specifier}'`);
      return basedir;
    };
    const ask = (basedir: string) => resolveForJest('zod', { basedir, defaultResolver });
    expect(ask(`${repository}-addons/club`)).toBe(repository);
    expect(() => ask(join(repository, 'addons'))).toThrow('Cannot find module');
  });
});

test('What the hooks taught can be undone', () => {
  expect(run(`undo(); await import('@pergola/club');`)).toContain('ERR_MODULE_NOT_FOUND');
});
