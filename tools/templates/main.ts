import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { formatTemplate } from './format.ts';
import { firstDifference } from './meaning.ts';

// `npm run format` gives `--write`; without it the files that are not formatted are named.
const write = process.argv.includes('--write');
for (const file of globSync('{addons,core,tools}/**/templates/*.hbs').sort()) {
  const source = readFileSync(file, 'utf8');
  try {
    const formatted = formatTemplate(source);
    if (formatted === source) continue;
    if (!write) fail(`${file} is not formatted. Run "npm run format".`);
    else if (isSame(file, source, formatted)) writeFileSync(file, formatted);
  } catch (error) {
    fail(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A formatter that changed what a page shows would be found by its readers; so it looks itself. */
function isSame(file: string, source: string, formatted: string): boolean {
  const difference = firstDifference(source, formatted, file.endsWith('.patch.hbs'));
  if (difference) fail(`${file} is left as it is: formatted, it would show something else. ${difference}`);
  return difference === undefined;
}

function fail(text: string): void {
  console.error(text);
  process.exitCode = 1;
}
