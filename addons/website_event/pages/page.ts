import { type Ctx, NotFound } from 'pergola';
import { EventPage } from '../models/event-event-page.ts';
import { eventSeo, frameOf, type ShownEvent } from './frame.ts';

/** Renders an event page by name: introduction, place, or a custom page. */
export async function eventPageOf(ctx: Ctx, event: ShownEvent, name: string) {
  const frame = await frameOf(ctx, event, `page/${name}`);
  const values = { ...frame, title: event.name, seo: await eventSeo(ctx, frame) };
  if (name === 'introduction') return { template: 'website_event.introduction', values } as const;
  if (name === 'location' && frame.place) return { template: 'website_event.location', values } as const;
  const [page] = await ctx.model(EventPage).find(
    [
      ['event_id', '=', event.id],
      ['path', '=', name],
    ],
    { select: { name: true, content: true }, limit: 1 },
  );
  if (!page) throw new NotFound('We can’t find that page.', { code: 'core.no_such_page' });
  const title = `${page.name} – ${event.name}`;
  const seo = await eventSeo(ctx, frame, title);
  return { template: 'website_event.page', values: { ...values, page, title, seo } } as const;
}
