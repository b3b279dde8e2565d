/** What `@jest/globals` exports, for tests whose modules Node loads. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis as unknown as Record<string, unknown>;
