/**
 * Whether what is written to a stream has colours: FORCE_COLOR and NO_COLOR decide, in this order; otherwise only terminals get them.
 *
 * @param stream where it goes
 */
export function usesColors(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: terminal } = env;
  if (forced !== undefined) return !['0', 'false'].includes(forced);
  return !refused && stream.isTTY === true && terminal !== 'dumb';
}

/** Environment for a program whose output goes to our own: it uses colours exactly if we do. */
export function withColors(
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const { NO_COLOR: _refused, ...rest } = env;
  return { ...rest, FORCE_COLOR: usesColors(stream, env) ? '1' : '0' };
}
