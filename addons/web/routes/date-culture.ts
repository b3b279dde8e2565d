import { NotFound, reply, route, z } from 'pergola';
import { cultureScript, knownLanguage } from '../services/date-culture.ts';

const WEEK = 7 * 24 * 3600;

/** Date formats of a language, at the address used by Odoo's clients. */
export const dateCulture = route.http(
  '/web/static/lib/datejs/globalization/:file',
  { name: 'web.date_culture', method: 'GET', params: { file: z.string().max(60) } },
  ({ params }) => {
    const tag = params.file.endsWith('.js') ? knownLanguage(params.file.slice(0, -3)) : null;
    if (tag === null) throw new NotFound('We can’t find that page.', { code: 'web.no_language' });
    return reply.body(cultureScript(tag), 'text/javascript; charset=utf-8', {
      'cache-control': `public, max-age=${WEEK}`,
      vary: 'Accept-Encoding',
    });
  },
);
