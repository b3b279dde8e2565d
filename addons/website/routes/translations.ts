import { Language } from '@pergola/base';
import { app, route, z } from 'pergola';
import { catalogs } from 'pergola/pages';

/** Browser translations in a language by addon, with the language's formats; called first by clients of Odoo websites. */
export const translations = route.rpc(
  '/website/translations',
  { name: 'website.translations', input: z.object({ lang: z.string().max(20).nullish() }) },
  async ({ ctx, input }) => {
    const lang = (input.lang ?? ctx.lang).replace('-', '_');
    // The list of languages is public.
    const languageCount = await ctx
      .sudo()
      .model(Language)
      .count([
        ['code', '=', lang],
        ['active', '=', true],
      ]);
    if (languageCount === 0) return { modules: {}, lang_parameters: null };
    return ctx.get(catalogs).bundle(
      lang,
      ctx.get(app.addons).map(({ name }) => name),
    );
  },
);
