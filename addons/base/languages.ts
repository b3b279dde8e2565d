import type { Ctx } from 'pergola';
import { Language } from './models/language.ts';

/** Codes of the active languages, the default first. */
export async function siteLanguages(ctx: Ctx): Promise<readonly string[]> {
  const rows = await ctx.model(Language).find([['active', '=', true]], { select: { code: true } });
  return rows.map(({ code }) => code);
}
