import { usesColors, withColors } from '../colors.ts';
import { Steps } from '../steps.ts';

describe('Colours', () => {
  test.each([
    ['a terminal', true, {}, true],
    ['a pipe', undefined, {}, false],
    ['a terminal that has none', true, { TERM: 'dumb' }, false],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['a pipe with FORCE_COLOR', undefined, { FORCE_COLOR: '1' }, true],
    ['a pipe with an empty FORCE_COLOR', undefined, { FORCE_COLOR: '' }, true],
    ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['both variables', undefined, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('on %s', (_what, isTTY, env, expected) => {
    expect(usesColors({ isTTY }, env)).toBe(expected);
    // All child processes understand FORCE_COLOR, and warn if both variables are set.
    expect(withColors({ isTTY }, { ...env, LANG: 'fr' })).toEqual({
      ...('TERM' in env && { TERM: env.TERM }),
      LANG: 'fr',
      FORCE_COLOR: expected ? '1' : '0',
    });
  });
});

test('Steps are announced, show what they find, and say how long they took', async () => {
  const lines: string[] = [];
  const steps = new Steps({ out: (line) => lines.push(line), err: (line) => lines.push(`! ${line}`) });
  await steps.run('Types', () => []);
  await steps.run('Rules', async () => {
    expect(lines.at(-1)).toBe('Rules …');
    return ['a.ts:1: wrong'];
  });
  await steps.run('Texts', () => ['a.po:1: wrong', 'a.po:2: wrong']);
  expect(lines.map((line) => line.replace(/\d+\.\d s$/, 'n s'))).toEqual([
    'Types …',
    'Types: ok, n s',
    'Rules …',
    '! a.ts:1: wrong',
    'Rules: 1 problem, n s',
    'Texts …',
    '! a.po:1: wrong',
    '! a.po:2: wrong',
    'Texts: 2 problems, n s',
  ]);
  expect(steps.problemCount).toBe(3);
  for (const found of [[], ['a.hbs:1: wrong']])
    await steps.run('Templates', async () => ({ lines: found, skipped: 'field names' }));
  expect(lines.slice(-4).map((line) => line.replace(/\d+\.\d s$/, 'n s'))).toEqual([
    'Templates: skipped until the declarations are correct: field names, n s',
    'Templates …',
    '! a.hbs:1: wrong',
    'Templates: 1 problem; skipped until the declarations are correct: field names, n s',
  ]);
  await steps.run('Sizes', () => {
    throw new Error('  x No such island\n   |');
  });
  expect(lines.slice(-2, -1)).toEqual(["! Sizes couldn't be checked: x No such island"]);
  expect(steps.problemCount).toBe(5);
});
