import type { Identity, RequestView, SessionView, Tracker } from '@pergola/core';

/** What a user has for themselves; all else is shared by whoever is in the same groups, and part of what pages are kept under. */
const own: ReadonlySet<string | symbol> = new Set(['id', 'partnerId', 'name', 'login']);

/**
 * The user as a page that may be kept sees them: groups, language and zone are part of what it is kept under; whoever reads more makes it that
 * user's own. Visitors who have not signed in are all alike.
 */
export function followIdentity(identity: Identity, tracker: Tracker): Identity {
  if (identity.id === null) return identity;
  return new Proxy(identity, {
    get(target, name) {
      if (own.has(name)) tracker.personal(`it reads the user's ${String(name)}`);
      return Reflect.get(target, name);
    },
  });
}

/**
 * The session as a page that may be kept sees it: whoever reads or changes it makes the page that visitor's own. Visitors without a session get
 * pages of their own, and to all of them it says the same.
 */
export function followSession<S extends SessionView>(session: S, tracker: Tracker): S {
  const reads: ReadonlySet<string | symbol> = new Set(['exists', 'number', 'get']);
  // Over an object of its own: where there is no session it is frozen, and a proxy may answer no bound methods of a frozen one. Not with the session as its
  // prototype: V8 would keep it until it collects its old space.
  return new Proxy({} as S, {
    get(_target, name) {
      if (session.exists || !reads.has(name)) tracker.personal(`it uses the session (${String(name)})`);
      const value: unknown = Reflect.get(session, name, session);
      return typeof value === 'function' ? value.bind(session) : value;
    },
  });
}

/**
 * The request as a page that may be kept sees it: path and origin are part of its key, and cookies and headers it sets belong to the reply. Reading
 * the address with its query limits the page to requests without undeclared query values; reading anything else makes it personal.
 */
export function followRequest<R extends RequestView>(request: R, tracker: Tracker): R {
  const shared: ReadonlySet<string | symbol> = new Set(['method', 'path', 'origin', 'url', 'setCookie', 'setHeader']);
  return new Proxy(request, {
    get(target, name) {
      if (name === 'url') tracker.address();
      if (!shared.has(name)) tracker.personal(`it reads the request's ${String(name)}`);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
