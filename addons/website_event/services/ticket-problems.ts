import type { OrderProblem } from '@pergola/sale';
import { isOnSite } from '@pergola/website_sale';
import type { Ctx, Id } from 'pergola';
import { ticketTitle } from '../models/event-event-ticket.ts';
import { plural, t } from '../texts.ts';
import { whenOf } from './event-dates.ts';
import { addressKey, type Place } from './places.ts';

/** Origin and progress of an order. */
export interface OrderedFrom {
  /** Whether the order was placed in the shop; salespeople can also sell tickets for unpublished events. */
  readonly isShop: boolean;
  /** Website of the order, or null. */
  readonly website: Id | null;
  readonly isConfirmed: boolean;
  /** When the payment started; null before that. */
  readonly placed: Date | null;
}

interface OrderedEvent {
  readonly name: string;
  readonly state: string;
  readonly date_begin: Date;
  readonly date_end: Date;
  readonly date_tz: string;
  readonly address_id: Id | null;
  readonly website_published: boolean | null;
  readonly website_id: Id | null;
}

interface OrderedTicket {
  readonly name: string;
  readonly sale_start: Date | null;
  readonly deadline: Date | null;
  readonly event: OrderedEvent;
  /** Ordered quantity, and maximum per order. */
  readonly quantity: number;
  readonly most: number;
}

interface OrderedLine {
  readonly ticket_begin: Date | null;
  readonly ticket_end: Date | null;
  readonly ticket_venue: number | null;
  readonly ticket_address: string | null;
  readonly ticket_tz: string | null;
}

type Problem = Omit<OrderProblem, 'line'>;

/**
 * Returns why a ticket of an order is invalid; null if it is valid or only moved (see `movedProblems`). Tickets ordered while on sale stay
 * valid when the sale ends.
 */
export function ticketProblem(
  ctx: Ctx,
  { isShop, website, isConfirmed, placed }: OrderedFrom,
  { event, ...ticket }: OrderedTicket,
): Problem | null {
  if (event.state === 'cancel') {
    const message = t(ctx, '“{event}” has been cancelled.', { event: event.name });
    return { code: 'website_event.cancelled', message, reach: 'final', remedy: 'remove' };
  }
  if (isConfirmed) return null;
  const title = ticketTitle(ctx, event.name, ticket.name);
  const noLongerSold = (reach: OrderProblem['reach']): Problem => ({
    code: 'website_event.no_longer',
    message: t(ctx, '“{ticket}” is no longer on sale.', { ticket: title }),
    reach: reach ?? 'offer',
    remedy: 'remove',
  });
  if (event.state === 'draft') {
    const message = t(ctx, '“{event}” is being planned again and isn’t confirmed.', { event: event.name });
    return { code: 'website_event.not_confirmed', message, reach: 'item', remedy: 'remove' };
  }
  if (event.state !== 'confirm' || ctx.isPast(event.date_end)) return noLongerSold('item');
  if (isShop && (!event.website_published || !isOnSite(event.website_id, website))) return noLongerSold('item');
  const { deadline, sale_start } = ticket;
  const wasInTime = placed !== null && deadline !== null && placed < deadline;
  if (deadline !== null && ctx.isPast(deadline) && !wasInTime) return noLongerSold(isShop ? 'item' : 'offer');
  if (placed === null && sale_start !== null && !ctx.isPast(sale_start)) return noLongerSold('offer');
  if (isShop && placed === null && ticket.quantity > ticket.most) {
    const params = { name: title };
    const message = plural(
      ctx,
      'You can order up to {n} of “{name}”.',
      'You can order up to {n} of “{name}”.',
      ticket.most,
      params,
    );
    return { code: 'website_event.too_many', message };
  }
  return null;
}

/** Compares the time and place of the event with those when the ticket was ordered; `place` is the current venue. */
export function movedProblems(ctx: Ctx, line: OrderedLine, event: OrderedEvent, place: Place | undefined): Problem[] {
  if (line.ticket_begin === null || line.ticket_end === null) return [];
  const movedProblem = { code: 'website_event.moved', reach: 'item', remedy: 'renew' } as const;
  const isSameTime =
    Number(line.ticket_begin) === Number(event.date_begin) &&
    Number(line.ticket_end) === Number(event.date_end) &&
    (line.ticket_tz === null || line.ticket_tz === event.date_tz);
  const isSameAddress = line.ticket_address === null || !place || line.ticket_address === addressKey(place);
  const isSamePlace = line.ticket_venue === (event.address_id ?? 0) && isSameAddress;
  const where = place ? [place.name, ...place.lines].join(', ') : t(ctx, 'Online');
  const params = { event: event.name, when: whenOf(ctx, event).zoned, place: where };
  return [
    ...(isSameTime
      ? []
      : [{ ...movedProblem, message: t(ctx, 'The date of “{event}” has changed. It’s now: {when}.', params) }]),
    ...(isSamePlace
      ? []
      : [{ ...movedProblem, message: t(ctx, 'The venue of “{event}” has changed. It’s now: {place}.', params) }]),
  ];
}
