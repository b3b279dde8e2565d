import fc from 'fast-check';
import { NotAllowed } from '../../../core/base/errors.ts';
import { checkCsrf, checkSameOrigin, csrfToken } from '../security/csrf.ts';

const ours = 'https://club.example';
const secret = (byte: number): { csrfSecret: Uint8Array } => ({ csrfSecret: new Uint8Array(16).fill(byte) });
const none = { csrfSecret: null };

/** `ok`, or the code of the refusal. */
function verdict(check: () => void): string {
  try {
    check();
    return 'ok';
  } catch (error) {
    if (error instanceof NotAllowed) return error.code;
    throw error;
  }
}
const headers = (origin?: string, site?: string): Record<string, string> => ({
  ...(origin === undefined ? {} : { origin }),
  ...(site === undefined ? {} : { 'sec-fetch-site': site }),
});

describe('A form', () => {
  test.each([
    [undefined, undefined, 'core.no_origin'],
    [ours, undefined, 'ok'],
    [undefined, 'same-origin', 'ok'],
    [ours, 'same-origin', 'ok'],
    [ours, 'none', 'ok'],
    [undefined, 'none', 'core.no_origin'],
    ['null', undefined, 'core.cross_site'],
    ['null', 'same-origin', 'core.cross_site'],
    ['https://evil.example', undefined, 'core.cross_site'],
    ['https://evil.example', 'same-origin', 'core.cross_site'],
    ['http://club.example', undefined, 'core.cross_site'],
    ['https://club.example:8443', undefined, 'core.cross_site'],
    ['https://club.example.evil.example', undefined, 'core.cross_site'],
    [`${ours}, https://evil.example`, undefined, 'core.cross_site'],
    [ours, 'cross-site', 'core.cross_site'],
    [undefined, 'cross-site', 'core.cross_site'],
    [undefined, 'same-site', 'core.cross_site'],
    [undefined, 'same-origin, cross-site', 'core.cross_site'],
    ['', undefined, 'core.cross_site'],
  ])('of a visitor without a session, with Origin %p and Sec-Fetch-Site %p: %s', (origin, site, expected) => {
    const question = { headers: headers(origin, site), origin: ours };
    expect(verdict(() => checkCsrf(question, none, null))).toBe(expected);
    // A token without a session is worth nothing.
    expect(verdict(() => checkCsrf(question, none, csrfToken(secret(1))))).toBe(expected);
  });

  test.each([
    ['its own token', csrfToken(secret(1)), {}, 'ok'],
    ['its own token from our page', csrfToken(secret(1)), headers(ours, 'same-origin'), 'ok'],
    ['no token', null, headers(ours, 'same-origin'), 'core.csrf_missing'],
    ['an empty token', '', headers(ours, 'same-origin'), 'core.csrf_missing'],
    ["another session's token", csrfToken(secret(2)), headers(ours), 'core.csrf_wrong'],
    ['half a token', csrfToken(secret(1)).slice(0, 20), headers(ours), 'core.csrf_wrong'],
    ['a token of zeros', 'A'.repeat(43), headers(ours), 'core.csrf_wrong'],
    ['its own token from another site', csrfToken(secret(1)), headers('https://evil.example'), 'core.cross_site'],
    ['its own token from a sandboxed frame', csrfToken(secret(1)), headers('null'), 'core.cross_site'],
  ])('of a session, with %s', (_, token, sent, expected) => {
    expect(verdict(() => checkCsrf({ headers: sent, origin: ours }, secret(1), token))).toBe(expected);
  });

  test('carries a token that looks different every time and is refused when any bit of it is changed', () => {
    const session = { csrfSecret: Uint8Array.from({ length: 16 }, (_, at) => at * 7 + 1) };
    const question = { headers: {}, origin: ours };
    const tokens = new Set(Array.from({ length: 100 }, () => csrfToken(session)));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(verdict(() => checkCsrf(question, session, token))).toBe('ok');
    fc.assert(
      fc.property(fc.nat(255), (bit) => {
        const bytes = Buffer.from(csrfToken(session), 'base64url');
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(verdict(() => checkCsrf(question, session, bytes.toString('base64url')))).toBe('core.csrf_wrong');
      }),
    );
    expect(csrfToken(none)).toBe('');
  });
});

describe('A call', () => {
  test.each([
    [undefined, undefined, 'ok'],
    [ours, 'same-origin', 'ok'],
    [undefined, 'none', 'ok'],
    ['null', undefined, 'core.cross_site'],
    ['https://evil.example', undefined, 'core.cross_site'],
    [undefined, 'cross-site', 'core.cross_site'],
    [undefined, 'same-site', 'core.cross_site'],
    [ours, 'cross-site', 'core.cross_site'],
  ])('with Origin %p and Sec-Fetch-Site %p: %s', (origin, site, expected) => {
    expect(verdict(() => checkSameOrigin({ headers: headers(origin, site), origin: ours }, 'if-present'))).toBe(
      expected,
    );
  });
});
