import { type Ctx, emailKey, type FileRef, job, z } from 'pergola';
import {
  blockedMail,
  confirmedMail,
  expiredMail,
  problemMail,
  quotationMail,
  receivedMail,
  refundedMail,
  writtenMail,
} from '../mails.ts';
import { orderDocument } from '../services/documents/order-document.ts';
import { Documents } from '../services/documents/pdf.ts';
import { type OrderMailKind, orderMailKinds, orderMailValues } from '../services/orders/order-mail-values.ts';

const definitions = {
  quotation: quotationMail,
  received: receivedMail,
  confirmed: confirmedMail,
  blocked: blockedMail,
  problem: problemMail,
  expired: expiredMail,
  refunded: refundedMail,
} as const;

const emailFields = {
  email_to: true,
  subject: true,
  body: true,
  template: true,
  attach: true,
  create_uid: { partner_id: true },
} as const;

/** Emails without a document. */
const kindsWithoutDocument: ReadonlySet<OrderMailKind> = new Set(['expired', 'blocked', 'problem', 'refunded']);

const input = z.object({
  order: z.number().int(),
  kind: z.enum(orderMailKinds),
  /** Set when an email is requested again; otherwise each order sends each email once. */
  again: z.number().optional(),
  /** Refund that the email is about. */
  refund: z.number().int().optional(),
  /** Email written by staff (`sale.order.email`), which replaces the default text. */
  email: z.number().int().optional(),
});
type Asked = z.infer<typeof input>;

/**
 * Renders an order's document and emails it, in the customer's language and time zone; never sends an email twice. Runs outside the
 * requesting transaction, because documents take time. Orders and written emails enqueue this job, so it names their models instead of
 * importing them.
 */
export const orderMail = job('sale.order_mail', {
  mails: true,
  input,
  run: async ({ ctx, input, write }) => {
    const orders = ctx.model('sale.order');
    const [row] = await orders.read([input.order], {
      select: {
        name: true,
        lang: true,
        invoice_name: true,
        invoice_email: true,
        company_id: { name: true, email: true },
      },
    });
    const writtenEmail =
      input.email === undefined ? null : await ctx.model('sale.order.email').get(input.email, { select: emailFields });
    const address = writtenEmail?.email_to ?? row?.invoice_email;
    if (!row || !address) return;
    const timezone = await orders.zoneOf(input.order);
    const localized = ctx.as({ lang: row.lang ?? ctx.lang, timezone });
    const file = (writtenEmail ? writtenEmail.attach : !kindsWithoutDocument.has(input.kind))
      ? await documentOf(localized, input)
      : null;
    const values = await orderMailValues(localized, input);
    const isCustomer = row.invoice_email !== null && emailKey(address) === emailKey(row.invoice_email);
    const to = { email: address, name: (isCustomer && row.invoice_name) || '', lang: localized.lang };
    await write(async (writing) => {
      if (!(await isCurrent(writing, input))) return;
      const options = {
        to,
        ...(row.company_id?.email ? { replyTo: { email: row.company_id.email, name: row.company_id.name } } : {}),
        attachments: file ? [file] : [],
        key: ['sale.order', input.order, input.kind, input.again ?? input.refund ?? [], input.email ?? []]
          .flat()
          .join('/'),
      };
      const system = writing.model('sale.order');
      if (writtenEmail)
        await system.messageMail(
          input.order,
          writtenMail,
          { ...options, values: { ...values, ...writtenValues(writtenEmail) } },
          writtenEmail.create_uid?.partner_id ?? null,
        );
      else await system.messageMail(input.order, definitions[input.kind], { ...options, values });
    });
  },
});

/**
 * Whether an email still matches the order: a cancelled or blocked order is neither confirmed nor payable. Checks under the order's lock,
 * so that no such email follows the cancellation email.
 */
async function isCurrent(ctx: Ctx, { order, kind, again: requestedAt }: Asked): Promise<boolean> {
  const asks = kind === 'received' || kind === 'problem';
  if (!asks && (kind !== 'confirmed' || requestedAt !== undefined)) return true;
  await ctx.lock('sale.order', [order]);
  const { state, blocked_reason } = await ctx
    .model('sale.order')
    .get(order, { select: { state: true, blocked_reason: true } });
  if (state === 'cancel') return false;
  return kind === 'problem' ? blocked_reason !== null : blocked_reason !== 'invalid';
}

/** Values of a written email, in addition to the order's. */
function writtenValues({ subject, body, template }: { subject: string; body: string | null; template: string }) {
  return { subject, body: body ?? '', hasLines: template !== 'blank' };
}

async function documentOf(ctx: Ctx, { order }: Asked): Promise<FileRef> {
  const { name } = await ctx.model('sale.order').get(order, { select: { name: true } });
  const content = await ctx.get(Documents).pdf(await orderDocument(ctx, order));
  return ctx.files.put(content, { name: `${name ?? `order-${order}`}.pdf`, mimetype: 'application/pdf' });
}
