import { Unavailable } from '@pergola/core';

/** File system errors for a full disk or an exhausted user quota. */
const noRoom: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Error for a full disk: 503. The logged cause starts with “disk full”. */
export function diskFull(cause?: unknown): Unavailable {
  return new Unavailable('The server’s disk is full, so nothing can be saved right now. Try again later.', {
    code: 'core.disk_full',
    retryAfter: 30,
    cause: new Error('disk full', { cause }),
  });
}

/** Whether the error or one of its causes is a full disk reported by the file system. */
export function isDiskFull(error: unknown): boolean {
  for (let current = error, depth = 0; Error.isError(current) && depth < 10; current = current.cause, depth += 1) {
    if ('code' in current && noRoom.has(current.code)) return true;
  }
  return false;
}
