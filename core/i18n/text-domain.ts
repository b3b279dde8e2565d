/** Frames that are looked through: enough for what calls back from inside a library. */
const mostFrames = 30;

/** The stack above a function, as a text: by it is told in whose file a text stands. */
export function stackAbove(callee: (...args: never[]) => unknown): string {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = mostFrames;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, callee);
  const { stack = '' } = holder;
  Error.stackTraceLimit = before;
  return stack;
}
