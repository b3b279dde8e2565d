import { differenceKey, pageDifferences, untranslated } from '../compare-pages.ts';
import { differenceGroups } from '../fold.ts';
import { htmlFacts } from '../page-facts.ts';
import type { Difference, PageFacts } from '../types.ts';

const base = 'http://localhost';
const pageOf = (html: string, facts: Partial<PageFacts> = {}): PageFacts => ({
  status: 200,
  location: null,
  loop: [],
  errors: [],
  route: 'club club.home',
  bytes: html.length,
  queries: 3,
  ms: 10,
  html: htmlFacts(html, base),
  ...facts,
});
const document = (body: string, lang = 'en'): string => `<html lang="${lang}"><body><h1>Club</h1>${body}</body></html>`;
const compared = (before: string, after: string) =>
  pageDifferences(pageOf(document(before)), pageOf(document(after))).map(({ kind, before, after }) => [
    kind,
    before,
    after,
  ]);

test('texts are read as visitors see them, without scripts, and with words inside a line kept together', () => {
  const { texts, lang, links, alternates } = htmlFacts(
    `<html lang="fr"><head><title>Club</title><link rel="alternate" hreflang="en" href="/club"></head>
    <body><p>We <b>play</b> on
    Sundays &amp; Mondays</p><script>let x = 'no';</script><a href="/shop?page=2#x">Shop</a><a href="https://example.org/y">Out</a></body></html>`,
    base,
  );
  expect(texts).toEqual(['We play on Sundays & Mondays', 'Shop', 'Out']);
  expect({ lang, links, alternates }).toEqual({ lang: 'fr', links: ['/shop'], alternates: { en: '/club' } });
});

test('what differs with each reply or build is no difference', () => {
  const page = (nonce: string, hash: string, token: string) =>
    `<script nonce="${nonce}" src="/_assets/web/page.${hash}.js"></script><input type="hidden" name="csrf_token" value="${token}">` +
    `<time datetime="2026-11-30T12:00:0${nonce}.000Z">Now</time><b data-prefix="i${nonce}" id="_i${nonce}R_1_">Now</b>`;
  expect(compared(page('1', 'a1b2c3d4e5', 'x'), page('2', 'f1b2c3d4e5', 'y'))).toEqual([]);
});

test('neighbouring lines are one difference, and what came in their place is its other half', () => {
  expect(compared('<p>Six</p><p>Left</p>', '<p>Seven</p><p>Left</p>')).toEqual([['text', 'Six', 'Seven']]);
  expect(compared('<ul><li class="a">One</li></ul>', '')).toEqual([
    ['text', 'One', null],
    ['structure', '<ul>\n<li class="a">', null],
  ]);
  expect(compared('<p class="a">1</p><p class="b">1</p>', '<p class="b">1</p><p class="a">1</p>')).toEqual([
    ['structure', 'in this order: <p class="a">', 'in this order: <p class="b">'],
  ]);
});

test('an element that is not closed is named, since the rest of the page lies in it', () => {
  expect(compared('<div><p>One</p></div>', '<div><p>One</p>')).toEqual([['structure', null, 'not closed: <div>']]);
});

test('new barriers are reported, existing ones are not', () => {
  expect(compared('<img src="/a.png" alt="">', '<img src="/a.png">')).toContainEqual([
    'accessibility',
    null,
    'image without alternative text: /a.png',
  ]);
  expect(compared('<img src="/a.png"><p>1</p>', '<img src="/a.png"><p>2</p>')).toEqual([['text', '1', '2']]);
  const barriers = (html: string) => htmlFacts(document(html), base).barriers;
  expect(barriers('<label for="a">Name</label><input id="a"><label>City <input></label><button>Go</button>')).toEqual(
    [],
  );
  expect(barriers('<input id="a"><button></button><a href="/x"><img src="/y.png" alt="Y"></a><h3>Far</h3>')).toEqual([
    'no name: <button>',
    'no name: <input id="a">',
    'heading skips from 1 to 3',
  ]);
});

test('a page that someone may see now, or no longer, is a difference of rights; a new page is not', () => {
  const ok = pageOf(document(''));
  const login = pageOf('', { status: 302, location: '/web/login?redirect=%2Fclub', html: null });
  const missing = (route: string): PageFacts => pageOf('', { status: 404, route, html: null });
  const kinds = (before: PageFacts, after: PageFacts) => pageDifferences(before, after).map(({ kind }) => kind);
  expect(kinds(login, ok)).toEqual(['rights']);
  expect(kinds(ok, login)).toEqual(['rights']);
  expect(kinds(missing(ok.route), ok)).toEqual(['rights']);
  expect(kinds(missing(''), ok)).toEqual(['status']);
  expect(kinds(pageOf('', { status: 302, location: '/a' }), pageOf('', { status: 302, location: '/b' }))).toEqual([
    'redirect',
  ]);
  expect(kinds(ok, pageOf('', { status: 500, html: null }))).toEqual(['error', 'status']);
});

test('a text is untranslated if the page had it in its own language before', () => {
  const before = htmlFacts(document('<p>Nous jouons</p>', 'fr'), base);
  const after = htmlFacts(document('<p>We play today</p>', 'fr'), base);
  const main = htmlFacts(document('<p>We play today</p>'), base);
  expect(untranslated(before, after, main)).toEqual([{ kind: 'translation', before: null, after: 'We play today' }]);
  expect(untranslated(before, before, main)).toEqual([]);
});

test('a difference that is the same on many pages is one line of a report', () => {
  const differences = ['/a', '/b', '/c'].flatMap((path) =>
    (['customer', 'visitor'] as const).map(
      (as): Difference => ({ path, as, kind: 'text', before: 'Forum', after: null }),
    ),
  );
  const failure: Difference = { path: '/a', as: 'visitor', kind: 'error', before: null, after: 'No ball' };
  expect(differenceGroups({ differences: [...differences, failure] })).toMatchObject([
    { kind: 'error', count: 1 },
    { kind: 'text', count: 6, paths: 3, viewers: ['visitor', 'customer'], example: { path: '/a', as: 'visitor' } },
  ]);
  expect(differenceKey({ kind: 'queries', before: '3', after: '4' })).toBe(
    differenceKey({ kind: 'queries', before: '7', after: '8' }),
  );
});
