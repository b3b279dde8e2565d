import { addonFolders, addonRoots, type Command, fitsPlatform, repository } from '@pergola/core';
import { z } from 'zod';
import { type NpmPackage, npmJson, packageOf } from '../npm.ts';
import { isShipped, selectAddons } from '../selected-addons.ts';

/** An addon from `ADDONS_PATH`, and its latest version. */
interface AddonState {
  readonly addon: string;
  readonly version: string | null;
  /** Null if the registry doesn't have it. */
  readonly latest: string | null;
  /** Whether the latest version is made for this Pergola; null if it doesn't say. */
  readonly fits: boolean | null;
}

/** An npm package with a newer version. */
interface OutdatedPackage {
  /** The addon that needs it, or `pergola`. */
  readonly in: string;
  readonly package: string;
  readonly current: string;
  /** The newest version in the range of the package.json. */
  readonly wanted: string;
  readonly latest: string;
}

/** A package with a known vulnerability. */
interface Vulnerability {
  readonly in: string;
  readonly package: string;
  readonly severity: string;
  /** Titles of the advisories, or the packages that bring it. */
  readonly about: readonly string[];
  /** Whether a newer version corrects it. */
  readonly hasFix: boolean;
}

export const command: Command = {
  summary:
    'Lists newer versions of addons from ADDONS_PATH and of npm packages, and packages with known vulnerabilities',
  usage: '[<addon>…] [--json]',
  details: ['Asks the npm registry. Exit code 1 if a package has a known vulnerability.'],
  options: { json: { type: 'boolean' } },
  async run({ words, options, io }) {
    const known = words.length > 0 ? selectAddons(words).folders : addonFolders(addonRoots(process.env.ADDONS_PATH));
    const outside = [...known].filter(([, folder]) => !isShipped(folder));
    const packages = new Map<string, NpmPackage>();
    for (const [name, folder] of outside) {
      const found = packageOf(folder);
      if (found) packages.set(name, found);
    }
    const addons = await Promise.all([...packages].map(([name, one]) => addonState(name, one)));
    const places = [
      ...(words.length > 0 ? [] : [{ in: 'pergola', folder: repository }]),
      ...[...packages].flatMap(([name, { hasDependencies, folder }]) =>
        hasDependencies ? [{ in: name, folder }] : [],
      ),
    ];
    const outdated: OutdatedPackage[] = [];
    const lists: (readonly Vulnerability[] | null)[] = [];
    for (const place of places) {
      outdated.push(...(await outdatedIn(place)));
      lists.push(await vulnerabilitiesIn(place));
    }
    const vulnerabilities = lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
    if (options.json) io.out(JSON.stringify({ addons, packages: outdated, vulnerabilities }, null, 2));
    else for (const line of reportLines({ addons, outdated, vulnerabilities })) io.out(line);
    return vulnerabilities && vulnerabilities.length > 0 ? 1 : 0;
  },
};

const versionSchema = z.object({
  version: z.string(),
  peerDependencies: z.object({ pergola: z.string().optional() }).optional(),
});

async function addonState(addon: string, { name, version, folder }: NpmPackage): Promise<AddonState> {
  const latest = await npmJson(['view', `${name}@latest`, 'version', 'peerDependencies'], folder, versionSchema);
  const range = latest?.peerDependencies?.pergola;
  const fits = range === undefined ? null : await fitsPlatform(range);
  return { addon, version, latest: latest?.version ?? null, fits };
}

const outdatedSchema = z.record(
  z.string(),
  z.preprocess(
    // A list if several packages need it.
    (entry) => (Array.isArray(entry) ? entry[0] : entry),
    z.object({ current: z.string().optional(), wanted: z.string(), latest: z.string(), type: z.string().optional() }),
  ),
);

async function outdatedIn(place: { readonly in: string; readonly folder: string }): Promise<OutdatedPackage[]> {
  const found = (await npmJson(['outdated', '--long'], place.folder, outdatedSchema)) ?? {};
  return Object.entries(found).flatMap(([name, { current, wanted, latest, type }]) =>
    current === undefined || current === latest || type === 'devDependencies'
      ? []
      : [{ in: place.in, package: name, current, wanted, latest }],
  );
}

const auditSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string() })])),
      fixAvailable: z.union([z.boolean(), z.object({})]),
    }),
  ),
});

/** Returns null if no list of vulnerabilities is available. */
async function vulnerabilitiesIn(place: {
  readonly in: string;
  readonly folder: string;
}): Promise<Vulnerability[] | null> {
  const report = await npmJson(['audit', '--omit=dev'], place.folder, auditSchema);
  if (report === null) return null;
  return Object.entries(report.vulnerabilities).map(([name, { severity, via, fixAvailable }]) => ({
    in: place.in,
    package: name,
    severity,
    about: via.map((cause) => (typeof cause === 'string' ? cause : cause.title)),
    hasFix: fixAvailable !== false,
  }));
}

function* reportLines(report: {
  readonly addons: readonly AddonState[];
  readonly outdated: readonly OutdatedPackage[];
  readonly vulnerabilities: readonly Vulnerability[] | null;
}): Generator<string> {
  const { addons, outdated, vulnerabilities } = report;
  yield 'Addons';
  if (addons.length === 0) yield '  None from ADDONS_PATH has a package.';
  for (const { addon, version, latest, fits } of addons) {
    const misfit = fits === false ? ', which is made for another version of Pergola' : '';
    if (latest === null) yield `  ${addon} ${version ?? ''}: not in the registry`;
    else yield `  ${addon} ${version ?? ''}${latest === version ? ': up to date' : ` → ${latest}${misfit}`}`;
  }
  yield '\nPackages';
  if (outdated.length === 0) yield '  All are up to date.';
  for (const { in: owner, package: name, current, latest } of outdated)
    yield `  ${owner}: ${name} ${current} → ${latest}`;
  yield '\nKnown vulnerabilities';
  if (vulnerabilities === null) yield '  The registry has no list.';
  else if (vulnerabilities.length === 0) yield '  None.';
  for (const { in: owner, package: name, severity, about, hasFix } of vulnerabilities ?? [])
    yield `  ${owner}: ${name}, ${severity}: ${about.join('; ')}${hasFix ? '. A newer version corrects it' : ''}`;
}
