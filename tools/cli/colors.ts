/**
 * Whether output to a stream is coloured: FORCE_COLOR decides first, then NO_COLOR; otherwise only terminals get colours.
 *
 * @param stream destination of the output
 */
export function usesColors(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: noColor, TERM: terminal } = env;
  if (forced !== undefined) return !['0', 'false'].includes(forced);
  return !noColor && stream.isTTY === true && terminal !== 'dumb';
}

/** Environment for a child process whose output goes to our own stream: it uses colours exactly if we do. */
export function withColors(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const { NO_COLOR: _refused, ...rest } = env;
  return { ...rest, FORCE_COLOR: usesColors(stream, env) ? '1' : '0' };
}
