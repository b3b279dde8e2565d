import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '@pergola/core';
import type { Plugin } from 'esbuild';

/**
 * What a module calls that swc prepared for React Fast Refresh; `tools/dev/browser/page-client.ts` makes `pergolaRefresh`. Functions are there before the
 * first line of the module, whose lines keep their numbers.
 */
const registration = (id: string): string =>
  `function $RefreshReg$(type, name) { globalThis.pergolaRefresh?.register(type, ${JSON.stringify(`${id} `)} + name); }\n` +
  'function $RefreshSig$() { return globalThis.pergolaRefresh?.createSignature() ?? ((type) => type); }\n';

const jsxDev = `import { jsx, jsxs } from 'react/jsx-runtime';
export { Fragment } from 'react/jsx-runtime';
export const jsxDEV = (type, props, key, isStatic) => (isStatic ? jsxs : jsx)(type, props, key);
`;

/** In development: has components register with React Fast Refresh, so that saved ones take the place of those on the page and keep their state. */
export const fastRefresh: Plugin = {
  name: 'pergola-fast-refresh',
  setup(build) {
    // swc writes calls for development, which pages don't load: they are those of other islands, with fewer arguments.
    build.onResolve({ filter: /^react\/jsx-dev-runtime$/ }, ({ path: name }) => ({ path: name, namespace: 'jsx-dev' }));
    build.onLoad({ filter: /./, namespace: 'jsx-dev' }, () => ({ contents: jsxDev, resolveDir: repository }));
    build.onLoad({ filter: /\.tsx$/ }, async ({ path: file }) => {
      if (file.includes(`${path.sep}node_modules${path.sep}`)) return null;
      // Only development needs it.
      const { transform } = await import('@swc/core');
      const source = await readFile(file, 'utf8');
      const code = await transform(source, {
        filename: file,
        sourceMaps: 'inline',
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', development: true, refresh: true } },
        },
        swcrc: false,
        configFile: false,
      }).then(
        (transformed) => transformed.code,
        () => null,
      );
      // esbuild says what is wrong with it.
      if (code === null) return null;
      return { contents: `${code}\n${registration(path.relative(repository, file))}`, loader: 'js' };
    });
  },
};
