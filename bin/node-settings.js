// Node options set by the start script.

/**
 * For glibc. Each thread would have a separate memory arena, some 20 MB in total without benefit; two arenas are as fast. Freed large
 * blocks are returned to the system, which glibc stops doing after the first ones.
 */
export const memory = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '32768' };

/**
 * For V8. With much memory, it lets the young space grow to 192 MB and the old one to three times its live size; 48 MB and a quarter above
 * the live size are as fast. With pretenuring, V8 would allocate objects that live as long as a request in the old space, where they keep
 * whole pages alive until that is collected, which would happen four times as often as necessary.
 */
export const heap = ['--max-semi-space-size=16', '--heap-growing-percent=25', '--no-allocation-site-pretenuring'];

/**
 * SQLite waits for locks in these threads: with libuv's default of four, four waiting writers stop every read. libuv reads the number once,
 * at startup.
 */
export const threads = '16';
