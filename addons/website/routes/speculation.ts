import { reply, route } from '#core';
import { closedPaths } from '../services/robot-rules.ts';

/** Where the rules are; pages name it in a header of this name. */
export const SPECULATION = { header: 'Speculation-Rules', path: '/website/speculation.json' } as const;

/** Links that change something, or lead to what belongs to one visitor, say so to search engines already. */
const closedLinks = '[rel~=nofollow], [rel~=nofollow] *, [download], [target=_blank]';

/**
 * What browsers may fetch before somebody presses a link: any page when the pointer rests on its link, and the pages of the menu, which are kept and have
 * nothing in them that belongs to one visitor, made ready to be seen. What search engines are asked to leave alone is left alone here too.
 */
export const speculation = route.http(SPECULATION.path, { name: 'website.speculation', method: 'GET' }, ({ ctx }) => {
  const closed = closedPaths(ctx).map((path) => `${path.replace(/\*$/, '').replace(/[(){}:?+\\]/g, '\\$&')}*`);
  const open = [{ not: { href_matches: closed } }, { not: { selector_matches: closedLinks } }];
  const rule = (where: object) => ({ source: 'document', where: { and: [where, ...open] }, eagerness: 'moderate' });
  const rules = {
    prefetch: [rule({ href_matches: '/*' })],
    prerender: [rule({ selector_matches: '.site-nav a, .site-brand' })],
  };
  const headers = { 'Cache-Control': 'public, max-age=3600' };
  return reply.body(JSON.stringify(rules), 'application/speculationrules+json; charset=utf-8', headers);
});
