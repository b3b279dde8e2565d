import { type Ctx, emailKey, type Id, type Ids, signText, verifyText } from 'pergola';
import { emailSpellings } from 'pergola/mail';

const purpose = 'website_event.tickets';

/**
 * Who the link to a ticket was made for: an e-mail address, the customer of an order (`order:12`), a contact (`partner:5`), staff (`code:…`). A link opens what its holder has
 * today: whose ticket went to somebody else opens nothing with the old one.
 */
export type Holder = string;

/** The signature under the links to these tickets, of one holder. */
function signature(ctx: Ctx, list: string, holder: Holder): string {
  return signText(ctx.config.sessionSecret, purpose, `${list} ${emailKey(holder)}`);
}

function listOf(ids: Ids): string {
  return [...ids].sort((a, b) => a - b).join('-');
}

/** Where the PDF of these registrations' tickets is; whoever has the address has the tickets. */
export function ticketsPath(ctx: Ctx, ids: Ids, holder: Holder): string {
  const list = listOf(ids);
  return `/event/tickets/${list}/${signature(ctx, list, holder)}`;
}

/** The page of one ticket, and what stands below it. */
export function ticketPath(ctx: Ctx, id: Id, holder: Holder, below: '' | '/code' | '/ics' = ''): string {
  return `/event/ticket/${id}/${signature(ctx, String(id), holder)}${below}`;
}

/** What a link opens: the tickets among its own that its holder still has. */
export interface Opened {
  readonly ids: Ids;
  readonly holder: Holder;
}

/** The tickets behind a link, whatever has become of them; null for one that this site did not make, or whose holder has none of them any more. */
export async function openLink(ctx: Ctx, list: string, given: string): Promise<Opened | null> {
  if (!/^\d{1,15}(-\d{1,15})*$/.test(list)) return null;
  const rows = await ctx
    .sudo() // The signature below says whose they are.
    .model('event.registration')
    .read(list.split('-').map(Number), {
      select: { email: true, barcode: true, partner_id: true, sale_order_id: { invoice_email: true } },
    });
  const held = rows.map(({ id, email, barcode, partner_id, sale_order_id: order }) => ({
    id,
    holders: [
      email,
      order?.invoice_email,
      order && `order:${order.id}`,
      partner_id && `partner:${partner_id}`,
      `code:${barcode}`,
    ].flatMap((holder) => holder || []),
  }));
  const isSigned = (text: string): boolean => verifyText(ctx.config.sessionSecret, purpose, `${list} ${text}`, given);
  // Earlier versions signed the address as it was written, in small letters.
  const signed = (holder: Holder): boolean => emailSpellings(holder).some(isSigned);
  const holder = [...new Set(held.flatMap(({ holders }) => holders))].find(signed);
  if (holder === undefined) return null;
  const key = emailKey(holder);
  return { holder: key, ids: held.filter(({ holders }) => holders.map(emailKey).includes(key)).map(({ id }) => id) };
}

/** What the code of a ticket says to whoever scans it: the page at the door, with the code. */
export function checkInAddress(origin: string, code: string): string {
  return `${origin}/event/check-in?code=${code}`;
}
