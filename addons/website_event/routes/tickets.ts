import { currentWebsite, originOf } from '@pergola/website';
import {
  type Ctx,
  type InvalidForm,
  isEmailAddress,
  NotFound,
  type Reply,
  type RequestView,
  readableAddress,
  redirect,
  reply,
  route,
  z,
} from 'pergola';
import { networkOf } from 'pergola/http';
import { EventRegistration } from '../models/event-registration.ts';
import { ownTickets, ticketPage } from '../pages/tickets.ts';
import { TicketDocument } from '../services/ticket-document.ts';
import { checkInAddress, type OpenedLink, openLink, ticketPath } from '../services/ticket-links.ts';
import { t } from '../texts.ts';

const noPage = () => new NotFound('We can’t find that page.', { code: 'core.no_such_page' });

/** Prevents caching of pages that only the ticket holder may see. */
const secret = { 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' };

const signature = z.string().max(100);

/** PDF of the tickets for a signed link. Omits tickets that are no longer valid. */
const ticketsFile = route.http(
  '/event/tickets/:list/:signature',
  {
    name: 'website_event.tickets',
    method: 'GET',
    multilang: true,
    params: { list: z.string().max(1000), signature },
    rate: { calls: 30, seconds: 60 },
    prepare: async ({ ctx, params }) => {
      const opened = await openLink(ctx, params.list, params.signature);
      const valid = opened ? await validOf(ctx, opened) : [];
      if (valid.length === 0) throw noPage();
      return ctx.get(TicketDocument).pdf(valid.map(({ id }) => id));
    },
  },
  ({ ctx, prepared }) =>
    reply.body(prepared, 'application/pdf', {
      'Content-Disposition': `inline; filename="${t(ctx, 'tickets')}.pdf"`,
      ...secret,
    }),
);

const linkParams = { id: z.coerce.number().int().min(1).max(2_147_483_647), signature };
type LinkParams = { readonly id: number; readonly signature: string };

/** Valid tickets among the opened ones, in order. */
function validOf(ctx: Ctx, { ids }: OpenedLink) {
  return ctx
    .sudo() // The signature was verified before.
    .model(EventRegistration)
    .find(
      [
        ['id', 'in', ids],
        ['state', 'in', ['open', 'done']],
      ],
      { select: { barcode: true, event_id: true }, order: 'id' },
    );
}

/** @throws NotFound if the link is wrong or no longer valid */
async function holderOf(ctx: Ctx, params: LinkParams): Promise<string> {
  const opened = await openLink(ctx, String(params.id), params.signature);
  if (!opened) throw noPage();
  return opened.holder;
}

/** @throws NotFound if the link doesn't lead to a valid ticket */
export async function validTicket(ctx: Ctx, { id, signature: linkSignature }: LinkParams) {
  const opened = await openLink(ctx, String(id), linkSignature);
  const [row] = opened ? await validOf(ctx, opened) : [];
  if (!row) throw noPage();
  return row;
}

/** QR code of a ticket. */
const ticketCode = route.http(
  '/event/ticket/:id/:signature/code',
  {
    name: 'website_event.ticket_code',
    method: 'GET',
    params: linkParams,
    prepare: async ({ ctx, params }) => {
      const { barcode } = await validTicket(ctx, params);
      const address = checkInAddress(originOf(ctx, await currentWebsite(ctx)), barcode ?? '');
      // Loaded on demand, to keep the start fast.
      const { default: QrCode } = await import('qrcode');
      return QrCode.toString(address, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
    },
  },
  ({ prepared }) => reply.body(prepared, 'image/svg+xml', secret),
);

const actionResult = z.enum(['handed_over', 'asked', 'cancelled']);
const path = '/event/ticket/:id/:signature';

/** Ticket page for its holder: show, transfer or cancel it. */
const page = route.page(
  path,
  {
    name: 'website_event.ticket',
    params: linkParams,
    query: z.object({ done: actionResult.optional() }),
    cache: false,
    rate: { calls: 120, seconds: 60 },
  },
  async ({ ctx, params, query, render }) =>
    render('website_event.ticket', await ticketPage(ctx, params.id, await holderOf(ctx, params), { done: query.done })),
);

/**
 * Returns the ticket a request changes, for rate limiting. Requests with an invalid link count for their network, so they can't use up the
 * quota of a ticket.
 */
async function changedTicket({ ctx, request }: { readonly ctx: Ctx; readonly request: RequestView }): Promise<string> {
  const [, id = '', linkSignature = ''] = /\/ticket\/(\d+)\/([^/]+)/.exec(request.path) ?? [];
  const ticket = String(Number(id));
  return (await openLink(ctx, ticket, linkSignature)) ? ticket : `wrong ${networkOf(request.ip)}`;
}

/** Changes send emails to the named people, so they are limited per ticket. */
const rate = [
  { name: 'website_event.ticket_changes', calls: 30, seconds: 3600 },
  {
    name: 'website_event.ticket_change',
    calls: 5,
    seconds: 3600,
    by: changedTicket,
  },
] as const;

const showErrors = async ({ ctx, params, values, errors, message, render }: InvalidForm<unknown>): Promise<Reply> => {
  const ticketParams = params as LinkParams;
  const holder = await holderOf(ctx, ticketParams);
  return render(
    'website_event.ticket',
    await ticketPage(ctx, ticketParams.id, holder, { refused: { values, errors, message } }),
  );
};

const handOver = route.form(
  path,
  {
    name: 'website_event.ticket_hand_over',
    writes: true,
    params: linkParams,
    rate,
    invalid: showErrors,
    body: z.object({
      name: z
        .string()
        .trim()
        .min(1)
        .max(120)
        .regex(/^[^\p{Cc}]*$/u, 'Enter a valid name.'),
      email: z
        .string()
        .trim()
        .max(254)
        .refine(isEmailAddress, 'Enter a valid email address.')
        .transform(readableAddress),
    }),
  },
  async ({ ctx, params, body, render, url }) => {
    const holder = await holderOf(ctx, params);
    await ctx.sudo().model(EventRegistration).handOver(params.id, body); // The link grants the right to change the ticket.
    // After a transfer, the previous holder's link no longer opens the ticket.
    if (!(await openLink(ctx, String(params.id), params.signature)))
      return render('website_event.ticket', { done: 'handed_over' });
    return redirect(`${url(ticketPath(ctx, params.id, holder))}?done=handed_over`);
  },
);

const giveBack = route.form(
  `${path}/cancel`,
  {
    name: 'website_event.ticket_cancel',
    writes: true,
    params: linkParams,
    rate,
    invalid: showErrors,
    body: z.object({ reason: z.string().trim().max(1000).default('') }),
  },
  async ({ ctx, params, body, url }) => {
    const holder = await holderOf(ctx, params);
    const outcome = await ctx.sudo().model(EventRegistration).giveBack(params.id, body.reason); // As above.
    return redirect(`${url(ticketPath(ctx, params.id, holder))}?done=${outcome}`);
  },
);

/** Tickets of the signed-in user. */
const myTickets = route.page(
  '/my/tickets',
  {
    name: 'website_event.my_tickets',
    auth: 'user',
    query: z.object({
      page: z.coerce.number().int().min(1).max(10_000).catch(1).default(1),
      past: z.literal('1').optional().catch(undefined),
    }),
    cache: false,
  },
  async ({ ctx, query, render }) =>
    render('website_event.my_tickets', await ownTickets(ctx, { page: query.page, past: query.past === '1' })),
);

export const ticketRoutes = [ticketsFile, ticketCode, page, handOver, giveBack, myTickets];
