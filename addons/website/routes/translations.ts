import { app, route, z } from 'pergola';
import { catalogs } from 'pergola/pages';
import { Language } from '#addons/base';

/** The texts browsers need in a language, by addon, with the language's formats: what clients of Odoo's websites ask for first. */
export const translations = route.rpc(
  '/website/translations',
  { name: 'website.translations', input: z.object({ lang: z.string().max(20).nullish() }) },
  async ({ ctx, input }) => {
    const lang = (input.lang ?? ctx.lang).replace('-', '_');
    // Which languages there are is no secret.
    const known = await ctx
      .sudo()
      .model(Language)
      .count([
        ['code', '=', lang],
        ['active', '=', true],
      ]);
    if (known === 0) return { modules: {}, lang_parameters: null };
    return ctx.get(catalogs).bundle(
      lang,
      ctx.get(app.addons).map(({ name }) => name),
    );
  },
);
