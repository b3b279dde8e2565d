import path from 'node:path';
import { repository } from '@pergola/core';
import { build } from 'esbuild';
import { authorFirst, withSourcePlaces } from '../source-places.ts';

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

test('The line of the addon comes first, and calls of the core are only counted', () => {
  const folder = path.join(repository, 'tools/testing/fixtures/fx_islands');
  const stack = [
    'Island fx_islands.Fading in templates/fx.page.hbs:3: Error: differs',
    '    at render (http://localhost:8000/_assets/core/react-dom.ABC.js:1:1)',
    '    at b (<anonymous>)',
    '    at Fading (tools/testing/fixtures/fx_islands/islands/fading.tsx:2:16)',
    '    at Alive (http://localhost:8000/_assets/core/islands.ABC.js:1:1)',
  ].join('\n');
  const text = authorFirst(stack, new Map([['fx_islands', folder]]));
  expect(text).toMatch(
    /^fx_islands islands\/fading\.tsx:2: Island fx_islands\.Fading in templates\/fx\.page\.hbs:3: Error: differs\n {2}1 \|.*\n> 2 \| export default function Fading/,
  );
  expect(text).not.toContain('/_assets/core/');
  expect(text).toContain('… 2 calls within Pergola and its packages');
  const unplaced = stack.replace(/\(tools.*\)/, '(<anonymous>)');
  expect(authorFirst(unplaced, new Map([['fx_islands', folder]]))).toMatch(
    /^fx_islands islands\/fading\.tsx:2: Island/,
  );
  expect(authorFirst('Error: elsewhere', new Map([['fx_islands', folder]]))).toBe('Error: elsewhere');
});
