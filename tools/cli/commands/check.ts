import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command, CommandIo } from '@pergola/core';
import { addonFolders, addonRoots, registerResolve, repository, UsageError } from '@pergola/core';
import { checkArchitecture } from '../../architecture/check.ts';
import { modelWarnings } from '../../architecture/models.ts';
import { describeViolation, type Violation } from '../../architecture/problem.ts';
import { checkSupplyChain } from '../../architecture/supply-chain.ts';
import { checkTexts, translationNotes } from '../../architecture/texts.ts';
import { sizeFaults } from '../../sizes/sizes.ts';
import { checkTemplates, configOf } from '../../templates/checks.ts';
import { Compiler } from '../../templates/compiler.ts';
import { floatingPromises } from '../../templates/floating-promises.ts';
import { writeTemplateTypes } from '../../templates/needs.ts';
import { faultLine, formatTemplates } from '../../templates/run.ts';
import { type Fault, TemplateSources } from '../../templates/sources.ts';
import { typeFaults } from '../../templates/type-faults.ts';
import { describeBuildProblems } from '../build-problems.ts';
import { usesColors } from '../colors.ts';
import { isShipped, type SelectedAddons, selectAddons } from '../selected-addons.ts';
import { Steps } from '../steps.ts';

export const command: Command = {
  summary:
    'Checks addons: format, lint, templates, types, architecture rules, texts and their French translations, unawaited promises, ' +
    'asset sizes. In the repository: architecture, packages, declarations, texts and sizes of all addons',
  usage: '[<addon or folder>… [--format]]',
  details: ['  --format  formats the files instead of checking them'],
  options: { format: { type: 'boolean' } },
  async run({ words, options, io }) {
    const selected = selectAddons(words);
    if (selected.note !== null) io.err(selected.note);
    const isFormatting = options.format === true;
    if (selected.isWhole && isFormatting) throw new UsageError('Name an addon, or run "npm run format" to format all.');
    const steps = new Steps(io);
    if (selected.isWhole) await checkRepository(steps, io);
    else if (isFormatting) await steps.run('Format', () => format([...selected.folders.values()], true, io));
    else await checkAddons(selected, steps, io);
    return steps.problemCount > 0 ? 1 : 0;
  },
};

async function checkRepository(steps: Steps, io: CommandIo): Promise<void> {
  const roots = addonRoots(process.env.ADDONS_PATH);
  await steps.run('Architecture', () => violationLines(checkArchitecture(repository, roots.slice(1))));
  await steps.run('Packages', async () => violationLines(await checkSupplyChain(repository)));
  const folders = new Map([['core', join(repository, 'core')], ...addonFolders(roots)]);
  await steps.run('Texts', async () => violationLines(await checkTexts(repository, folders)));
  await steps.run('Declarations', () => describeBuildProblems(roots));
  await steps.run('Size of scripts and styles', () => sizeFaults(roots));
  for (const warning of await modelWarnings(roots)) io.err(`warning: ${warning}`);
}

/** Runs all checks of some addons, even if earlier ones fail. */
async function checkAddons(selected: SelectedAddons, steps: Steps, io: CommandIo): Promise<void> {
  const addons = selected.folders;
  const folders = [...addons.values()];
  const { roots } = selected;
  const configs = [...new Set(folders.map(configOf))];
  using opened = new DisposableStack();
  opened.defer(registerResolve(roots));
  await steps.run('Settings', () => folders.filter((folder) => !isShipped(folder)).flatMap(settingsMissing));
  await steps.run('Format and lint', () => format(folders, false, io));
  await steps.run('Declarations', () => describeBuildProblems(roots, new Set(addons.keys())));
  const faults: Fault[] = [];
  let types: () => string[] = () => [];
  let promises: Promise<Fault[]> = Promise.resolve([]);
  await steps.run('Templates, values and addresses', async () => {
    const sources = await TemplateSources.read(roots);
    writeTemplateTypes(sources, configs);
    promises = Promise.all(folders.map(floatingPromises)).then((lists) => lists.flat());
    // Its own step reports it.
    promises.catch(() => {});
    const compiler = opened.use(new Compiler(configs));
    const checked = await checkTemplates(sources, compiler.projects, addons);
    faults.push(...checked.faults);
    types = () =>
      folders.flatMap((folder) => typeFaults(compiler.project(configOf(folder)), folder, faults)).map(faultLine);
    return { lines: faults.map(faultLine), skipped: checked.isWhole ? null : 'field names and addresses' };
  });
  await steps.run('Types', () => types());
  await steps.run('Promises', async () => (await promises).map(faultLine));
  await steps.run('Rules', () => violationLines(checkArchitecture(repository, roots.slice(1), folders)));
  await steps.run('Texts', async () => violationLines(await checkTexts(repository, addons)));
  await steps.run('Size of scripts and styles', () => sizeFaults(roots, new Set(addons.keys())));
  for (const note of await translationNotes(addons)) io.err(`note: ${note}`);
  for (const warning of await modelWarnings(roots))
    if (addons.has(/^\w+/.exec(warning)?.[0] ?? '')) io.err(`warning: ${warning}`);
}

/** Tool settings that an outside addon needs but lacks. */
function settingsMissing(folder: string): string[] {
  return ['tsconfig.json', 'biome.json']
    .filter((name) => !existsSync(join(folder, name)))
    .map((name) => {
      const file = relative('', join(folder, name));
      return `${file}:1: This file is missing, so the code isn't checked properly. Copy it from an addon created with "pergola new --outside".`;
    });
}

/** Formats violations with paths relative to the current folder. */
function violationLines(violations: readonly Violation[]): string[] {
  return violations.map((violation) =>
    describeViolation({ ...violation, file: relative('', resolve(repository, violation.file)) }),
  );
}

/** Formats templates and code of these addons, or reports unformatted files and biome's findings. */
async function format(folders: readonly string[], write: boolean, io: CommandIo): Promise<string[]> {
  const templates = folders.flatMap((folder) => globSync(join(folder, 'templates/*.hbs')).sort());
  const withSettings = folders.filter((folder) => isShipped(folder) || existsSync(join(folder, 'biome.json')));
  const code = await Promise.all(
    withSettings.map((folder) => biome(folder, write ? ['check', '--write'] : ['ci'], io)),
  );
  return [...formatTemplates(templates, write), ...code.flat()];
}

/** Biome's errors for a folder's code as one text, if there are any. Warnings are only printed. */
async function biome(folder: string, options: readonly string[], io: CommandIo): Promise<string[]> {
  const program = join(repository, 'node_modules/@biomejs/biome/bin/biome');
  const colors = `--colors=${usesColors(process.stderr) ? 'force' : 'off'}`;
  const child = spawn(process.execPath, [program, ...options, colors, '.'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const output = `${err}${out}`.trim();
  if (code !== 0) return [output];
  if (/Found \d+ warning/.test(output)) io.err(output);
  return [];
}
