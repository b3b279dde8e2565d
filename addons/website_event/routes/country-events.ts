import { Country } from '@pergola/base';
import { YEAR_SECONDS } from '@pergola/website';
import { InvalidInput, redirect, reply, route, safePath, z } from 'pergola';
import { countryEvents } from '../pages/country-events.ts';
import { countryCookie, everywhere } from '../services/visitor-country.ts';

const template = 'website_event.country_events_list';

/**
 * Returns upcoming events in the visitor's country as HTML, or an empty string. A plain POST gets the markup itself, a JSON-RPC call gets
 * it as `result`.
 */
export const countryEventList = route.http(
  '/event/get_country_event_list',
  {
    name: 'website_event.country_event_list',
    method: 'POST',
    body: 'raw',
    multilang: true,
    csrf: { off: 'It only reads, and what it answers is public.' },
  },
  async ({ ctx, request, body, renderFragment }) => {
    const call = callIn(request.headers['content-type'], body);
    const values = await countryEvents(ctx, request);
    const html = values.events.length === 0 ? '' : await renderFragment(template, values);
    return call === null ? reply.html(html) : reply.json({ jsonrpc: '2.0', id: call.id, result: html });
  },
);

const envelope = z.object({ id: z.union([z.string(), z.number(), z.null()]).default(null) });

/** Parses a JSON-RPC call from the body; null for other content. */
function callIn(type: string | readonly string[] | undefined, body: unknown): { id: string | number | null } | null {
  if (typeof type !== 'string' || !/^application\/json\b/i.test(type)) return null;
  try {
    return envelope.parse(JSON.parse(new TextDecoder().decode(body instanceof Uint8Array ? body : new Uint8Array())));
  } catch {
    throw new InvalidInput('This isn’t a JSON-RPC call.', { code: 'website_event.no_call' });
  }
}

/** Saves the visitor's country choice, and redirects back to the page. */
export const chooseCountry = route.form(
  '/event/country',
  {
    name: 'website_event.country',
    page: ({ values }) => safePath(values.r ?? '/event'),
    body: z.object({
      country: z
        .string()
        .regex(/^([A-Z]{2})?$/)
        .default(''),
      r: z.string().max(2000).default('/event'),
    }),
  },
  async ({ ctx, body: { country, r }, request }) => {
    if (country !== '' && (await ctx.model(Country).count([['code', '=', country]])) === 0)
      throw new InvalidInput('We can’t find this country.', { code: 'website_event.no_country' });
    request.setCookie(countryCookie, country === '' ? everywhere : country, { maxAge: YEAR_SECONDS, httpOnly: true });
    return redirect(safePath(r));
  },
);
