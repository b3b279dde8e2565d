import { isBuiltin } from 'node:module';
import path from 'node:path';
import { lineNaming, type Problem, repository, shortestWay } from '@pergola/core';
import type { BuildFailure, BuildOptions, Message, Metafile, Plugin } from 'esbuild';

/** Detail of errors about imports that only work on the server. */
export const SERVER_ONLY = 'server-only';

const FACES =
  '"pergola/browser", "pergola/zones", "pergola/islands", "pergola/html", "@pergola/<name>/browser" or "@pergola/<name>/kit"';
const DIRECT = `Import ${FACES}, or write \`import type\` if only types are needed.`;
/** Remedy for server code that browser code reaches through other files. */
export const INDIRECT =
  'Write `import type` if only types are needed; otherwise pass the values to the page, or move what the browser needs to a file without server imports.';
/** Remedy for a Node module. */
export const BUILTIN = 'Do this on the server, and pass the result to the page.';

/**
 * Explains why esbuild failed. Server code in browser files is reported at the import in the island (or other entry point) that leads to
 * it, with the chain of files.
 *
 * @param error thrown by `build`
 * @param options of that `build` call
 * @throws the error itself if it isn't esbuild's
 */
export async function buildProblems(
  { name: addon, folder }: { readonly name: string; readonly folder: string },
  error: unknown,
  options: BuildOptions,
): Promise<Problem[]> {
  const { errors } = error as Partial<BuildFailure>;
  if (!Array.isArray(errors)) throw error;
  const unresolved = new Set(errors.map(importedName));
  const graph = errors.some(isServerOnly) ? await importGraph(options, unresolved) : null;
  const atEntries = new Map<string, Problem>();
  const plain: Problem[] = [];
  for (const message of errors.toSorted((a, b) => Number(isServerOnly(b)) - Number(isServerOnly(a)))) {
    const chain = graph && chainIn(graph, message);
    const problem = chain && { addon, ...chainProblem(folder, chain) };
    const place = `${problem?.file}:${problem?.line}`;
    if (problem && isServerOnly(message) && !atEntries.has(place)) atEntries.set(place, problem);
    // A server package in a browser build causes several errors.
    const isFollowUp = atEntries.has(place) && (isServerOnly(message) || isPackage(message.location?.file ?? ''));
    if (!isFollowUp) plain.push(plainProblem(addon, folder, message));
  }
  return [...atEntries.values(), ...plain];
}

function plainProblem(addon: string, folder: string, { text, location }: Message): Problem {
  return {
    addon,
    file: location ? path.relative(folder, path.resolve(repository, location.file)) : undefined,
    line: location?.line,
    message: text,
  };
}

function isServerOnly(message: Message): boolean {
  return message.detail === SERVER_ONLY || isBuiltin(importedName(message));
}

function isPackage(file: string): boolean {
  return /(^|\/)node_modules\//.test(file);
}

/** The name of an import that couldn't be resolved. */
function importedName({ text }: Message): string {
  return /^(?:Could not resolve )?"([^"]+)"/.exec(text)?.[1] ?? '';
}

/** Import graph of the bundled files, or null if the sources have other errors too. */
async function importGraph(options: BuildOptions, unresolved: ReadonlySet<string>): Promise<Metafile | null> {
  const passOver: Plugin = {
    name: 'pergola-pass-over',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ path: name }) =>
        unresolved.has(name) ? { path: name, external: true } : undefined,
      ),
  };
  const { build } = await import('esbuild');
  try {
    const plugins = [passOver, ...(options.plugins ?? [])];
    const { metafile } = await build({ ...options, plugins, write: false, metafile: true });
    return metafile;
  } catch {
    return null;
  }
}

/** The files from an entry point to an import of server code. */
interface Chain {
  readonly files: readonly string[];
  /** How the entry point imports the next file or the server code. */
  readonly specifier: string;
  readonly serverCode: string;
}

function chainIn({ inputs, outputs }: Metafile, message: Message): Chain | null {
  const serverCode = importedName(message);
  const entries = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const imported = (file: string): string[] => (inputs[file]?.imports ?? []).map((entry) => entry.path);
  const files = message.location && shortestWay(entries, message.location.file, imported);
  if (!files) return null;
  const [entry = '', next] = files;
  const specifier = inputs[entry]?.imports.find((item) => item.path === next)?.original ?? serverCode;
  return { files, specifier, serverCode };
}

function chainProblem(folder: string, { files, specifier, serverCode }: Chain): Omit<Problem, 'addon'> {
  const entry = path.resolve(repository, files[0] ?? '');
  const name = (file: string): string => {
    const absolute = path.resolve(repository, file);
    if (absolute.startsWith(folder + path.sep) && !isPackage(file)) return path.relative(folder, absolute);
    return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file;
  };
  // A package is named once, however many of its files are in the chain.
  const steps = new Set([...files.map(name), serverCode]);
  return {
    file: path.relative(folder, entry),
    line: lineNaming(entry, [`'${specifier}'`, `"${specifier}"`]),
    message: `imports code that only the server can run: ${[...steps].join(' → ')}.`,
    remedy: files.length > 1 ? INDIRECT : isBuiltin(serverCode) ? BUILTIN : DIRECT,
  };
}
