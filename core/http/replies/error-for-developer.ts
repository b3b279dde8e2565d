import { describeProblem, NOT_READY, problemIn } from '../../base/index.ts';
import type { ErrorAbout } from './error-reply.ts';
import { type Failure, NO_SUCH_ROUTE } from './failure.ts';

/** What whoever develops is told of an error. */
export interface ForDeveloper {
  /** What is wrong, with addon, file and line. */
  readonly text: string;
  readonly stack: string;
}

const nothing: ForDeveloper = Object.freeze({ text: '', stack: '' });

/**
 * In development, what the log says: a fault with its place and stack, and for an address that is not there what of the code is not served. Empty in
 * production (C34), and where there is nothing to mend.
 */
export function forDeveloper(
  { parts: { application }, info, match }: Pick<ErrorAbout, 'parts' | 'info' | 'match'>,
  error: unknown,
  { ours, code }: Failure,
): ForDeveloper {
  if (!application.config.dev) return nothing;
  if (code === NO_SUCH_ROUTE || code === NOT_READY)
    return { text: application.problems.map(describeProblem).join('\n'), stack: '' };
  if (!ours) return nothing;
  // The addon's line, also where the core threw.
  const found = problemIn(error, info?.site.generation.addons ?? []);
  const { addon, route } = match?.bound ?? {};
  const problem =
    addon && route && found.file === undefined
      ? { addon, message: `The route “${route.name}” failed: ${found.message}` }
      : found;
  return { text: describeProblem(problem), stack: Error.isError(error) ? (error.stack ?? '') : '' };
}
