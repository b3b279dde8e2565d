import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '@pergola/core';
import { z } from 'zod';
import type { Rule, Violation } from './problem.ts';

/** Minimum versions of packages with known vulnerabilities in older versions (check C48); the packages may also be absent. */
const floors: Readonly<Record<string, string>> = Object.freeze({
  'body-parser': '1.20.3',
  dompurify: '3.4.17',
  handlebars: '4.7.10',
  multer: '2.1.1',
  nodemailer: '10.0.5',
  qs: '6.14.2',
});

/** Older SQLite versions can corrupt a file when its log is reset. */
const sqliteFloor = '3.51.3';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
const Manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()).default({}) });

type Package = z.infer<typeof Lock>['packages'][string] & { readonly path: string; readonly name: string };

/** The checked files' contents, and the version reported by the database driver. */
export interface SupplyChain {
  readonly lock: string;
  readonly manifest: string;
  readonly sqlite: string;
}

/**
 * Checks the packages that the checkout in `root` installs: all come from one registry and have a checksum, none is older than its minimum
 * version, and only the packages in `allowScripts` of package.json run install scripts. Returns all problems.
 */
export async function checkSupplyChain(root: string): Promise<Violation[]> {
  return checkPackages({
    lock: readFileSync(join(root, 'package-lock.json'), 'utf8'),
    manifest: readFileSync(join(root, 'package.json'), 'utf8'),
    sqlite: await sqliteVersion(),
  });
}

/** Runs the same checks on these texts. */
export function checkPackages({ lock, manifest, sqlite }: SupplyChain): Violation[] {
  const locked = Object.entries(Lock.parse(JSON.parse(lock)).packages);
  // Packages of the repository itself, and the links to them.
  const ownPaths = new Set(locked.flatMap(([path]) => (path.includes('node_modules/') ? [] : path)));
  const packages = locked
    .filter(([path, { link, resolved = '' }]) => !ownPaths.has(path) && !(link && ownPaths.has(resolved)))
    .map(([path, entry]) => ({
      ...entry,
      path,
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    }));
  const { allowScripts } = Manifest.parse(JSON.parse(manifest));
  const lineOfPackage = (path: string): number =>
    lock.slice(0, Math.max(0, lock.indexOf(`"${path}": {`))).split('\n').length;
  const findings = [
    ...sources(packages),
    ...integrity(packages),
    ...missing(packages),
    ...tooOld(packages),
    ...scripts(packages, allowScripts),
  ];
  const problems: Violation[] = findings.map(({ path, ...problem }) => ({
    ...problem,
    file: 'package-lock.json',
    line: lineOfPackage(path),
  }));
  for (const name of staleNames(packages, allowScripts)) {
    const line = manifest.slice(0, Math.max(0, manifest.indexOf(JSON.stringify(name)))).split('\n').length;
    const message = `allowScripts lists ${name}, but no installed package of that name has an install script.`;
    problems.push({
      rule: 'package-script',
      file: 'package.json',
      line,
      message,
      remedy: 'Remove the entry, or correct its version.',
    });
  }
  if (isBelow(sqlite, sqliteFloor)) {
    const message = `The sqlite3 driver includes SQLite ${sqlite}; versions before ${sqliteFloor} may corrupt a database.`;
    problems.push({ rule: 'package-floor', file: 'package.json', line: 1, message, remedy: 'Update sqlite3.' });
  }
  return problems;
}

interface PackageProblem {
  readonly rule: Rule;
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

function sources(packages: readonly Package[]): PackageProblem[] {
  const hosts = new Map<string, Package[]>();
  const foreign: Package[] = [];
  for (const entry of packages) {
    if (entry.resolved === undefined) continue;
    const url = URL.parse(entry.resolved);
    if (entry.link || url?.protocol !== 'https:') foreign.push(entry);
    else hosts.set(url.host, [...(hosts.get(url.host) ?? []), entry]);
  }
  const [, ...others] = [...hosts.values()].sort((a, b) => b.length - a.length);
  return [...foreign, ...others.flat()].map(({ path, name, resolved }) => ({
    rule: 'package-source',
    path,
    message: `${name} comes from ${resolved}, not from the same registry as the other packages.`,
    remedy: 'Install a released version from the registry.',
  }));
}

function integrity(packages: readonly Package[]): PackageProblem[] {
  const unsigned = packages.filter(
    (entry) => !entry.link && !entry.inBundle && !/^sha512-/.test(entry.integrity ?? ''),
  );
  return unsigned.map(({ path, name }) => ({
    rule: 'package-integrity',
    path,
    message: `${name} has no checksum (sha512), so changes would go unnoticed.`,
    remedy: 'Remove its entry from the lock file and run "npm install".',
  }));
}

/** npm silently omits optional packages that it couldn't get for other platforms; `npm ci` then rejects the whole file. */
function missing(packages: readonly Package[]): PackageProblem[] {
  const lockedNames = new Set(packages.map(({ name }) => name));
  return packages.flatMap(({ path, name, optionalDependencies = {} }) => {
    const missingNames = Object.keys(optionalDependencies).filter((optional) => !lockedNames.has(optional));
    if (missingNames.length === 0) return [];
    const message = `The lock file lacks ${missingNames.join(', ')}, which ${name} needs on other platforms, so "npm ci" rejects it.`;
    const remedy = `Use a version of ${name} that is released for all platforms, and run "npm install".`;
    return [{ rule: 'package-missing', path, message, remedy }];
  });
}

function tooOld(packages: readonly Package[]): PackageProblem[] {
  return packages.flatMap(({ path, name, version = '0' }) => {
    const floor = Object.hasOwn(floors, name) ? floors[name] : undefined;
    if (floor === undefined || !isBelow(version, floor)) return [];
    const message = `${name} ${version} has a vulnerability that is fixed in ${floor}.`;
    return [
      {
        rule: 'package-floor',
        path,
        message,
        remedy: `Update ${name} or the package that depends on it, or pin it in "overrides" of package.json.`,
      },
    ];
  });
}

function scripts(packages: readonly Package[], allowed: Readonly<Record<string, boolean>>): PackageProblem[] {
  const unnamed = packages.filter(
    (entry) => entry.hasInstallScript && !Object.keys(allowed).some((key) => names(key, entry)),
  );
  return unnamed.map(({ path, name, version }) => ({
    rule: 'package-script',
    path,
    message: `${name} ${version} has an install script that is neither allowed nor denied.`,
    remedy: `Review the script, then run "npm install-scripts approve ${name}", or "… deny ${name}" if it works without.`,
  }));
}

function staleNames(packages: readonly Package[], allowed: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(allowed).filter((key) => !packages.some((entry) => entry.hasInstallScript && names(key, entry)));
}

/** Whether a key such as `sqlite3`, `sqlite3@6.0.1` or `sqlite3@6.0.1 || 6.0.2` matches a package. */
function names(key: string, { name, version }: Package): boolean {
  const separator = key.indexOf('@', 1);
  if (separator === -1) return key === name;
  const versions = key.slice(separator + 1).split('||');
  return key.slice(0, separator) === name && versions.some((candidate) => candidate.trim() === version);
}

/** A pre-release of the minimum version counts as older. */
function isBelow(version: string, floor: string): boolean {
  const difference = compareVersions(version.split(/[+-]/)[0] ?? '', floor);
  return difference < 0 || (difference === 0 && version.includes('-'));
}

async function sqliteVersion(): Promise<string> {
  const { default: sqlite3 } = await import('sqlite3');
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(':memory:');
    database.get<{ version: string }>('SELECT sqlite_version() AS version', (error, row) => {
      database.close();
      if (error) reject(error);
      else resolve(row.version);
    });
  });
}
