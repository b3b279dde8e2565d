import { Message } from '#addons/mail';
import { type Ctx, escapeHtml, type Id } from '#core';
import { QuotedOrder } from '../models/sale-order.ts';

/** What the customer says or does, or the site in their name. */
type Post =
  /** A sentence of ours, in the order's language. */
  | { readonly say: (ctx: Ctx) => string }
  /** What the customer wrote, line by line. */
  | { readonly text: string };

/** Puts something into the quotation's history, said by its customer; those who follow get a mail. `system` comes from `findQuote`. */
export async function post(system: Ctx, id: Id, what: Post): Promise<void> {
  const orders = system.model(QuotedOrder);
  const { lang, partner_id } = await orders.get(id, { select: { lang: true, partner_id: true } });
  const speaking = lang ? system.as({ lang }) : system;
  const body = 'text' in what ? paragraphs(what.text) : `<p>${escapeHtml(what.say(speaking))}</p>`;
  const made = await orders.messagePost([id], { body, type: 'text' in what ? 'comment' : 'notification' });
  // Visitors have no contact of their own: whoever holds the link speaks for the customer.
  if (system.user.partnerId === null && partner_id !== null) {
    await system.model(Message).write(made, { author_id: partner_id });
  }
}

function paragraphs(text: string): string {
  return text
    .split(/\r?\n\s*\r?\n/)
    .map((part) => `<p>${escapeHtml(part).replace(/\r?\n/g, '<br>')}</p>`)
    .join('');
}
