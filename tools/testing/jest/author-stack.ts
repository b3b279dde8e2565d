const CALL = /^\s+at /;
/** A call within Node or the test kit, except the kit's own tests. */
const FOREIGN_CALL = /^\s+at .*(node:|\/tools\/testing\/(?!tests\/)|\/node_modules\/)/;

/**
 * Removes the test kit's calls from the stack of an error, so that the test's own line comes first. A stack without other calls is returned
 * unchanged.
 */
export function authorStack(stack: string): string {
  const lines = stack.split('\n');
  const ownLines = lines.filter((line) => !FOREIGN_CALL.test(line));
  return ownLines.some((line) => CALL.test(line)) ? ownLines.join('\n') : stack;
}
