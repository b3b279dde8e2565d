import { onWebsite } from '@pergola/website';
import { block, type Ctx, z } from 'pergola';
import { Advert } from '../models/club-advert.ts';
import { mark } from '../texts.ts';
import { entry, markupRoute, type Piece } from './kit.ts';

/** Default seconds per advert; the markup has milliseconds. */
const SPEED_SECONDS = 1;
/** Maximum number of adverts per carousel. */
const MAX_ADVERTS = 24;

async function activeAdverts(ctx: Ctx, zone: string, speed: number) {
  const today = ctx.today(ctx.siteTimezone);
  const adverts = await ctx
    .model(Advert)
    .find(
      [
        ['zone', '=', zone],
        ['active', '=', true],
        '|',
        ['date_from', '=', null],
        ['date_from', '<=', today],
        '|',
        ['date_to', '=', null],
        ['date_to', '>=', today],
        ...onWebsite(ctx),
      ],
      { select: { name: true, image: true, link: true }, limit: MAX_ADVERTS },
    );
  return { adverts, interval: Math.round(speed * 1000), zone };
}

const advertBlock = block('dribblo.adverts', {
  label: 'Adverts',
  options: z.object({
    zone: z
      .string()
      .max(40)
      .default('main')
      .meta({ title: mark('Zone') }),
    speed: z
      .number()
      .min(0)
      .max(600)
      .default(SPEED_SECONDS)
      .meta({ title: mark('Seconds per advert') }),
  }),
  template: 'dribblo.adverts',
  load: (ctx, { zone, speed }) => activeAdverts(ctx, zone, speed),
});

const zone = z.union([z.string().trim().min(1).max(40), z.number().int().transform(String)], {
  error: mark('Enter the zone to show adverts from.'),
});

/** Sponsor adverts in a zone of the page. */
export const advertPieces: Piece = {
  blocks: [advertBlock],
  snippets: [entry('adverts', mark('Adverts'), { zone: 'main', speed: 5 })],
  routes: [
    markupRoute(
      '/adverts/get',
      { name: 'dribblo.adverts', input: z.object({ ann: zone }), template: 'dribblo.adverts' },
      (ctx, { ann }) => activeAdverts(ctx, ann, SPEED_SECONDS),
    ),
  ],
};
