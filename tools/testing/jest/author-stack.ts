const CALL = /^\s+at /;
/** A call within Node or the test kit, apart from the kit's own tests. */
const FOREIGN_CALL = /^\s+at .*(node:|\/tools\/testing\/(?!tests\/)|\/node_modules\/)/;

/** The stack of an error in a test without the calls of the test kit, so that the test's own line is the first. One without other calls stays as it is. */
export function authorStack(stack: string): string {
  const lines = stack.split('\n');
  const own = lines.filter((line) => !FOREIGN_CALL.test(line));
  return own.some((line) => CALL.test(line)) ? own.join('\n') : stack;
}
