import { type Ctx, data, ref } from 'pergola';
import sharp from 'sharp';
import { Book } from '../models/book.ts';

/** A function, because the covers are created first. */
export default data(Book, async (ctx) => ({
  demo_small_garden: {
    name: { en_US: 'The Small Garden', fr_FR: 'Le petit jardin' },
    summary: {
      en_US: '<p>A year on four square metres.</p>',
      fr_FR: '<p>Une année sur quatre mètres carrés.</p>',
    },
    author_ids: [ref('demo_ada')],
    category_ids: [ref('demo_garden')],
    isbn: '9783161484100',
    cover: await cover(ctx, 'seagreen'),
    copies: 2,
    website_published: true,
  },
  demo_bees: {
    name: { en_US: 'Bees at Home', fr_FR: 'Des abeilles chez soi' },
    summary: {
      en_US: '<p>What they need, and what they give.</p>',
      fr_FR: '<p>Ce qu’il leur faut, et ce qu’elles donnent.</p>',
    },
    author_ids: [ref('demo_jean'), ref('demo_ada')],
    category_ids: [ref('demo_animals'), ref('demo_garden')],
    cover: await cover(ctx, 'goldenrod'),
    website_published: true,
  },
  demo_hedgehogs: {
    name: { en_US: 'Hedgehogs', fr_FR: 'Les hérissons' },
    author_ids: [ref('demo_jean')],
    category_ids: [ref('demo_animals')],
    cover: await cover(ctx, 'sienna'),
    website_published: true,
  },
}));

async function cover(ctx: Ctx, background: string) {
  const picture = sharp({ create: { width: 400, height: 600, channels: 3, background } });
  return ctx.files.putImage(await picture.jpeg().toBuffer(), { name: `${background}.jpg` });
}
