import { rmSync } from 'node:fs';
import path from 'node:path';
import { cookbook, writeCookbook } from './cookbook.ts';

const root = writeCookbook();
afterAll(() => rmSync(root, { recursive: true }));

// What the recipes test in a page without a browser.
for (const { file } of cookbook.filter((one) => one.file.endsWith('.test.tsx')))
  await import(path.join(root, 'addons/studio', file));
