import { join, relative, sep } from 'node:path';
import { ERRORS_FILE, type ErrorEntry, readErrors } from '../errors/catalogue.ts';
import type { Violation } from './problem.ts';
import type { Source, Sources } from './sources.ts';

/** Every error code of the sources stands in `errors.md` of whose it is, with cause and cure; and every code there is raised somewhere. */
export function checkErrors(sources: Sources): Violation[] {
  const owners = [{ name: 'core', folder: join(sources.root, 'core') }, ...sources.addons];
  const catalogues = new Map(owners.map(({ name, folder }) => [name, { folder, entries: readErrors(folder) }]));
  const written = [...sources.files.values()].filter(
    ({ isTest, file }) => !isTest && !/^addons\/\w+\/(data|demo)\//.test(file),
  );
  const used = new Set(written.flatMap(({ facts }) => facts.names.map(({ text }) => text)));
  const found: Violation[] = [];
  const missed = new Set<string>();
  for (const { source, code, line } of written.flatMap(codesOf)) {
    const { folder, entries } = catalogues.get(code.split('.')[0] ?? '') ?? {};
    if (!folder || !entries || missed.has(code) || entries.some((entry) => entry.code === code)) continue;
    missed.add(code);
    const place = relative(sources.root, join(folder, ERRORS_FILE)).split(sep).join('/');
    found.push({
      rule: 'error-unexplained',
      file: source.file,
      line,
      message: `The error "${code}" is not explained.`,
      remedy: `Say in ${place} why it comes about and what to do: \`npx pergola explain\` reads it.`,
    });
  }
  for (const { folder, entries } of catalogues.values())
    found.push(
      ...entries.flatMap((entry) => entryFaults(entry, relative(sources.root, join(folder, ERRORS_FILE)), used)),
    );
  return found;
}

function entryFaults({ code, line, cause, cure }: ErrorEntry, path: string, used: ReadonlySet<string>): Violation[] {
  const file = path.split(sep).join('/');
  const faults: Violation[] = [];
  if (!used.has(code))
    faults.push({
      rule: 'error-unknown',
      file,
      line,
      message: `Nothing raises the error "${code}".`,
      remedy: 'Correct the code, or take the entry out.',
    });
  if (cause === '' || cure === '')
    faults.push({
      rule: 'error-unexplained',
      file,
      line,
      message: `The error "${code}" has no ${cause === '' ? 'cause' : 'cure'}.`,
      remedy: 'Write a paragraph for the cause, and one that begins with → for the cure.',
    });
  return faults;
}

/** The codes that a file gives to errors; of the core's own classes, those they have where none is given. */
function codesOf(source: Source): { source: Source; code: string; line: number }[] {
  return source.facts.errorCodes.map(({ text, line }) => ({ source, code: text, line }));
}
