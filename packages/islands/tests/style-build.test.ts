import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStyle } from '../style-build.ts';

/** A folder of an addon with one style sheet. */
function sheet(text: string): { file: string; out: string } {
  const addon = mkdtempSync(join(tmpdir(), 'styles-'));
  mkdirSync(join(addon, 'styles'));
  const file = join(addon, 'styles/public.scss');
  writeFileSync(file, text);
  return { file, out: join(addon, 'out') };
}

test('A style sheet is compiled beside the requests, which go on meanwhile', async () => {
  const { file, out } = sheet(`@use 'bootstrap/scss/bootstrap';\n.mine { color: red; .inner { color: blue; } }`);
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const began = performance.now();
  const { style, problems } = await buildStyle('fx_styles', file, out, false);
  clearInterval(timer);
  expect(problems).toEqual([]);
  expect(
    readFileSync(join(out, style?.file ?? ''), 'utf8')
      .trimEnd()
      .slice(-40),
  ).toMatch(/\.mine \.inner\{color:blue\}$/);
  expect(style?.inputs).toEqual(expect.arrayContaining([file]));
  // Compiled in this thread, nothing would have run until it was done.
  expect(longest).toBeLessThan((performance.now() - began) / 2);
});

test('A fault in a style sheet is a problem of its addon, with file and line', async () => {
  const { file, out } = sheet('.fine { color: red; }\n.bad { color: $nowhere; }');
  expect(await buildStyle('fx_styles', file, out, true)).toEqual({
    problems: [{ addon: 'fx_styles', file: 'styles/public.scss', line: 2, message: 'Undefined variable.' }],
  });
});

test('A style sheet with letters beyond ASCII begins with its first rule: sheets are joined', async () => {
  const { file, out } = sheet(`.first { color: red; }\n.second::before { content: '›'; }`);
  const { style } = await buildStyle('fx_styles', file, out, false);
  expect(readFileSync(join(out, style?.file ?? ''), 'utf8')).toMatch(/^\.first\{/);
});
