import type { MessageInput } from '#addons/mail';
import { type Ctx, type Ids, TooMany } from '#core';
import { quoteComment } from '../mails.ts';
import { QuotedOrder } from '../models/sale-order.ts';
import { quotePath } from './find-quote.ts';

/** Sends what an employee says on a quotation to its customer, who may have no account and so follow nothing. */
export async function tellCustomer(ctx: Ctx, ids: Ids, saying: MessageInput): Promise<void> {
  const fromStaff = ctx.user.id !== null && ctx.user.groups.has('base.group_user');
  if (!fromStaff || saying.internal || saying.published === false || saying.type === 'notification') return;
  const rows = await ctx
    .sudo() // The employee could post on these orders; the token goes to their customer only.
    .model(QuotedOrder)
    .read(await ctx.model(QuotedOrder).allowed(ids, 'read'), {
      select: {
        name: true,
        state: true,
        lang: true,
        is_quotation: true,
        access_token: true,
        invoice_name: true,
        invoice_email: true,
      },
    });
  for (const { id, name, state, lang, is_quotation, access_token, invoice_name, invoice_email } of rows) {
    if (!is_quotation || state === 'draft' || !invoice_email) continue;
    try {
      await ctx.mail.send(quoteComment, {
        to: { email: invoice_email, name: invoice_name ?? undefined, lang: lang ?? undefined },
        values: {
          reference: name ?? '',
          author: ctx.user.name,
          body: saying.body,
          path: `${quotePath(id, access_token)}#discussion`,
        },
      });
    } catch (error) {
      // Enough for one hour; it stands on the page.
      if (!(error instanceof TooMany)) throw error;
    }
  }
}
