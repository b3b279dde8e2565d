import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { repository } from '../base/index.ts';

/** What a module calls that swc prepared for React Fast Refresh; `tools/dev/browser/page-client.ts` makes `pergolaRefresh`. */
const prelude = (id: string): string =>
  `var $RefreshReg$ = (type, name) => globalThis.pergolaRefresh?.register(type, ${JSON.stringify(`${id} `)} + name);\n` +
  'var $RefreshSig$ = () => globalThis.pergolaRefresh?.createSignature() ?? ((type) => type);\n';

/** In development: has components register with React Fast Refresh, so that saved ones take the place of those on the page and keep their state. */
export const fastRefresh: Plugin = {
  name: 'pergola-fast-refresh',
  setup(build) {
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
          transform: { react: { runtime: 'automatic', refresh: true } },
        },
        swcrc: false,
        configFile: false,
      }).then(
        (transformed) => transformed.code,
        () => null,
      );
      // esbuild says what is wrong with it.
      if (code === null) return null;
      return { contents: `${code}\n${prelude(path.relative(repository, file))}`, loader: 'js' };
    });
  },
};
