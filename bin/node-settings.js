// How the start script runs Node.

/**
 * For glibc. Each thread would keep an own store of memory, some 20 MB in all that nobody needs; two stores serve as fast. Large pieces of memory go back to the
 * system once they are free, which glibc gives up after the first ones.
 */
export const memory = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '32768' };

/**
 * For V8. Where there is much memory it lets the young space grow to 192 MB, and the old one to three times what is in use: 48 MB for the one, and a quarter more
 * than is in use for the other, serve as fast. What lives as long as a request it would make in the old space, where it keeps whole pages from being freed
 * until that space is collected: four times as often as needed.
 */
export const heap = ['--max-semi-space-size=16', '--heap-growing-percent=25', '--no-allocation-site-pretenuring'];

/** SQLite waits for locks in these threads: with libuv's four, four waiting writers stop every read. libuv reads the number once, at its start. */
export const threads = '16';
