import { join, relative, sep } from 'node:path';
import { ERRORS_FILE, type ErrorEntry, platformFoldersIn, readErrors } from '../errors/catalogue.ts';
import type { Violation } from './problem.ts';
import type { Source, Sources } from './sources.ts';

/**
 * Checks that every error code in the sources is documented in its owner's `errors.md` with cause and cure, and that every documented code
 * is raised somewhere.
 */
export function checkErrors(sources: Sources): Violation[] {
  const platform = platformFoldersIn(sources.root).map((folder) => ({ name: 'core', folder }));
  const catalogues = [...platform, ...sources.addons].map(({ name, folder }) => ({
    name,
    folder,
    entries: readErrors(folder),
  }));
  const owners = new Set(catalogues.map(({ name }) => name));
  const explained = new Set(
    catalogues.flatMap(({ name, entries }) =>
      entries.flatMap(({ code }) => (code.startsWith(`${name}.`) ? [code] : [])),
    ),
  );
  const isWritten = ({ isTest, addon, inside }: Source): boolean =>
    !isTest && !(addon !== null && /(^|\/)(data|demo)\/[^/]+$/.test(inside));
  const namesIn = (files: Iterable<Source>): ReadonlySet<string> =>
    new Set([...files].filter(isWritten).flatMap(({ facts }) => facts.names.map(({ text }) => text)));
  const checkedNames = namesIn(sources.checked);
  let all: ReadonlySet<string> | undefined;
  // Most codes are raised by the addon that documents them.
  const isUsed = (code: string): boolean => {
    if (checkedNames.has(code)) return true;
    all ??= namesIn(sources.files.values());
    return all.has(code);
  };
  const violations: Violation[] = [];
  for (const { source, code, line } of sources.checked.filter(isWritten).flatMap(codesOf)) {
    const owner = code.split('.', 1)[0] ?? '';
    if (!owners.has(owner) || explained.has(code)) continue;
    // Reported once.
    explained.add(code);
    violations.push({
      rule: 'error-unexplained',
      file: source.file,
      line,
      message: `The error "${code}" is not documented.`,
      remedy: `Add its cause and cure to ${ERRORS_FILE} of ${owner === 'core' ? 'its package' : owner}: \`npx pergola explain ${code}\` shows them.`,
    });
  }
  for (const { folder, entries } of catalogues) {
    if (!sources.isChecked(folder)) continue;
    const file = relative(sources.root, join(folder, ERRORS_FILE));
    violations.push(...entries.flatMap((entry) => entryFaults(entry, file, isUsed)));
  }
  return violations;
}

function entryFaults(
  { code, line, cause, cure }: ErrorEntry,
  path: string,
  isUsed: (code: string) => boolean,
): Violation[] {
  const file = path.split(sep).join('/');
  const faults: Violation[] = [];
  if (!isUsed(code))
    faults.push({
      rule: 'error-unknown',
      file,
      line,
      message: `The error "${code}" is never raised.`,
      remedy: 'Correct the code, or remove the entry.',
    });
  if (cause === '' || cure === '')
    faults.push({
      rule: 'error-unexplained',
      file,
      line,
      message: `The error "${code}" has no ${cause === '' ? 'cause' : 'cure'}.`,
      remedy: 'Write a paragraph for the cause, and one starting with → for the cure.',
    });
  return faults;
}

/** Error codes set in a file, including the default codes of the core's error classes. */
function codesOf(source: Source): { source: Source; code: string; line: number }[] {
  return source.facts.errorCodes.map(({ text, line }) => ({ source, code: text, line }));
}
