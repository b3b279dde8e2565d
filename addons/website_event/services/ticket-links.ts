import { type Ctx, type Id, type Ids, signText, verifyText } from '#core';

const purpose = 'website_event.tickets';

/** Where the PDF of these registrations' tickets is; whoever has the address has the tickets. */
export function ticketsPath(ctx: Ctx, ids: Ids): string {
  const list = [...ids].sort((a, b) => a - b).join('-');
  return `/event/tickets/${list}/${signText(ctx.config.sessionSecret, purpose, list)}`;
}

/** The registrations in such an address; null for one that this site did not make. */
export function registrationsIn(ctx: Ctx, list: string, signature: string): Ids | null {
  if (!/^\d{1,15}(-\d{1,15})*$/.test(list)) return null;
  return verifyText(ctx.config.sessionSecret, purpose, list, signature) ? list.split('-').map(Number) : null;
}

const codePurpose = 'website_event.ticket_code';

/** Where the picture of a ticket's code is, for pages whose reader has the ticket. */
export function codePath(ctx: Ctx, id: Id): string {
  return `/event/ticket-code/${id}/${signText(ctx.config.sessionSecret, codePurpose, String(id))}`;
}

/** Whether this site made the address of a ticket's code. */
export function isCodePath(ctx: Ctx, id: Id, signature: string): boolean {
  return verifyText(ctx.config.sessionSecret, codePurpose, String(id), signature);
}

/** What the code of a ticket says to whoever scans it: the page at the door, with the code. */
export function checkInAddress(origin: string, code: string): string {
  return `${origin}/event/check-in?code=${code}`;
}
