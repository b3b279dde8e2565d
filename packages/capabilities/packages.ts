import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isInside, repository, type Sentence, sentence } from '@pergola/core';
import type { CapabilityList, Place, Risk } from './capability.ts';
import { type CodeFile, readCode } from './code-file.ts';
import { prototypes } from './rules/prototypes.ts';
import { type AddonFacts, applyRules } from './rules/rule.ts';
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
 * Reports the third-party packages of an addon. Packages it brings along are analysed like its own code; packages in Pergola's lockfile are
 * reviewed with Pergola.
 */
export function readPackages(folder: string, facts: AddonFacts, list: CapabilityList): void {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return;
  const manifest = readManifest(file);
  const source = readFileSync(file, 'utf8');
  const at = (word: string): Place => ({ file: 'package.json', line: lineOf(source, `"${word}"`) });
  reportScripts(undefined, manifest, list, at('scripts'));
  const seen = new Set<string>();
  for (const [name, wanted] of dependenciesOf(manifest)) {
    if (name === 'pergola' || name.startsWith('@pergola/')) continue;
    if (/^(git|https?:|github:|file:|link:|\.|[\w-]+\/[\w-]+)/.test(wanted))
      list.add(
        'package',
        sentence('Installs {package} from {source}', { package: name, source: wanted }),
        'high',
        at(name),
      );
    const installed = findPackage(folder, name);
    if (installed === null)
      list.add(
        'code',
        sentence('The package {package} isn’t installed, so it can’t be analysed', { package: name }),
        'high',
        at(name),
      );
    else {
      const { version = '' } = readManifest(join(installed, 'package.json'));
      list.add('package', ...packageUse(`${name} ${version}`.trim(), installed), at(name));
      readPackage(installed, { name, folder, facts, list, seen });
    }
  }
}

/** Folders of all packages that an addon brings along, in a fixed order. */
export function broughtPackages(folder: string): string[] {
  const brought = new Set<string>();
  const visit = (from: string): void => {
    for (const [name] of dependenciesOf(readManifest(join(from, 'package.json')))) {
      const installed = findPackage(from, name);
      if (!installed || brought.has(installed) || isInside(join(repository, 'node_modules'), installed)) continue;
      brought.add(installed);
      visit(installed);
    }
  };
  visit(folder);
  return [...brought].sort();
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
  reportScripts(name, manifest, list, { file: nameIn(join(installed, 'package.json')), line: 1 });
  const paths = listCode(installed);
  const size = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  if (size > MOST_CODE)
    list.add('code', sentence('The package {package} is too large to analyse', { package: name }), 'high', {
      file: nameIn(installed),
      line: 1,
    });
  else for (const path of paths) analyse(path, { ...input, facts: { ...facts, folder: installed } }, nameIn(path));
  for (const [dependency] of dependenciesOf(manifest)) {
    const deeper = findPackage(installed, dependency);
    if (deeper) readPackage(deeper, { ...input, name: dependency });
  }
}

function analyse(path: string, { name, facts, list }: PackageInput, file: string): void {
  if (/\.(node|wasm)$/.test(path)) {
    list.add('code', sentence('The package {package} contains a compiled program', { package: name }), 'high', {
      file,
      line: 1,
    });
    return;
  }
  let code: CodeFile;
  try {
    code = readCode(readFileSync(path, 'utf8'), { path, file });
  } catch {
    list.add('code', sentence('The package {package} has a file that can’t be analysed', { package: name }), 'high', {
      file,
      line: 1,
    });
    return;
  }
  applyRules([runtime, prototypes], {
    addon: facts,
    code,
    report: (node, kind, what, risk) => list.add(kind, what, risk, { file, line: code.lineOf(node) }, name),
  });
}

/** @param name the package; undefined for the addon itself */
function reportScripts(name: string | undefined, { scripts = {} }: Manifest, list: CapabilityList, place: Place): void {
  const programs = installScripts.flatMap((script) => scripts[script] ?? []).join('; ');
  if (programs !== '')
    list.add('package', sentence('Runs a program when it is installed: {programs}', { programs }), 'high', place, name);
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

/** Capability of a package, judged by the words in its code: enough for packages that are reviewed with Pergola. */
function packageUse(name: string, installed: string): [Sentence, Risk] {
  const source = listCode(installed)
    .filter((path) => /\.[cm]?js$/.test(path) && statSync(path).size < MOST_CODE)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  if (/["'](node:)?child_process["']/.test(source))
    return [sentence('Uses {package}, which can start other programs', { package: name }), 'medium'];
  if (/(?<![\w.])fetch\(|["'](node:)?(https?|net|tls|http2|dgram)["']/.test(source))
    return [sentence('Uses {package}, which can contact other hosts', { package: name }), 'medium'];
  return [sentence('Uses {package}', { package: name }), 'low'];
}

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
