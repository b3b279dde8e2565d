import { block, type Ctx, route, z } from 'pergola';
import type { CspSource } from 'pergola/http';
import { browserKeySetting, citySetting } from '../settings.ts';
import { mark } from '../texts.ts';
import { entry, type Piece } from './kit.ts';

const TWITTER = 'https://syndication.twitter.com';
const FACEBOOK = 'https://www.facebook.com';

/** Sources of embedded feeds, which are loaded on request. */
export const socialSources: readonly CspSource[] = [
  { directive: 'frame-src', source: TWITTER },
  { directive: 'frame-src', source: 'https://platform.twitter.com' },
  { directive: 'frame-src', source: FACEBOOK },
];

function account(ctx: Ctx, network: 'twitter' | 'facebook'): string {
  return ctx.attributes.website?.social[network] ?? '';
}

/** Extracts the account name from `https://x.com/club`, `@club` or `club`; empty if invalid. */
export function twitterName(text: string): string {
  return /^(?:https?:\/\/(?:www\.|mobile\.)?(?:twitter|x)\.com\/)?@?(\w{1,15})\/?$/i.exec(text.trim())?.[1] ?? '';
}

/** URL of a Facebook page; empty if invalid. */
export function facebookPage(text: string): string {
  const name = /^(?:https?:\/\/(?:www\.|m\.)?facebook\.com\/)?([\w.-]{2,100})\/?$/i.exec(text.trim())?.[1];
  return name === undefined ? '' : `${FACEBOOK}/${name}`;
}

const twitterBlock = block('dribblo.twitter', {
  label: 'Twitter timeline',
  options: z.object({
    account: z
      .string()
      .max(200)
      .default('')
      .meta({ title: mark('Account') }),
  }),
  template: 'dribblo.social',
  load: async (ctx, options) => {
    const name = twitterName(options.account || account(ctx, 'twitter'));
    return {
      network: 'X (Twitter)',
      name: name && `@${name}`,
      page: name && `https://x.com/${name}`,
      frame: name && `${TWITTER}/srv/timeline-profile/screen-name/${name}?dnt=true`,
      height: 600,
    };
  },
});

const facebookBlock = block('dribblo.facebook', {
  label: 'Facebook page',
  options: z.object({
    page: z
      .string()
      .max(300)
      .default('')
      .meta({ title: mark('Page') }),
    timeline: z
      .boolean()
      .default(true)
      .meta({ title: mark('Show its posts') }),
  }),
  template: 'dribblo.social',
  load: async (ctx, options) => {
    const page = facebookPage(options.page || account(ctx, 'facebook'));
    const query = new URLSearchParams({
      href: page,
      tabs: options.timeline ? 'timeline' : '',
      height: options.timeline ? '600' : '180',
      small_header: 'false',
      adapt_container_width: 'true',
    });
    return {
      network: 'Facebook',
      name: page.slice(FACEBOOK.length + 1),
      page,
      frame: page && `${FACEBOOK}/plugins/page.php?${query}`,
      height: options.timeline ? 600 : 180,
    };
  },
});

/** Public site data for snippet scripts. */
const snippetData = route.rpc(
  '/get_data_snippets',
  { name: 'dribblo.data_snippets', input: z.object({}) },
  async ({ ctx }) => {
    // The town and browser key are public; no other settings are read.
    const { settings } = ctx.sudo();
    return {
      social_twitter: account(ctx, 'twitter'),
      ville: await settings.get(citySetting),
      apikey: await settings.get(browserKeySetting),
    };
  },
);

/** Social media feeds, loaded only when the visitor requests them. */
export const socialPieces: Piece = {
  blocks: [twitterBlock, facebookBlock],
  snippets: [
    entry('twitter', mark('Twitter timeline')),
    entry('facebook', mark('Facebook page'), { timeline: false }),
    entry('facebook_timeline', mark('Facebook timeline'), { timeline: true }, 'facebook'),
  ],
  routes: [snippetData],
};
