import { Unavailable } from '@pergola/core';

/** What Node, libvips and databases say when there is no memory left. */
const said = /array buffer allocation failed|out of memory|(?:cannot|unable to) allocate/i;

/** A refusal because the server has no memory left for it: 503. The cause, which goes to the log, begins with “out of memory”. */
export function outOfMemory(cause?: unknown): Unavailable {
  return new Unavailable('The server is short of memory at the moment. Please try again in a minute.', {
    code: 'core.out_of_memory',
    retryAfter: 30,
    cause: new Error('out of memory', { cause }),
  });
}

/** Whether an error, or one that it was caused by, says that memory ran out. */
export function isOutOfMemory(error: unknown): boolean {
  for (let current = error, depth = 0; Error.isError(current) && depth < 10; current = current.cause, depth += 1) {
    if (said.test(current.message) || ('code' in current && current.code === 'ENOMEM')) return true;
  }
  return false;
}
