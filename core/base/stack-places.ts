import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformFolders, repository } from './addon-folders.ts';
import { fullMessage, type Problem } from './errors.ts';
import { sourceLines } from './source-lines.ts';

/** Whose code lies in a folder. */
export interface CodeFolder {
  readonly name: string;
  /** Absolute and real, since stacks name files so. */
  readonly folder: string;
}

/** A line of code that a stack names. */
export interface StackPlace<F extends CodeFolder> {
  readonly owner: F;
  /** Relative to the owner's folder. */
  readonly file: string;
  readonly line: number;
}

/** The places of a stack that lie in these folders, the innermost call first; for syntax errors that is where the fault is. */
export function* placesIn<F extends CodeFolder>(stack: string, folders: readonly F[]): Generator<StackPlace<F>> {
  for (const [, place = '', line] of stack.matchAll(/((?:file:\/\/)?\/[^\s()]+?):(\d+)(?::\d+)?/g)) {
    const path = (place.startsWith('file:') ? fileURLToPath(place) : place).replace(/\?saved=\d+$/, '');
    const owner = folders.find(({ folder }) => path.startsWith(folder + sep));
    if (owner) yield { owner, file: path.slice(owner.folder.length + 1), line: Number(line) };
  }
}

/** An error as a problem of the addon in whose folder it came about, with file and line as its stack names them; of the core when in none. */
export function problemIn(error: unknown, folders: readonly CodeFolder[]): Problem {
  if (!Error.isError(error)) return { addon: 'core', message: String(error) };
  const { value: place } = placesIn(error.stack ?? '', folders).next();
  if (!place) return { addon: 'core', message: fullMessage(error) };
  return { addon: place.owner.name, file: place.file, line: place.line, message: fullMessage(error) };
}

/** Problems with the lines that they are about, for whoever develops. */
export function withSources(problems: readonly Problem[], folders: ReadonlyMap<string, string>): Problem[] {
  return problems.map((problem) => {
    const { addon, file, line } = problem;
    const folder = folders.get(addon);
    return folder && file && line ? { ...problem, source: sourceLines(join(folder, file), line) } : problem;
  });
}

/** A stack whose calls within Node, packages and the core are only counted, files as seen from the repository. */
export function ownStack(stack: string): string {
  const lines = [...stack.split('\n'), ''];
  const isCall = (line: string) => /^\s+at /.test(line);
  // A fault of the core itself is read with its calls.
  const hasAuthor = lines.some((line) => isCall(line) && !isCoreFrame(line));
  const isHidden = hasAuthor ? isCoreFrame : isForeignFrame;
  const own: string[] = [];
  let hidden = 0;
  for (const line of lines) {
    if (isCall(line) && isHidden(line)) {
      hidden += 1;
      continue;
    }
    if (hidden > 0 && hasAuthor)
      own.push(`    … ${hidden} ${hidden === 1 ? 'call' : 'calls'} within Pergola and its packages`);
    hidden = 0;
    own.push(line);
  }
  return own
    .join('\n')
    .trimEnd()
    .replaceAll(`file://${repository}/`, '')
    .replace(/(\.[cm]?[jt]sx?)\?saved=\d+/g, '$1');
}

/** Enough frames to reach the author's code behind the core's. */
const MAX_FRAMES = 50;

/** Lets all errors of the process name the author's line: the core's calls alone fill the ten frames that V8 keeps. */
export function keepLongStacks(): void {
  Error.stackTraceLimit = MAX_FRAMES;
}

/** The stack above a function. V8 makes the text when `stack` is read for the first time, which costs many times what keeping the frames does. */
export function stackAbove(callee: CallableFunction, frames = MAX_FRAMES): { readonly stack: string } {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = frames;
  const holder = { stack: '' };
  Error.captureStackTrace(holder, callee);
  Error.stackTraceLimit = stackTraceLimit;
  return holder;
}

/** Whether a frame belongs to Node or a package. */
function isForeignFrame(frame: string): boolean {
  return /node:|\/node_modules\/|<anonymous>/.test(frame);
}

/** Whether a frame belongs to Node, a package or the core, and not to an addon or a test. */
function isCoreFrame(frame: string): boolean {
  if (isForeignFrame(frame)) return true;
  return platformFolders.some((folder) => frame.includes(folder)) && !frame.includes(`${sep}tests${sep}`);
}

/**
 * The call of an addon (or a test) whose promise is not awaited: the innermost whose statement neither awaits nor returns, else the innermost.
 *
 * @returns null where no frame is of an addon
 */
export function authorCall(stack: string): AuthorCall | null {
  const calls = authorFrames(stack);
  const call = calls.find(({ path, line }) => !isAwaited(path, line)) ?? calls[0];
  return call ? seenFromRepository(call) : null;
}

/** The innermost call of an addon (or a test); null where no frame is of an addon. */
export function innermostCall(stack: string): AuthorCall | null {
  const [call] = authorFrames(stack);
  return call ? seenFromRepository(call) : null;
}

/** A line of an addon's code: the file relative to the repository, or absolute outside of it. */
export interface AuthorCall {
  readonly file: string;
  readonly line: number;
}

interface Frame {
  readonly path: string;
  readonly line: number;
}

function seenFromRepository({ path, line }: Frame): AuthorCall {
  return { file: path.startsWith(repository + sep) ? relative(repository, path) : path, line };
}

/** Calls of addons, the innermost first. */
function authorFrames(stack: string): Frame[] {
  return stack.split('\n').flatMap((frame) => {
    const [, place = '', line] = isCoreFrame(frame)
      ? []
      : (/((?:file:\/\/)?\/[^\s()]+?):(\d+):\d+\)?$/.exec(frame) ?? []);
    if (!place) return [];
    const path = (place.startsWith('file:') ? fileURLToPath(place) : place).replace(/\?saved=\d+$/, '');
    return [{ path, line: Number(line) }];
  });
}

/** Whether the statement of a call awaits or returns it, as its text tells. */
function isAwaited(path: string, line: number): boolean {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, line);
    let first = lines.length - 1;
    while (first > 0 && /^\s*[.)\]}]/.test(lines[first] ?? '')) first -= 1;
    return /\b(await|return|yield)\b|=>\s*\S*\(/.test(lines.slice(first).join('\n'));
  } catch {
    return false;
  }
}
