import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { repository } from '../start/alias.ts';
import { vendorModules } from './names.ts';

const require = createRequire(import.meta.url);
const namespace = 'vendor';

/**
 * Builds React once for everybody: a module per name of the import map, over shared chunks. Answers names to files below `outdir`.
 */
export async function buildVendor(outdir: string, dev: boolean): Promise<Record<string, string>> {
  const { outputs } = (
    await build({
      entryPoints: Object.fromEntries(vendorModules.map((name) => [name.replaceAll('/', '-'), `vendor:${name}`])),
      outdir,
      entryNames: '[name].[hash]',
      chunkNames: 'chunk.[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      minify: !dev,
      legalComments: 'none',
      metafile: true,
      absWorkingDir: repository,
      define: { 'process.env.NODE_ENV': JSON.stringify(dev ? 'development' : 'production') },
      plugins: [
        {
          name: 'vendor-entries',
          setup(builder) {
            builder.onResolve({ filter: /^vendor:/ }, ({ path: name }) => ({
              path: name.slice('vendor:'.length),
              namespace,
            }));
            builder.onLoad({ filter: /.*/, namespace }, ({ path: name }) => ({
              contents: namedExports(name),
              resolveDir: repository,
            }));
          },
        },
      ],
    })
  ).metafile;
  const files = Object.entries(outputs).flatMap(([file, { entryPoint }]) =>
    entryPoint?.startsWith(`${namespace}:`) ? [[entryPoint.slice(namespace.length + 1), path.basename(file)]] : [],
  );
  return Object.fromEntries(files);
}

/** React's packages are CommonJS: their names have to be written out to be imported by name. */
function namedExports(name: string): string {
  const names = Object.keys(require(name) as object).filter(
    (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default',
  );
  return `import all from ${JSON.stringify(name)};\nexport default all;\nexport const { ${names.join(', ')} } = all;`;
}

/** Changes when React or the build itself does. */
export function vendorKey(dev: boolean): string {
  const versions = ['react', 'react-dom', 'esbuild'].map(
    (name) => (require(`${name}/package.json`) as { version: string }).version,
  );
  return createHash('sha256')
    .update(JSON.stringify([versions, dev, vendorModules]))
    .digest('hex')
    .slice(0, 16);
}
