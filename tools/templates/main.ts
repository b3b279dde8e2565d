import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { addonRoots } from '../../core/base/addon-folders.ts';
import { checkArguments } from './check-arguments.ts';
import { checkValues } from './check-values.ts';
import { formatTemplate } from './format.ts';
import { firstDifference } from './meaning.ts';
import { writeTemplateTypes } from './needs.ts';
import { TemplateSources } from './sources.ts';

// node tools/templates/main.ts types | check | format
const [word] = process.argv.slice(2);
const roots = addonRoots(process.env.ADDONS_PATH);
if (word !== 'types') format(word === 'format');
if (word !== 'format') {
  const sources = await TemplateSources.read(roots);
  writeTemplateTypes(sources);
  if (word === 'check') check(sources);
}

function check(sources: TemplateSources): void {
  for (const { file, line, message } of [...checkArguments(sources), ...checkValues(sources)])
    fail(`${file}:${line}: ${message}`);
}

/** Formats the templates, or names those that are not formatted. */
function format(write: boolean): void {
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
