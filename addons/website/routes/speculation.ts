import { reply, route } from 'pergola';
import { cartPaths, closedPaths } from '../services/robot-rules.ts';

/** Where the rules are; pages name it in a header of this name. */
export const SPECULATION = { header: 'Speculation-Rules', path: '/website/speculation.json' } as const;

/** Links that change something, or lead to what belongs to one visitor, say so to search engines already. */
const closedLinks = '[rel~=nofollow], [rel~=nofollow] *, [download], [target=_blank]';

/**
 * What browsers may fetch before somebody follows a link, and what they may make ready to be seen, its scripts waiting until it is: where a pointer rests, both.
 * Phones have no pointer, and guess by what is in view: there pages outside the menu are made ready once their link is pressed, so that little more than what is
 * wanted is loaded. Pages with a form of a cart are never made ready, and what search engines are asked to leave alone is left alone here too.
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
 * Whatever begins with one of the paths of the rules for robots, as one pattern of browsers' rules: they make each pattern before they paint the page, and
 * compare each link with it. The page above what is closed is closed too: `/web` of `/web/`.
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
