import { type Ctx, type Ids, signText, verifyText } from '#core';

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
