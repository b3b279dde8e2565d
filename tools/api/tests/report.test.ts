import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportFace } from '../report.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'face-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Reports the face of `index.ts` among these files. */
function report(files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return reportFace(join(folder, 'index.ts'));
}

test('says each exported name with its types, wherever it is declared, and not how it is done', () => {
  const text = report({
    'index.ts': `export { z } from 'zod';\nexport * from './more.ts';\nexport { inner as outer } from './inner.ts';`,
    'more.ts': `/** Counts. */\nexport function count(of: Bag, from = 0): number { return secret(of) + from; }\ninterface Bag { /** how many */ readonly size: number }\nfunction secret(bag: Bag) { return bag.size; }`,
    'inner.ts': `export class inner { #own = 1; private hidden(): void {} shown(): number { return this.#own; } }`,
  });
  expect(text).toContain('function count(of: Bag, from = 0): number …');
  expect(text).toContain('shown(): number …');
  expect(text).toContain('z: from zod');
  expect(text).toMatch(/\/\/ Written with\s+interface Bag \{\s*readonly size: number/);
  expect(text).not.toMatch(/secret|#own|hidden|Counts|how many/);
});

test('keeps what is deprecated, and changes with a type alone', () => {
  const face = (type: string): string =>
    report({ 'index.ts': `/** Old.\n * @deprecated since 1.2.0: use days. */\nexport const day: ${type} = 1;` });
  expect(face('number')).toContain('/** @deprecated since 1.2.0: use days. */');
  expect(face('number')).not.toBe(face('bigint'));
});
