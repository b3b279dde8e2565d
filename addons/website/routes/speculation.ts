import { reply, route } from 'pergola';
import { cartPaths, closedPaths } from '../services/robot-rules.ts';

/** Path of the speculation rules, and the response header that refers to them. */
export const SPECULATION = { header: 'Speculation-Rules', path: '/website/speculation.json' } as const;

/** Links that change something or lead to personal pages are already marked for search engines. */
const closedLinks = '[rel~=nofollow], [rel~=nofollow] *, [download], [target=_blank]';

/**
 * Speculation rules for prefetch and prerender, both when the pointer rests on a link. Phones have no pointer and guess by the visible
 * links, so pages outside the menu are prerendered there only when their link is pressed, which limits unused downloads. Excludes pages
 * with a cart form from prerendering, and pages closed to robots from both.
 */
export const speculation = route.http(
  SPECULATION.path,
  { name: 'website.speculation', method: 'GET' },
  ({ ctx, request }) => {
    const closed = pattern(closedPaths(ctx));
    const still = pattern([...closedPaths(ctx), ...cartPaths(ctx)]);
    const rule = (where: object, not: string, eagerness: 'moderate' | 'conservative') => ({
      source: 'document',
      where: { and: [where, { not: { href_matches: not } }, { not: { selector_matches: closedLinks } }] },
      eagerness,
    });
    const any = { href_matches: '/*' };
    const isPhone = request.headers['sec-ch-ua-mobile'] === '?1';
    const rules = {
      prefetch: [rule(any, closed, 'moderate')],
      prerender: [
        rule({ selector_matches: '.site-nav a, .site-brand' }, still, 'moderate'),
        rule(any, still, isPhone ? 'conservative' : 'moderate'),
      ],
    };
    const headers = { 'Cache-Control': 'public, max-age=3600', Vary: 'Sec-CH-UA-Mobile' };
    return reply.body(JSON.stringify(rules), 'application/speculationrules+json; charset=utf-8', headers);
  },
);

/**
 * Combines path prefixes from the robots rules into one URL pattern: browsers compile each pattern before the first paint and match every
 * link against it. Also matches a closed directory itself: `/web` for `/web/`.
 */
function pattern(paths: readonly string[]): string {
  const expressions = paths.map((path) =>
    escaped(path.slice(1))
      .replaceAll('*', '.*')
      .replace(/\/$|(?:\.\*)?$/, (end) => (end === '/' ? '(?:/.*)?' : '.*')),
  );
  return `/(${expressions.join('|')})`;
}

function escaped(path: string): string {
  return path.replace(/[.(){}[\]^$|?+\\]/g, '\\$&');
}
