import type { SessionView } from './context.ts';

/** A session where there is none; what is set goes nowhere. */
export const noSession: SessionView = Object.freeze({
  exists: false,
  number: null,
  get: () => undefined,
  set: () => {},
  signIn: () => {},
  renew: () => {},
  signOut: () => {},
});
