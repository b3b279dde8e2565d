import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { repository } from '@pergola/core';
import type { BuildOptions, Plugin } from 'esbuild';
import { vendorModules } from './names.ts';

const require = createRequire(import.meta.url);
const namespace = 'vendor';

/**
 * Builds React once for all islands: a module per name of the import map, over shared chunks. Returns file names below `outdir` by module
 * name.
 */
export async function buildVendor(outdir: string, dev: boolean): Promise<Record<string, string>> {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    ...common(vendorModules.browser, outdir, dev),
    entryNames: '[name].[hash]',
    chunkNames: 'chunk.[hash]',
    target: 'es2022',
    minify: !dev,
    banner: compiledAtOnce,
  });
  const files = Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) =>
    entryPoint?.startsWith(`${namespace}:`) ? [[entryPoint.slice(namespace.length + 1), path.basename(file)]] : [],
  );
  return Object.fromEntries(files);
}

/**
 * Builds the React that renders pages, for production except in development, regardless of NODE_ENV (React's files check NODE_ENV, and a
 * site started without it would use the slower debug build). Files are named by `vendorFile`.
 */
export async function buildServerVendor(outdir: string, dev: boolean): Promise<void> {
  const { build } = await import('esbuild');
  await build({
    ...common(vendorModules.server, outdir, dev),
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node24',
    banner: nodeRequire,
  });
}

/**
 * React runs as soon as it loads: browsers that support this hint compile it while downloading, in parallel with the page, instead of on
 * first call.
 */
const compiledAtOnce = Object.freeze({ js: '//# allFunctionsCalledOnLoad' });

/** CommonJS packages bundled as ES modules still load Node's built-in modules with `require`. */
export const nodeRequire: { readonly js: string } = Object.freeze({
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
});

function common(names: readonly string[], outdir: string, dev: boolean): BuildOptions & { metafile: true } {
  return {
    entryPoints: Object.fromEntries(names.map((name) => [name.replaceAll('/', '-'), `vendor:${name}`])),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    legalComments: 'none',
    metafile: true,
    absWorkingDir: repository,
    define: { 'process.env.NODE_ENV': JSON.stringify(dev ? 'development' : 'production') },
    plugins: [vendorEntries],
  };
}

const vendorEntries: Plugin = {
  name: 'vendor-entries',
  setup(builder) {
    builder.onResolve({ filter: /^vendor:/ }, ({ path: name }) => ({ path: name.slice('vendor:'.length), namespace }));
    builder.onLoad({ filter: /.*/, namespace }, ({ path: name }) => ({
      contents: namedExports(name),
      resolveDir: repository,
    }));
  },
};

/** React's packages are CommonJS: named imports need their names listed. */
function namedExports(name: string): string {
  const names = Object.keys(require(name) as object).filter(
    (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default',
  );
  return `import all from ${JSON.stringify(name)};\nexport default all;\nexport const { ${names.join(', ')} } = all;`;
}

/** Changes when React or the build process does. */
export function vendorKey(dev: boolean): string {
  const versions = ['react', 'react-dom', 'esbuild'].map(
    (name) => (require(`${name}/package.json`) as { version: string }).version,
  );
  return createHash('sha256')
    .update(JSON.stringify([versions, dev, vendorModules]))
    .digest('hex')
    .slice(0, 16);
}
