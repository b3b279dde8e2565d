import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '@pergola/core';
import { addonsWithNeeds } from '../addon-closure.ts';

describe('The addons of a test', () => {
  test('come with those they need', () => {
    expect([...addonsWithNeeds(['fx_needs_broken']).keys()].at(-1)).toBe('fx_needs_broken');
  });

  test('are refused where a name is misspelt, with the one that was meant', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'addons-'));
    const fixture = path.join(repository, 'tools/testing/fixtures/fx_hello');
    cpSync(fixture, path.join(root, 'club'), { recursive: true });
    const file = path.join(root, 'club/addon.ts');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/name: 'fx_hello',/, "name: 'club',\n  depends: ['websit'],"),
    );
    expect(() => addonsWithNeeds(['club'], [root])).toThrow(
      /club addon\.ts:\d+: depends on "websit", which is in none of the addon folders\. Did you mean “website”\?/,
    );
    expect(() => addonsWithNeeds(['clubb'], [root])).toThrow('There is no addon "clubb". Did you mean “club”?');
  });
});
