import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isInside, repository } from '@pergola/core';
import type { CapabilityList, Place } from './capability.ts';
import { type CodeFile, readCode } from './code-file.ts';
import { Origins } from './origins.ts';
import { prototypes } from './rules/prototypes.ts';
import type { AddonFacts } from './rules/rule.ts';
import { runtime } from './rules/runtime.ts';

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

const installScripts = ['preinstall', 'install', 'postinstall'];
/** A package with more code than this isn't analysed, in bytes. */
const MOST_CODE = 8 * 2 ** 20;

/**
 * Reports the third-party packages of an addon. Those it brings along are analysed like its own code; those of Pergola's lockfile are
 * reviewed with Pergola.
 */
export function readPackages(folder: string, facts: AddonFacts, list: CapabilityList): void {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return;
  const manifest = readManifest(file);
  const source = readFileSync(file, 'utf8');
  const at = (word: string): Place => ({ file: 'package.json', line: lineOf(source, `"${word}"`) });
  reportScripts('The addon', manifest, list, at('scripts'));
  const seen = new Set<string>();
  for (const [name, wanted] of dependenciesOf(manifest)) {
    if (name === 'pergola' || name.startsWith('@pergola/')) continue;
    if (/^(git|https?:|github:|file:|link:|\.|[\w-]+\/[\w-]+)/.test(wanted))
      list.add('package', `installs ${name} from ${wanted}`, 'high', at(name));
    const installed = findPackage(folder, name);
    if (installed === null)
      list.add('code', `the package ${name} is not installed, so it can’t be analysed`, 'high', at(name));
    else {
      const { version = '' } = readManifest(join(installed, 'package.json'));
      const powers = powersOf(installed);
      const effect = powers.length > 0 ? `, which can ${powers.join(' and ')}` : '';
      list.add('package', `uses ${name} ${version}${effect}`, powers.length > 0 ? 'medium' : 'low', at(name));
      readPackage(installed, { name, folder, facts, list, seen });
    }
  }
}

interface PackageInput {
  readonly name: string;
  /** The addon's folder. */
  readonly folder: string;
  readonly facts: AddonFacts;
  readonly list: CapabilityList;
  readonly seen: Set<string>;
}

function readPackage(installed: string, input: PackageInput): void {
  const { name, folder, facts, list, seen } = input;
  if (seen.has(installed) || isInside(join(repository, 'node_modules'), installed)) return;
  seen.add(installed);
  const manifest = readManifest(join(installed, 'package.json'));
  const nameIn = (path: string): string => relative(folder, path).split(sep).join('/');
  reportScripts(`The package ${name}`, manifest, list, { file: nameIn(join(installed, 'package.json')), line: 1 });
  const paths = listCode(installed);
  const size = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  if (size > MOST_CODE)
    list.add('code', `the package ${name} is too large to analyse`, 'high', { file: nameIn(installed), line: 1 });
  else for (const path of paths) analyse(path, { ...input, facts: { ...facts, folder: installed } }, nameIn(path));
  for (const [dependency] of dependenciesOf(manifest)) {
    const deeper = findPackage(installed, dependency);
    if (deeper) readPackage(deeper, { ...input, name: dependency });
  }
}

function analyse(path: string, { name, facts, list }: PackageInput, file: string): void {
  if (/\.(node|wasm)$/.test(path)) {
    list.add('code', `the package ${name} contains a compiled program`, 'high', { file, line: 1 });
    return;
  }
  let code: CodeFile;
  try {
    code = readCode(readFileSync(path, 'utf8'), { path, file });
  } catch {
    list.add('code', `the package ${name} has a file that can’t be analysed`, 'high', { file, line: 1 });
    return;
  }
  const origins = new Origins(code);
  for (const node of code.nodes)
    for (const rule of [runtime, prototypes])
      rule(node, {
        addon: facts,
        code,
        origins,
        report: (at, kind, what, risk) =>
          list.add(kind, `package ${name}: ${what}`, risk, { file, line: code.lineOf(at) }),
      });
}

function reportScripts(owner: string, { scripts = {} }: Manifest, list: CapabilityList, place: Place): void {
  const run = installScripts.filter((script) => scripts[script] !== undefined);
  if (run.length > 0)
    list.add(
      'package',
      `${owner} runs a program when it is installed: ${run.map((script) => scripts[script]).join('; ')}`,
      'high',
      place,
    );
}

function dependenciesOf({ dependencies, optionalDependencies }: Manifest): [string, string][] {
  return Object.entries({ ...dependencies, ...optionalDependencies });
}

function readManifest(file: string): Manifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** What a package can do, by the words in its code: enough for packages that are reviewed with Pergola. */
function powersOf(installed: string): string[] {
  const source = listCode(installed)
    .filter((path) => /\.[cm]?js$/.test(path) && statSync(path).size < MOST_CODE)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  return powers.filter(([, words]) => words.test(source)).map(([power]) => power);
}

const powers: readonly [power: string, words: RegExp][] = [
  ['contact other hosts', /(?<![\w.])fetch\(|["'](node:)?(https?|net|tls|http2|dgram)["']/],
  ['start other programs', /["'](node:)?child_process["']/],
];

/** Folder of a package as seen from another folder, as Node finds it; Pergola's own if there is no other. */
function findPackage(from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (dirname(folder) === folder) break;
  }
  const own = join(repository, 'node_modules', name);
  return existsSync(join(own, 'package.json')) ? own : null;
}

function listCode(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listCode(path);
    return entry.isFile() && /\.([cm]?js|[cm]?ts|node|wasm)$/.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name)
      ? [path]
      : [];
  });
}

function lineOf(source: string, text: string): number {
  return source.slice(0, Math.max(0, source.indexOf(text))).split('\n').length;
}
