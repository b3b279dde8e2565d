import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '@pergola/core';
import type { Plugin } from 'esbuild';

/**
 * Functions called by modules that swc prepared for React Fast Refresh; `tools/dev/browser/page-client.ts` defines `pergolaRefresh`.
 * Appended as hoisted functions, so the module's lines keep their numbers.
 */
const registration = (id: string): string =>
  `function $RefreshReg$(type, name) { globalThis.pergolaRefresh?.register(type, ${JSON.stringify(`${id} `)} + name); }\n` +
  'function $RefreshSig$() { return globalThis.pergolaRefresh?.createSignature() ?? ((type) => type); }\n';

const jsxDev = `import { jsx, jsxs } from 'react/jsx-runtime';
export { Fragment } from 'react/jsx-runtime';
export const jsxDEV = (type, props, key, isStatic) => (isStatic ? jsxs : jsx)(type, props, key);
`;

/** In development: registers components with React Fast Refresh, so that saved ones replace those on the page and keep their state. */
export const fastRefresh: Plugin = {
  name: 'pergola-fast-refresh',
  setup(build) {
    // swc emits calls of the development JSX runtime, which pages don't load; these are mapped to the production functions, which take
    // fewer arguments.
    build.onResolve({ filter: /^react\/jsx-dev-runtime$/ }, ({ path: name }) => ({ path: name, namespace: 'jsx-dev' }));
    build.onLoad({ filter: /./, namespace: 'jsx-dev' }, () => ({ contents: jsxDev, resolveDir: repository }));
    build.onLoad({ filter: /\.tsx$/, namespace: 'file' }, async ({ path: file }) => {
      if (file.includes(`${path.sep}node_modules${path.sep}`)) return null;
      // Imported on demand, since only development needs it.
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
      // esbuild reports the syntax error.
      if (code === null) return null;
      return { contents: `${code}\n${registration(path.relative(repository, file))}`, loader: 'js' };
    });
  },
};
