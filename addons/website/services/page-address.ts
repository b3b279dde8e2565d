import { type Ctx, InvalidInput, slugify } from 'pergola';
import { routes } from 'pergola/http';
import { Language } from '#addons/base';
import { beside } from '../models/beside.ts';

/** The longest address a new page gets from its title. */
const longestSlug = 50;

/** An address for a page from what people type: a slash in front, none at the end, blanks and accents taken out. */
export function plainAddress(text: string): string {
  const trimmed = text.trim().replace(/[?#].*$/s, '');
  const segments = trimmed
    .split('/')
    .flatMap((segment) => (segment.trim() === '' ? [] : [plainSegment(segment.trim())]));
  return `/${segments.join('/')}`;
}

/** Letters, digits and a few signs stay as they are, so that addresses of an older site can be taken over. */
function plainSegment(text: string): string {
  return /^[\w.~-]+$/.test(text) ? text : slugify(text);
}

/** The address of a page by its title: `/about-us`; `/page` where nothing of the title can stand in an address. */
export function addressOfTitle(title: string): string {
  const slug = slugify(title).slice(0, longestSlug).replace(/-+$/, '');
  return `/${slug === '' ? 'page' : slug}`;
}

/** Whether an addon answers at an address, so that a page there would not be seen. */
export function isTaken(ctx: Ctx, url: string): boolean {
  return ctx.get(routes).ownerOf(url) !== null;
}

/**
 * Refuses addresses no page can have: those that are no plain path, begin like a language, or belong to a route of an addon.
 *
 * @throws InvalidInput, beside `url`.
 */
export async function checkAddress(ctx: Ctx, url: string): Promise<void> {
  if (url === '/') return;
  const segments = url.slice(1).split('/');
  const isPlain =
    url.startsWith('/') && segments.every((segment) => /^[\w.~-]+$/.test(segment) && !/^\.+$/.test(segment));
  if (!isPlain) {
    const refusal = new InvalidInput(
      'An address consists of letters without accents, digits, “-”, “_” and “.” between slashes.',
      {
        code: 'website.bad_address',
      },
    );
    throw beside('url', refusal);
  }
  const owner = ctx.get(routes).ownerOf(url);
  // What is shipped stands beside whatever addons are there; the addon answers.
  if (owner !== null && !ctx.su) {
    const refusal = new InvalidInput('This address belongs to the addon “{addon}”. Choose another one.', {
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
      '“{segment}” at the beginning of an address stands for a language. Choose another one.',
      {
        code: 'website.address_of_language',
        params: { segment: segments[0] ?? '' },
      },
    );
    throw beside('url', refusal);
  }
}
