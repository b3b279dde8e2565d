import { NotFound, redirect, route, safePath, z } from 'pergola';
import { routes } from 'pergola/http';
import { findLanguage, languageCookie, localizePath, plainPath } from '../services/address.ts';
import { YEAR_SECONDS } from '../services/durations.ts';

/**
 * `/website/lang/fr_FR?r=/shop`: stores the selected language and redirects to the page in it. `default` is the site's default language.
 */
export const chooseLanguage = route.http(
  '/website/lang/:lang',
  {
    name: 'website.lang',
    method: 'GET',
    params: { lang: z.string().max(20) },
    query: z.object({ r: z.string().max(4096).optional().catch(undefined) }),
  },
  ({ ctx, params, query, request }) => {
    const site = ctx.attributes.website;
    const language = site && (params.lang === 'default' ? site.languages[0] : findLanguage(site, params.lang));
    if (!language)
      throw new NotFound('This site isn’t available in this language.', { code: 'website.no_such_language' });
    const [, path = '/', suffix = ''] = /^([^?#]*)(.*)$/s.exec(safePath(query.r ?? '/')) ?? [];
    const plain = plainPath(site, path);
    const target = ctx.get(routes).isMultilang(plain) ? localizePath(site, plain, language.code) : plain;
    request.setCookie(languageCookie, language.code, { maxAge: YEAR_SECONDS, httpOnly: false });
    return redirect(target + suffix);
  },
);
