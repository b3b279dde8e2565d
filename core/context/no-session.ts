import type { SessionView } from './context.ts';

/** Empty session for contexts without one; discards values that are set. */
export const noSession: SessionView = Object.freeze({
  exists: false,
  number: null,
  get: () => undefined,
  set: () => {},
  signIn: () => {},
  renew: () => {},
  signOut: () => {},
});
