import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parts } from '../../../parts.ts';
import { repository } from '../../base/addon-folders.ts';
import { variablesOf } from '../../base/config.ts';

test('.env.example names every variable, with what it means', () => {
  const text = readFileSync(join(repository, '.env.example'), 'utf8');
  const documented = [...text.matchAll(/^# (.+)\n#(\w+)=/gm)].map(([, meaning = '', name = '']) => [name, meaning]);
  const declared = Object.entries(variablesOf(parts)).map(([name, { description }]) => [name, description]);
  expect(documented.toSorted()).toEqual(declared.toSorted());
});
