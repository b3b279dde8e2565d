import path from 'node:path';
import { build } from 'esbuild';
import { repository } from '../../../core/base/addon-folders.ts';
import { withSourcePlaces } from '../source-places.ts';

test('A stack of a browser names the files that somebody wrote', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: '\n\n  throw new Error("broken");',
      sourcefile: path.join(repository, 'addons/forum/islands/vote.tsx'),
      loader: 'tsx',
    },
    outdir: path.join(repository, '.build/dev/forum/browser'),
    sourcemap: 'inline',
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  const line = script.slice(0, script.indexOf('throw')).split('\n').length;
  const column = (script.split('\n')[line - 1]?.indexOf('throw') ?? 0) + 1;
  const stack = `Error: broken\n    at Vote (http://localhost:8000/_assets/forum/vote.ABC.js:${line}:${column})\n    at x (http://localhost:8000/_assets/core/gone.js:1:1)`;
  const load = async (address: string) =>
    address === '/_assets/forum/vote.ABC.js' ? script : Promise.reject(new Error());
  expect(await withSourcePlaces(stack, load)).toBe(
    'Error: broken\n    at Vote (addons/forum/islands/vote.tsx:3:3)\n    at x (http://localhost:8000/_assets/core/gone.js:1:1)',
  );
});
