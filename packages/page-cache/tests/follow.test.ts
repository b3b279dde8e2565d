import type { Identity, SessionView } from '../../../core/context/context.ts';
import type { RequestView } from '../../../core/context/request-view.ts';
import { followIdentity, followRequest, followSession } from '../follow.ts';
import { RenderTracker } from '../render-tracker.ts';
import { StagedChanges } from './stage.ts';

const makeTracker = (): RenderTracker => new RenderTracker(new StagedChanges());
const member: Identity = {
  id: 7,
  partnerId: 8,
  name: 'Ann',
  login: 'ann',
  groups: new Set(['base.group_user']),
  lang: 'fr_FR',
  timezone: null,
};

describe('A page that may be kept', () => {
  test("may read the user's groups, language and zone, and is the user's own once it reads more", () => {
    const tracker = makeTracker();
    const followed = followIdentity(member, tracker);
    expect([followed.groups.has('base.group_user'), followed.lang, followed.timezone]).toEqual([true, 'fr_FR', null]);
    expect(tracker.reason).toBeNull();
    expect(followed.name).toBe('Ann');
    expect(tracker.reason).toContain('name');
    for (const key of ['id', 'partnerId', 'login'] as const) {
      const other = makeTracker();
      expect(followIdentity(member, other)[key]).toBe(member[key]);
      expect(other.reason).toContain(key);
    }
  });

  test('knows what roles grant the user, and what the credential they came with narrows', () => {
    const rights = new Map([['sale.order', new Set(['read'] as const)]]);
    const tracker = makeTracker();
    const followed = followIdentity({ ...member, grants: rights, scope: rights }, tracker);
    expect([followed.grants, followed.scope]).toEqual([rights, rights]);
    expect(tracker.reason).toBeNull();
  });

  test('may read everything of a visitor who has not signed in, since they are all alike', () => {
    const tracker = makeTracker();
    expect(followIdentity({ ...member, id: null }, tracker).name).toBe('Ann');
    expect(tracker.reason).toBeNull();
  });

  test("is the visitor's own once it reads a session, or changes one that is not there yet", () => {
    class Session {
      readonly #cart = 5;
      readonly exists: boolean;
      constructor(exists: boolean) {
        this.exists = exists;
      }
      get(): number {
        return this.#cart;
      }
      set(): void {}
    }
    const follow = (exists: boolean, use: (view: SessionView) => unknown): string | null => {
      const tracker = makeTracker();
      use(followSession(new Session(exists) as unknown as SessionView, tracker));
      return tracker.reason;
    };
    expect(follow(true, (view) => view.exists)).toContain('session');
    expect(follow(true, (view) => view.get('cart'))).toContain('session');
    expect(follow(false, (view) => [view.exists, view.get('cart')])).toBeNull();
    expect(follow(false, (view) => view.set('cart', 1))).toContain('session');
  });

  test('asks a session that nothing may change, which is what pages of errors have', () => {
    const frozen = Object.freeze({ exists: false, get: () => 5, set() {} }) as unknown as SessionView;
    expect(followSession(frozen, makeTracker()).get('cart')).toBe(5);
  });

  test("may read a request's path and set headers, and is the visitor's own once it reads cookies, headers or address", () => {
    const request = {
      path: '/shop',
      origin: 'o',
      url: '/shop',
      cookies: {},
      headers: {},
      ip: '::1',
      id: 'r',
      setHeader() {},
    };
    const tracker = makeTracker();
    const followed = followRequest(request as unknown as RequestView, tracker);
    followed.setHeader('Link', followed.path + followed.origin + followed.url);
    expect(tracker.reason).toBeNull();
    for (const key of ['cookies', 'headers', 'ip', 'id'] as const) {
      const other = makeTracker();
      void followRequest(request as unknown as RequestView, other)[key];
      expect(other.reason).toContain(key);
    }
  });
});
