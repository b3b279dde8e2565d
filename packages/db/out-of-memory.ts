import { Unavailable } from '@pergola/core';

/** Out-of-memory messages of Node, libvips and databases. */
const messages = /array buffer allocation failed|out of memory|(?:cannot|unable to) allocate/i;

/** Error for a request the server has no memory for: 503. The logged cause starts with “out of memory”. */
export function outOfMemory(cause?: unknown): Unavailable {
  return new Unavailable('The server is low on memory. Try again in a minute.', {
    code: 'core.out_of_memory',
    retryAfter: 30,
    cause: new Error('out of memory', { cause }),
  });
}

/** Whether an error or one of its causes reports a lack of memory. */
export function isOutOfMemory(error: unknown): boolean {
  for (let current = error, depth = 0; Error.isError(current) && depth < 10; current = current.cause, depth += 1) {
    if (messages.test(current.message) || ('code' in current && current.code === 'ENOMEM')) return true;
  }
  return false;
}
