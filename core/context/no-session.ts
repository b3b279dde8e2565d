import type { SessionView } from './context.ts';

/** Session of a context without one; values that are set are discarded. */
export const noSession: SessionView = Object.freeze({
  exists: false,
  number: null,
  get: () => undefined,
  set: () => {},
  signIn: () => {},
  renew: () => {},
  signOut: () => {},
});
