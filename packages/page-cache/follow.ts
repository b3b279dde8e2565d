import type { Identity, RequestView, SessionView, Tracker } from '@pergola/core';

/** Properties of an individual user. All others are shared by users with the same groups and are part of a page's cache key. */
const personalProperties: ReadonlySet<string | symbol> = new Set(['id', 'partnerId', 'name', 'login']);

/**
 * Wraps the identity for a cacheable page: groups, language and time zone are part of the cache key; reading anything else makes the page
 * personal. Visitors who aren't signed in all count as the same.
 */
export function followIdentity(identity: Identity, tracker: Tracker): Identity {
  if (identity.id === null) return identity;
  return new Proxy(identity, {
    get(target, name) {
      if (personalProperties.has(name)) tracker.personal(`it reads the user's ${String(name)}`);
      return Reflect.get(target, name);
    },
  });
}

/**
 * Wraps the session for a cacheable page: reading or changing it makes the page personal. Pages for visitors without a session are cached
 * separately, and for all of them the session is equally empty.
 */
export function followSession<S extends SessionView>(session: S, tracker: Tracker): S {
  const reads: ReadonlySet<string | symbol> = new Set(['exists', 'number', 'get']);
  // Over an empty target: a missing session is frozen, and a proxy can't return bound methods of a frozen object. The session isn't the
  // target's prototype either, because V8 would keep it alive until it collects its old space.
  return new Proxy({} as S, {
    get(_target, name) {
      if (session.exists || !reads.has(name)) tracker.personal(`it uses the session (${String(name)})`);
      const value: unknown = Reflect.get(session, name, session);
      return typeof value === 'function' ? value.bind(session) : value;
    },
  });
}

/**
 * Wraps the request for a cacheable page: path and origin are part of the cache key, and cookies and headers it sets belong to the reply.
 * Reading the address with its query limits the page to requests without undeclared query values; reading anything else makes it personal.
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
