import { type CodeFolder, placesIn } from '../base/index.ts';

/** Frames that are looked through: enough for what calls back from inside a library. */
const mostFrames = 30;

/**
 * Who says a text: of those whose code is in a stack, the nearest that `knows` it. Null when nobody does.
 *
 * A text that two addons translate differently belongs to the one in whose file it stands. A context cannot know that: in a method of three
 * layers, and in an error that passes through them, all share one. The stack knows, and is only asked about such texts (one in fifty).
 */
export function speakerIn(
  stack: string,
  folders: readonly CodeFolder[],
  knows: (name: string) => boolean,
): string | null {
  for (const { owner } of placesIn(stack, folders)) if (knows(owner.name)) return owner.name;
  return null;
}

/** The stack above a function, as a text. */
export function stackAbove(callee: (...args: never[]) => unknown): string {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = mostFrames;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, callee);
  const { stack = '' } = holder;
  Error.stackTraceLimit = before;
  return stack;
}
