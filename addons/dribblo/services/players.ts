import { type Ctx, fold, type Id } from '#core';
import { ConvocationLine } from '../models/club-convocation-line.ts';
import { Member } from '../models/club-member.ts';

/** Fewest letters a search begins with, and most names it answers. */
export const SEARCH_LETTERS = 2;
export const SEARCH_RESULTS = 10;
/** Most members looked at for one search. */
const CANDIDATES = 200;

export interface Suggestion {
  readonly id: Id;
  readonly name: string;
}

/**
 * Members on published call-ups whose name, as the website shows it, has the text in it: what is not shown of a name cannot be searched for.
 */
export async function suggestPlayers(ctx: Ctx, keyword: string): Promise<Suggestion[]> {
  const wanted = fold(keyword.trim());
  if (wanted.length < SEARCH_LETTERS) return [];
  // Visitors may not read members; they learn the public names of those who stand on published call-ups.
  const members = ctx.sudo().model(Member);
  const lines = await ctx
    .sudo()
    .model(ConvocationLine)
    .group([['convocation_id.website_published', '=', true]], { by: ['member_id'] });
  const ids = lines.map(({ member_id }) => Number(member_id));
  const [first = ''] = wanted.split(/\s+/);
  const found = await members.find(
    [
      ['id', 'in', ids],
      ['partner_id.name', 'ilike', first.replace(/\.$/, '')],
    ],
    { select: { public_name: true }, limit: CANDIDATES },
  );
  return found
    .map(({ id, public_name }) => ({ id, name: public_name ?? '' }))
    .filter(({ name }) => fold(name).includes(wanted))
    .sort((a, b) => a.name.localeCompare(b.name))
    .slice(0, SEARCH_RESULTS);
}
