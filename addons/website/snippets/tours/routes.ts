import { type Ctx, NotFound, route, z } from 'pergola';
import { ownText } from 'pergola/pages';
import { t } from '../../texts.ts';
import { type TourDefinition, type TourTrouble, tours } from './point.ts';

const lang = z
  .string()
  .regex(/^[a-z]{2,3}(_[A-Z][A-Za-z]{1,3})?$/)
  .optional();

/** List of available tours. */
export const toursPage = route.page('/website/tours', { name: 'website.tours' }, ({ ctx, render }) =>
  render('website.tours', {
    title: t(ctx, 'Guided tours'),
    tours: ctx.get(tours).map(({ id, name, path, steps }) => ({
      name: ownText(ctx, addonOf(id), name),
      href: `${path}#tutorial.${id}=true`,
      count: steps.length,
    })),
  }),
);

/** Steps of a tour with texts in the page's language. */
export const tourSteps = route.json(
  '/website/tours/:id',
  { name: 'website.tour', params: { id: z.string().max(100) }, query: z.object({ lang }) },
  ({ ctx, params, query }) => {
    // Links of Odoo omit the addon: `#tutorial.event_buy_tickets=true`.
    const definition = ctx.get(tours).find(({ id }) => id === params.id || id.endsWith(`.${params.id}`));
    if (!definition) throw new NotFound('Unknown tour “{id}”.', { code: 'website.no_tour', params: { id: params.id } });
    return translated(inLanguage(ctx, query.lang), definition);
  },
);

function inLanguage(ctx: Ctx, code: string | undefined): Ctx {
  const isSiteLanguage = ctx.attributes.website?.languages.some((language) => language.code === code);
  return code !== undefined && isSiteLanguage ? ctx.as({ lang: code }) : ctx;
}

function translated(ctx: Ctx, { id, name, path, steps }: TourDefinition): TourDefinition {
  return {
    id,
    name: ownText(ctx, addonOf(id), name),
    path,
    steps: steps.map((step) => ({
      ...step,
      title: ownText(ctx, addonOf(id), step.title),
      ...(step.content === undefined ? {} : { content: ownText(ctx, addonOf(id), step.content) }),
      ...(step.trouble === undefined ? {} : { trouble: translateTrouble(ctx, step.trouble) }),
    })),
  };
}

/** Tours share their obstacles, so each text is translated by the addon that has it. */
function translateTrouble(ctx: Ctx, { help, label, ...trouble }: TourTrouble): TourTrouble {
  return { ...trouble, help: t(ctx, help), label: t(ctx, label) };
}

/** Addon name at the start of an id. */
function addonOf(id: string): string {
  return id.slice(0, id.indexOf('.'));
}
