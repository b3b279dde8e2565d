/** Exports of `@jest/globals` for tests whose modules are loaded by Node. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis as unknown as Record<string, unknown>;
