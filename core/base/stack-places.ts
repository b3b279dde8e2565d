import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { platformFolders, repository } from './addon-folders.ts';
import { fullMessage, type Problem } from './errors.ts';
import { sourceLines } from './source-lines.ts';

/** A folder of code with the name of its owner. */
export interface CodeFolder {
  readonly name: string;
  /** Absolute, real path, as used in stack traces. */
  readonly folder: string;
}

/** A line of code in a stack trace. */
export interface StackPlace<F extends CodeFolder> {
  readonly owner: F;
  /** Relative to the owner's folder. */
  readonly file: string;
  readonly line: number;
}

/** Yields the lines of a stack trace inside these folders, innermost call first; for a syntax error, that is its location. */
export function* placesIn<F extends CodeFolder>(stack: string, folders: readonly F[]): Generator<StackPlace<F>> {
  for (const [, place = '', line] of stack.matchAll(/((?:file:\/\/)?\/[^\s()]+?):(\d+)(?::\d+)?/g)) {
    const path = (place.startsWith('file:') ? fileURLToPath(place) : place).replace(/\?saved=\d+$/, '');
    const owner = folders.find(({ folder }) => path.startsWith(folder + sep));
    if (owner) yield { owner, file: path.slice(owner.folder.length + 1), line: Number(line) };
  }
}

/**
 * Converts an error to a problem of the addon in whose folder it occurred, with file and line from the stack trace; otherwise a problem of
 * the core.
 */
export function problemIn(error: unknown, folders: readonly CodeFolder[]): Problem {
  if (!Error.isError(error)) return { addon: 'core', message: String(error) };
  const { value: place } = placesIn(error.stack ?? '', folders).next();
  if (!place) return { addon: 'core', message: fullMessage(error) };
  return { addon: place.owner.name, file: place.file, line: place.line, message: fullMessage(error) };
}

/** Adds source lines to problems, for developers. */
export function withSources(problems: readonly Problem[], folders: ReadonlyMap<string, string>): Problem[] {
  return problems.map((problem) => {
    const { addon, file, line } = problem;
    const folder = folders.get(addon);
    return folder && file && line ? { ...problem, source: sourceLines(join(folder, file), line) } : problem;
  });
}

/** Shortens a stack trace: calls inside Node, packages and the core are only counted, and paths are relative to the repository. */
export function ownStack(stack: string): string {
  const lines = [...stack.split('\n'), ''];
  const isCall = (line: string) => /^\s+at /.test(line);
  // An error of the core itself keeps its calls.
  const hasAuthor = lines.some((line) => isCall(line) && !isCoreFrame(line));
  const isHidden = hasAuthor ? isCoreFrame : isForeignFrame;
  const visibleLines: string[] = [];
  let hidden = 0;
  for (const line of lines) {
    if (isCall(line) && isHidden(line)) {
      hidden += 1;
      continue;
    }
    if (hidden > 0 && hasAuthor)
      visibleLines.push(`    … ${hidden} ${hidden === 1 ? 'call' : 'calls'} within Pergola and its packages`);
    hidden = 0;
    visibleLines.push(line);
  }
  return visibleLines
    .join('\n')
    .trimEnd()
    .replaceAll(`file://${repository}/`, '')
    .replace(/(\.[cm]?[jt]sx?)\?saved=\d+/g, '$1');
}

/** Enough frames to reach the author's code behind the core's. */
const MAX_FRAMES = 50;

/**
 * Keeps more stack frames for all errors of the process, so they include the author's line: the core's calls alone fill V8's default of
 * ten.
 */
export function keepLongStacks(): void {
  Error.stackTraceLimit = MAX_FRAMES;
}

/** Captures the stack above a function. V8 formats `stack` on first read, which costs many times more than keeping the frames. */
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
 * Finds the call in an addon (or a test) whose promise isn't awaited: the innermost call whose statement neither awaits nor returns,
 * otherwise the innermost call.
 *
 * @returns null if no frame belongs to an addon
 */
export function authorCall(stack: string): AuthorCall | null {
  const calls = authorFrames(stack);
  const call = calls.find(({ path, line }) => !isAwaited(path, line)) ?? calls[0];
  return call ? relativeToRepository(call) : null;
}

/** Returns the innermost call in an addon (or a test), or null if no frame belongs to an addon. */
export function innermostCall(stack: string): AuthorCall | null {
  const [call] = authorFrames(stack);
  return call ? relativeToRepository(call) : null;
}

/** A line of an addon's code: the file is relative to the repository, or absolute if outside. */
export interface AuthorCall {
  readonly file: string;
  readonly line: number;
}

interface Frame {
  readonly path: string;
  readonly line: number;
}

function relativeToRepository({ path, line }: Frame): AuthorCall {
  return { file: path.startsWith(repository + sep) ? relative(repository, path) : path, line };
}

/** Frames of addons, innermost first. */
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

/** Whether the statement of a call awaits or returns it, judging by its source text. */
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
