import { type Ctx, liveValues } from 'pergola';
import { Website } from '../models/website.ts';

/** Opening hours by `[site, language]`, one per line. They are the same for all visitors and appear on every page. */
export const openingHours = liveValues('website.opening_hours', {
  read: async (system, key): Promise<readonly string[]> => {
    const [site, lang] = JSON.parse(key) as [number, string];
    const [row] = await system
      .as({ lang })
      .model(Website)
      .read([site], { select: { opening_hours: true } });
    return (row?.opening_hours ?? '').split('\n').flatMap((line) => line.trim() || []);
  },
});

/** Opening hours of the request's site. */
export async function hoursOf(ctx: Ctx): Promise<readonly string[]> {
  const site = ctx.attributes.website;
  return site ? ctx.get(openingHours).get(ctx, JSON.stringify([site.id, ctx.lang])) : [];
}
