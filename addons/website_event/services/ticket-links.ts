import { type Ctx, emailKey, type Id, type Ids, signText, verifyText } from 'pergola';
import { emailSpellings } from 'pergola/mail';

const purpose = 'website_event.tickets';

/**
 * Person a ticket link was issued to: an email address, the customer of an order (`order:12`), a contact (`partner:5`), or staff
 * (`code:…`). A link opens the tickets its holder has now: after a transfer, the previous holder's link no longer works.
 */
export type Holder = string;

/** Signature for links to these tickets, for one holder. */
function signature(ctx: Ctx, list: string, holder: Holder): string {
  return signText(ctx.config.sessionSecret, purpose, `${list} ${emailKey(holder)}`);
}

function listOf(ids: Ids): string {
  return [...ids].sort((a, b) => a - b).join('-');
}

/** Path of the PDF with these tickets; anyone who has the link can use the tickets. */
export function ticketsPath(ctx: Ctx, ids: Ids, holder: Holder): string {
  const list = listOf(ids);
  return `/event/tickets/${list}/${signature(ctx, list, holder)}`;
}

/** Path of a ticket page or one of its subpages. */
export function ticketPath(ctx: Ctx, id: Id, holder: Holder, subpage: '' | '/code' | '/ics' = ''): string {
  return `/event/ticket/${id}/${signature(ctx, String(id), holder)}${subpage}`;
}

/** Tickets opened by a link, limited to those the holder still has. */
export interface OpenedLink {
  readonly ids: Ids;
  readonly holder: Holder;
}

/** Returns the tickets of a link regardless of their state; null if the signature is invalid or the holder no longer has any of them. */
export async function openLink(ctx: Ctx, list: string, linkSignature: string): Promise<OpenedLink | null> {
  if (!/^\d{1,15}(-\d{1,15})*$/.test(list)) return null;
  const rows = await ctx
    .sudo() // The signature checked below identifies the holder.
    .model('event.registration')
    .read(list.split('-').map(Number), {
      select: { email: true, barcode: true, partner_id: true, sale_order_id: { invoice_email: true } },
    });
  const tickets = rows.map(({ id, email, barcode, partner_id, sale_order_id: order }) => ({
    id,
    holders: [
      email,
      order?.invoice_email,
      order && `order:${order.id}`,
      partner_id && `partner:${partner_id}`,
      `code:${barcode}`,
    ].flatMap((holder) => holder || []),
  }));
  const isSigned = (text: string): boolean =>
    verifyText(ctx.config.sessionSecret, purpose, `${list} ${text}`, linkSignature);
  // Older versions signed the address in lower case.
  const signed = (holder: Holder): boolean => emailSpellings(holder).some(isSigned);
  const holder = [...new Set(tickets.flatMap(({ holders }) => holders))].find(signed);
  if (holder === undefined) return null;
  const key = emailKey(holder);
  return { holder: key, ids: tickets.filter(({ holders }) => holders.map(emailKey).includes(key)).map(({ id }) => id) };
}

/** URL encoded in the ticket's QR code: the check-in page with the code. */
export function checkInAddress(origin: string, code: string): string {
  return `${origin}/event/check-in?code=${code}`;
}
