import { Unavailable } from '@pergola/core';

/** Error codes of the file system when there is no room: the disk is full, or the quota of its user. */
const noRoom: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** A refusal because a disk of the site is full: 503. The cause, which goes to the log, begins with “disk full”. */
export function diskFull(cause?: unknown): Unavailable {
  return new Unavailable('The server’s disk is full, so nothing can be saved at the moment. Please try again later.', {
    code: 'core.disk_full',
    retryAfter: 30,
    cause: new Error('disk full', { cause }),
  });
}

/** Whether the file system reported a full disk, in the error or in one that it was caused by. */
export function isDiskFull(error: unknown): boolean {
  for (let current = error, depth = 0; Error.isError(current) && depth < 10; current = current.cause, depth += 1) {
    if ('code' in current && noRoom.has(current.code)) return true;
  }
  return false;
}
