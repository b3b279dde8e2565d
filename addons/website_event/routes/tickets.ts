import { currentWebsite, originOf } from '#addons/website';
import { NotFound, reply, route, z } from '#core';
import { EventRegistration } from '../models/event-registration.ts';
import { TicketDocument } from '../services/ticket-document.ts';
import { checkInAddress, isCodePath, registrationsIn } from '../services/ticket-links.ts';

/** The tickets of some registrations as a file, for whoever has the address. Tickets that are no longer valid are not in it. */
export const ticketsFile = route.http(
  '/event/tickets/:list/:signature',
  {
    name: 'website_event.tickets',
    method: 'GET',
    multilang: true,
    params: { list: z.string().max(1000), signature: z.string().max(100) },
    rate: { calls: 30, seconds: 60 },
    prepare: async ({ ctx, params }) => {
      const ids = registrationsIn(ctx, params.list, params.signature);
      // The signature says that the tickets are the caller's.
      const valid = ids
        ? await ctx
            .sudo()
            .model(EventRegistration)
            .search([
              ['id', 'in', ids],
              ['state', 'in', ['open', 'done']],
            ])
        : [];
      if (valid.length === 0) throw new NotFound('There is no such page.', { code: 'core.no_such_page' });
      return ctx.get(TicketDocument).pdf(valid);
    },
  },
  ({ ctx, prepared }) =>
    reply.body(prepared, 'application/pdf', {
      'Content-Disposition': `inline; filename="${ctx.t('tickets')}.pdf"`,
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
    }),
);

/** The code of one ticket as a picture, for whoever has its address. */
export const ticketCode = route.http(
  '/event/ticket-code/:id/:signature',
  {
    name: 'website_event.ticket_code',
    method: 'GET',
    params: { id: z.coerce.number().int().min(1).max(2_147_483_647), signature: z.string().max(100) },
    prepare: async ({ ctx, params: { id, signature } }) => {
      // The signature says that the ticket is the caller's.
      const [row] = isCodePath(ctx, id, signature)
        ? await ctx
            .sudo()
            .model(EventRegistration)
            .find(
              [
                ['id', '=', id],
                ['state', 'in', ['open', 'done']],
              ],
              { select: { barcode: true } },
            )
        : [];
      if (!row?.barcode) throw new NotFound('There is no such page.', { code: 'core.no_such_page' });
      const address = checkInAddress(originOf(ctx, await currentWebsite(ctx)), row.barcode);
      // Few ask for one: starts do without it.
      const { default: QrCode } = await import('qrcode');
      return QrCode.toString(address, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
    },
  },
  ({ prepared }) =>
    reply.body(prepared, 'image/svg+xml', { 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' }),
);
