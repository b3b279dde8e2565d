import { Language } from '@pergola/base';
import { type Ctx, InvalidInput, slugify } from 'pergola';
import { routes } from 'pergola/http';
import { beside } from '../models/beside.ts';

/** Maximum length of addresses derived from titles. */
const longestSlug = 50;

/** Normalises user input to a page address: leading slash, no trailing slash, no spaces or accents. */
export function plainAddress(text: string): string {
  const trimmed = text.trim().replace(/[?#].*$/s, '');
  const segments = trimmed
    .split('/')
    .flatMap((segment) => (segment.trim() === '' ? [] : [plainSegment(segment.trim())]));
  return `/${segments.join('/')}`;
}

/** Keeps letters, digits and a few symbols, so that addresses of an older site can be reused. */
function plainSegment(text: string): string {
  return /^[\w.~-]+$/.test(text) ? text : slugify(text);
}

/** Page address derived from a title: `/about-us`; `/page` if no usable characters remain. */
export function addressOfTitle(title: string): string {
  const slug = slugify(title).slice(0, longestSlug).replace(/-+$/, '');
  return `/${slug === '' ? 'page' : slug}`;
}

/** Returns whether an addon route handles the address, which would hide a page. */
export function isTaken(ctx: Ctx, url: string): boolean {
  return ctx.get(routes).ownerOf(url) !== null;
}

/**
 * Rejects invalid page addresses: malformed paths, paths that start with a language code, and routes of addons.
 *
 * @throws InvalidInput for the field `url`
 */
export async function checkAddress(ctx: Ctx, url: string): Promise<void> {
  if (url === '/') return;
  const segments = url.slice(1).split('/');
  const isPlain =
    url.startsWith('/') && segments.every((segment) => /^[\w.~-]+$/.test(segment) && !/^\.+$/.test(segment));
  if (!isPlain) {
    const refusal = new InvalidInput('Use only unaccented letters, digits, “-”, “_” and “.”, separated by slashes.', {
      code: 'website.bad_address',
    });
    throw beside('url', refusal);
  }
  const owner = ctx.get(routes).ownerOf(url);
  // Pages shipped with addons may share an address with an addon route, which takes precedence.
  if (owner !== null && !ctx.su) {
    const refusal = new InvalidInput('This address belongs to the app “{addon}”. Choose another one.', {
      code: 'website.address_of_addon',
      params: { addon: owner },
    });
    throw beside('url', refusal);
  }
  const first = (segments[0] ?? '').toLowerCase();
  const languages = await ctx
    .sudo()
    .model(Language)
    .find(['|', ['active', '=', true], ['active', '=', false]], { select: { code: true, url_code: true } });
  if (languages.some(({ code, url_code }) => [code.toLowerCase(), url_code.toLowerCase()].includes(first))) {
    const refusal = new InvalidInput(
      '“{segment}” at the start of an address is a language code. Choose another address.',
      {
        code: 'website.address_of_language',
        params: { segment: segments[0] ?? '' },
      },
    );
    throw beside('url', refusal);
  }
}
