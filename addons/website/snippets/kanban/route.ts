import { NotAllowed, type RawDomain, reply, route, z } from 'pergola';
import { checked } from './description.ts';
import { cardOf, cardRows } from './kanban.ts';

const page = z.coerce.number().int().min(1).max(1_000_000).catch(1);

/** Cards of one page of a column; empty after the last page. */
export const kanbanRoute = route.http(
  '/website/kanban',
  {
    name: 'website.kanban',
    method: 'POST',
    body: 'form',
    limit: { bytes: 32_768, fields: 20 },
    rate: { calls: 120, seconds: 60 },
  },
  async ({ ctx, body, renderFragment }) => {
    const description = checked(ctx, body);
    const card = cardOf(ctx, description.template, description.model);
    // Signed before the card's addon was disabled.
    if (!card)
      throw new NotAllowed('This part of the page is out of date. Reload the page.', {
        code: 'website.kanban_changed',
      });
    const rows = await cardRows(ctx, card, JSON.parse(description.domain) as RawDomain, {
      step: Number(description.step),
      orderby: description.orderby,
      page: page.parse((body as { page?: unknown }).page),
    });
    const cards: string[] = [];
    for (const row of rows) cards.push(await renderFragment(card.template, row));
    return reply.html(cards.join(''));
  },
);
