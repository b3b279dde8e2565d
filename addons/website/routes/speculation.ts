import { reply, route } from '#core';
import { cartPaths, closedPaths } from '../services/robot-rules.ts';

/** Where the rules are; pages name it in a header of this name. */
export const SPECULATION = { header: 'Speculation-Rules', path: '/website/speculation.json' } as const;

/** Links that change something, or lead to what belongs to one visitor, say so to search engines already. */
const closedLinks = '[rel~=nofollow], [rel~=nofollow] *, [download], [target=_blank]';

/**
 * What browsers may fetch before somebody follows a link: any page once the pointer rests on its link. Made ready to be seen, their scripts waiting until they
 * are, are those of the menu then, and others once their link is pressed: on a phone nothing more than what is wanted is loaded. Pages with a form of a cart
 * are never made ready, and what search engines are asked to leave alone is left alone here too.
 */
export const speculation = route.http(SPECULATION.path, { name: 'website.speculation', method: 'GET' }, ({ ctx }) => {
  const closed = closedPaths(ctx).map(pattern);
  const still = [...closed, ...cartPaths(ctx).map(pattern)];
  const rule = (where: object, not: readonly string[], eagerness: 'moderate' | 'conservative') => ({
    source: 'document',
    where: { and: [where, { not: { href_matches: not } }, { not: { selector_matches: closedLinks } }] },
    eagerness,
  });
  const any = { href_matches: '/*' };
  const rules = {
    prefetch: [rule(any, closed, 'moderate')],
    prerender: [
      rule({ selector_matches: '.site-nav a, .site-brand' }, still, 'moderate'),
      rule(any, still, 'conservative'),
    ],
  };
  const headers = { 'Cache-Control': 'public, max-age=3600' };
  return reply.body(JSON.stringify(rules), 'application/speculationrules+json; charset=utf-8', headers);
});

/** A path of the rules for robots as browsers' rules have it: whatever begins with it. */
function pattern(path: string): string {
  return `${path.replace(/\*$/, '').replace(/[(){}:?+\\]/g, '\\$&')}*`;
}
