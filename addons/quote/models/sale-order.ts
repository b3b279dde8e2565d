import { type FilledMail, filledMail, Message, type MessageInput } from '@pergola/mail';
import {
  agreed,
  formatAmount,
  formatQuantity,
  type OrderContent,
  type OrderProblem,
  type PdfContent,
  SaleOrder,
} from '@pergola/sale';
import { companyTimezone } from '@pergola/website';
import {
  type Ctx,
  decimal,
  escapeHtml,
  extend,
  type FieldsOf,
  f,
  type Id,
  type Ids,
  type Minor,
  plusDays,
  type RawDomain,
  type Values,
} from 'pergola';
import { quoteComment } from '../mails/comment.ts';
import { quotePath } from '../routes/paths.ts';
import { copyTemplate } from '../services/copy-template.ts';
import { type LineChange, nextQuantity } from '../services/next-quantity.ts';
import { quotedColumns, quotedContent } from '../services/quoted-content.ts';
import { signatureBlock } from '../services/signed-document.ts';
import { t } from '../texts.ts';
import { QuotedLine } from './sale-order-line.ts';
import { SaleOrderOption } from './sale-order-option.ts';

/** Message by the customer, or by the site on their behalf. */
type CustomerMessage =
  /** Built-in sentence, in the order's language. */
  | { readonly notice: (ctx: Ctx) => string }
  /** Text written by the customer, with its line breaks. */
  | { readonly text: string };

/** Quotations offered to the customer and not yet ordered. */
export const openQuotations = [
  ['is_quotation', '=', true],
  ['state', 'in', ['sent', 'cancel']],
] as const;

/** Adds the page where customers read, change, sign or decline their quotations. */
export const QuotedOrder = extend(
  SaleOrder,
  {
    /** Whether staff created the order for a customer; carts never have this page. */
    is_quotation: f.boolean({ readonly: true, copy: true, label: 'Online quotation' }),
    template_id: f.many2one('sale.quote.template', { ...agreed, empty: 'none', label: 'Template' }),
    website_description: f.html({ ...agreed, label: 'Page', help: 'Shown to the customer before the prices' }),
    options: f.one2many('sale.order.option', 'order_id', { ...agreed, label: 'Options', order: 'sequence, id' }),
    validity_date: f.date({ ...agreed, copy: false, tracked: true, label: 'Valid until' }),
    customer_changes: f.boolean({
      ...agreed,
      default: true,
      label: 'Let the customer change quantities',
      help: 'They can also remove lines. Options can always be added.',
    }),
    amount_undiscounted: f.money({ compute: 'computeUndiscounted', label: 'Amount before discount' }),
    quote_url: f.char({ compute: 'computeQuoteUrl', label: 'Customer link', groups: 'sale.group_sale_user' }),
    /** Version that was sent to the customer, including their own changes since. */
    seen_version: f.char({ readonly: true, copy: false, size: 64, label: 'Viewed version' }),
    viewed_date: f.datetime({ readonly: true, copy: false, label: 'Viewed on' }),
    signer: f.char({ readonly: true, copy: false, size: 120, tracked: true, label: 'Signed by' }),
    signed_date: f.datetime({ readonly: true, copy: false, label: 'Signed on' }),
    signed_ip: f.char({ readonly: true, copy: false, size: 64, label: 'Signed from (IP address)' }),
    signature: f.image({ readonly: true, copy: false, label: 'Signature' }),
    /** The valid acceptance; the neighbouring fields copy its values for lists and searches. */
    signature_id: f.many2one('sale.order.signature', { readonly: true, copy: false, ondelete: 'restrict' }),
    signature_ids: f.one2many('sale.order.signature', 'order_id', { readonly: true, label: 'Signed documents' }),
    /** Covers everything that was signed; see `services/acceptances.ts`. */
    signed_hash: f.char({ readonly: true, copy: false, size: 64, label: 'Fingerprint' }),
    signed_document_id: f.many2one('ir.attachment', {
      readonly: true,
      copy: false,
      empty: 'none',
      label: 'Signed document',
    }),
    decline_reason: f.text({ readonly: true, copy: false, size: 5_000, label: 'Reason for declining' }),
  },
  (Base) =>
    class extends Base {
      override async beforeCreate(
        values: readonly Values<FieldsOf<InstanceType<typeof Base>>>[],
      ): Promise<readonly Values<FieldsOf<InstanceType<typeof Base>>>[]> {
        return super.beforeCreate(values.map((value) => ({ ...value, is_quotation: !value.is_cart })));
      }

      override async afterCreate(
        ids: Ids,
        values: readonly Values<FieldsOf<InstanceType<typeof Base>>>[],
      ): Promise<void> {
        await super.afterCreate(ids, values);
        const templated = ids.filter((_, index) => values[index]?.template_id && !hasLines(values[index]?.order_line));
        await this.applyTemplate(templated, { isNew: true });
      }

      override async afterWrite(ids: Ids, values: Values<FieldsOf<InstanceType<typeof Base>>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (values.template_id) await this.applyTemplate(ids);
      }

      /** Excludes quotations that aren't accepted yet: they have a separate list. */
      override customerOrders(partner: Id): RawDomain {
        return [...super.customerOrders(partner), '!', '&', ...openQuotations];
      }

      /**
       * Returns the page where the customer reads the order. Links in emails include the token: possession of the email identifies the
       * customer.
       */
      override async threadPaths(ids: Ids): Promise<Map<Id, string>> {
        const paths = new Map(await super.threadPaths(ids));
        // The reader may read these orders. They can't read the token itself, but may follow a link that contains it.
        const rows = await this.ctx
          .sudo()
          .model(QuotedOrder)
          .read(ids, { select: { access_token: true, is_quotation: true } });
        for (const { id, access_token, is_quotation } of rows) {
          if (is_quotation) paths.set(id, quotePath(id, access_token));
        }
        return paths;
      }

      /** A quotation must be accepted before it can be paid. */
      override async problems(id: Id): Promise<OrderProblem[]> {
        const problems = await super.problems(id);
        const { is_quotation, state } = await this.get(id, { select: { is_quotation: true, state: true } });
        if (!is_quotation || state !== 'sent') return problems;
        const message = t(this.ctx, 'Accept the quotation first.');
        return [...problems, { code: 'quote.to_accept', message, line: null }];
      }

      /** Messages about a quotation link to its page, where the customer can reply. */
      override async directMail(id: Id, message: MessageInput, lang: string): Promise<FilledMail> {
        const { name, state, is_quotation, access_token } = await this.ctx
          .sudo() // The employee may post on the order; only its customer gets the token.
          .model(QuotedOrder)
          .get(id, { select: { name: true, state: true, is_quotation: true, access_token: true } });
        if (!is_quotation) return super.directMail(id, message, lang);
        return filledMail(quoteComment, {
          reference: name ?? '',
          author: this.ctx.user.name,
          body: message.body,
          path: state === 'draft' ? '' : `${quotePath(id, access_token)}#discussion`,
        });
      }

      /**
       * Keeps open quotations in step with what they offer: after an event is moved, their lines show the new date. The customer accepts
       * the new date, and staff see a note.
       */
      override async review(ids: Ids): Promise<void> {
        const waiting = await this.search([
          ['id', 'in', ids],
          ['is_quotation', '=', true],
          ['state', '=', 'sent'],
        ]);
        await this.ctx.lock(SaleOrder, waiting);
        for (const id of waiting) {
          const isPaying = await this.ctx.model('payment.transaction').count([
            ['sale_order_id', '=', id],
            ['state', 'in', ['draft', 'pending', 'done']],
          ]);
          if (isPaying > 0) continue;
          const renewed = await this.renewTexts(id);
          if (renewed.length === 0) continue;
          const body = renewed.map(({ message }) => `<p>${escapeHtml(message)}</p>`).join('');
          await this.messagePost([id], { body, internal: true, type: 'notification' });
        }
        await super.review(ids);
      }

      /** Subscribes the salesperson to the order. */
      override async send(ids: Ids, email?: Id): Promise<void> {
        await super.send(ids, email);
        await this.markSeen(ids);
        const rows = await this.read(ids, { select: { user_id: { partner_id: true } } });
        for (const { id, user_id } of rows)
          if (user_id?.partner_id) await this.messageSubscribe([id], [user_id.partner_id]);
      }

      /** Marks the current version of these quotations as the one their customers have seen. */
      async markSeen(ids: Ids): Promise<void> {
        const orders = this.ctx.sudo().model(QuotedOrder); // The caller may send or change the quotation; the version follows from it.
        for (const { id, version } of await orders.read(ids, { select: { version: true } }))
          await orders.write(id, { seen_version: version });
      }

      /** Quotations belong to no site: customers read them on the company's site. */
      override async siteZoneOf(id: Id): Promise<string | null> {
        const { company_id } = await this.get(id, { select: { company_id: true } });
        return (await super.siteZoneOf(id)) ?? (await companyTimezone(this.ctx, company_id));
      }

      /** Adds the additional content of the quotation page: validity, texts and options. */
      override async content(id: Id): Promise<OrderContent> {
        const content = await super.content(id);
        return quotedContent(this.ctx, await this.get(id, { select: quotedColumns }), content);
      }

      override async agreedContent(id: Id): Promise<OrderContent | null> {
        const { signature_id } = await this.get(id, { select: { signature_id: { content: true } } });
        return signature_id?.content ?? super.agreedContent(id);
      }

      /** Adds the stored signature to the order's document. */
      override async documentParts(id: Id): Promise<PdfContent[]> {
        const parts = await super.documentParts(id);
        const { signature_id: signature } = await this.get(id, { select: { signature_id: true } });
        return signature === null ? parts : [...parts, await signatureBlock(this.ctx, signature)];
      }

      /** Removes the signature from quotations that become editable again; the signed document stays in their history. */
      override async reopen(ids: Ids): Promise<void> {
        await super.reopen(ids);
        const orders = this.ctx.sudo().model(QuotedOrder); // The base method checked that the caller may reopen the order.
        for (const order of await orders.read(ids, { select: { signer: true, signed_document_id: true } })) {
          const { id, signer, signed_document_id: document } = order;
          if (signer === null) continue;
          await orders.write(id, {
            signature_id: null,
            signer: null,
            signed_date: null,
            signed_ip: null,
            signature: null,
            signed_hash: null,
            signed_document_id: null,
          });
          const text = t(
            this.ctx,
            'Reopened. The acceptance signed by {signer} is no longer valid; the signed document is kept.',
            {
              signer,
            },
          );
          const attachmentIds = document === null ? [] : [document];
          const note = {
            body: `<p>${escapeHtml(text)}</p>`,
            internal: true,
            type: 'notification',
            attachmentIds,
          } as const;
          await this.messagePost([id], note);
        }
      }

      /** Returns what orders would cost before tax without their line discounts: the sum of subtotals plus discounts. */
      async computeUndiscounted(ids: Ids): Promise<Map<Id, Minor>> {
        const rows = await this.read(ids, { select: { order_line: { price_subtotal: true, discount: true } } });
        return new Map(
          rows.map(({ id, order_line }) => [
            id,
            order_line.reduce(
              (sum, { price_subtotal: subtotal, discount }) => sum + beforeDiscount(subtotal ?? 0, discount ?? '0'),
              0,
            ),
          ]),
        );
      }

      async computeQuoteUrl(ids: Ids): Promise<Map<Id, string>> {
        const paths = await this.threadPaths(ids);
        return new Map(
          ids.map((id) => {
            const path = paths.get(id);
            return [id, path?.startsWith('/quote/') ? `${this.ctx.config.baseUrl}${path}` : ''];
          }),
        );
      }

      /** Applies the template to quotations, in their language: replaces lines and options, and sets text, terms and validity. */
      async applyTemplate(ids: Ids, options: { isNew?: boolean } = {}): Promise<void> {
        const select = { template_id: true, lang: true, order_line: true, validity_date: true } as const;
        for (const { id, template_id, lang, order_line, validity_date } of await this.read(ids, { select })) {
          if (!template_id) continue;
          const ctx = lang ? this.ctx.as({ lang }) : this.ctx;
          const {
            number_of_days: days,
            note,
            website_description,
          } = await copyTemplate(ctx, id, template_id, order_line);
          await ctx.model(QuotedOrder).write(id, {
            website_description,
            ...(note ? { note } : {}),
            // Keeps a validity date given with a new quotation.
            ...(options.isNew && validity_date !== null
              ? {}
              : { validity_date: days ? plusDays(ctx.today(), days) : null }),
          });
        }
      }

      /**
       * Changes a line on behalf of the customer. Returns the new quantity and the order's total as text, or null if the page must be
       * reloaded: the line was deleted, belongs to another quotation, or the quotation can't be changed. Call this and the following
       * methods in the context returned by `Quotations.find`, which checks the customer's access.
       */
      async changeLine(
        order: Id,
        line: Id,
        change: LineChange,
      ): Promise<readonly [quantity: string, total: string] | null> {
        const { ctx: system } = this;
        await system.lock(SaleOrder, [order]);
        const quote = await this.#openQuote(order);
        const lines = system.model(QuotedLine);
        const row = await lines.first(
          [
            ['id', '=', line],
            ['order_id', '=', order],
          ],
          { select: { product_uom_qty: true, option_line_id: true } },
        );
        if (!quote || !row || (!quote.customer_changes && row.option_line_id.length === 0)) return null;
        if (change === 'unlink') {
          // Keeps the last line: a quotation can't be empty.
          if (quote.order_line.length > 1) await this.#byCustomer(order, () => lines.unlink(line));
          return null;
        }
        const quantity = nextQuantity(row.product_uom_qty, change);
        await this.#byCustomer(order, () => lines.write(line, { product_uom_qty: quantity }));
        const { amount_total, currency_id } = await this.get(order, {
          select: { amount_total: true, currency_id: true },
        });
        return [formatQuantity(system, quantity), await formatAmount(system, amount_total ?? 0, currency_id)];
      }

      /** Takes an option at the offered price; does nothing if it was taken already. Returns whether the option is on the quotation. */
      async takeOption(order: Id, option: Id): Promise<boolean> {
        const { ctx: system } = this;
        await system.lock(SaleOrder, [order]);
        if (!(await this.#openQuote(order))) return false;
        const options = system.model(SaleOrderOption);
        const row = await options.first(
          [
            ['id', '=', option],
            ['order_id', '=', order],
          ],
          {
            select: {
              line_id: true,
              product_id: true,
              name: true,
              quantity: true,
              uom_id: true,
              price_unit: true,
              discount: true,
              website_description: true,
            },
          },
        );
        if (!row) return false;
        if (row.line_id !== null) return true;
        await this.#byCustomer(order, async () => {
          const line = await system.model(QuotedLine).create({
            order_id: order,
            sequence: 1_000 + row.id,
            product_id: row.product_id,
            name: row.name,
            product_uom_qty: row.quantity,
            product_uom: row.uom_id,
            price_unit: row.price_unit,
            discount: row.discount,
            website_description: row.website_description,
          });
          await options.write(option, { line_id: line });
        });
        return true;
      }

      /** Declines a quotation on behalf of its customer. Returns false if it wasn't sent, or is already decided. */
      async decline(id: Id, reason: string): Promise<boolean> {
        await this.ctx.lock(QuotedOrder, [id]);
        const { state } = await this.get(id, { select: { state: true } });
        if (state !== 'sent') return false;
        await this.cancel([id]);
        await this.write(id, { decline_reason: reason || null });
        await this.postAsCustomer(id, { notice: (ctx) => t(ctx, 'Quotation declined') });
        if (reason) await this.postAsCustomer(id, { text: reason });
        return true;
      }

      /** Records, at most once a day, that the customer viewed a sent quotation. */
      async trackView(id: Id): Promise<void> {
        const now = this.ctx.now();
        await this.ctx.lock(QuotedOrder, [id]);
        const { viewed_date: last, state } = await this.get(id, { select: { viewed_date: true, state: true } });
        if (state !== 'sent' || last?.toISOString().slice(0, 10) === now.toISOString().slice(0, 10)) return;
        await this.write(id, { viewed_date: now });
        await this.postAsCustomer(id, { notice: (ctx) => t(ctx, 'Quotation viewed by the customer') });
      }

      /** Posts a message from the customer to the quotation's history; followers get an email. */
      async postAsCustomer(id: Id, message: CustomerMessage): Promise<void> {
        const { ctx: system } = this;
        const { lang, partner_id } = await this.get(id, { select: { lang: true, partner_id: true } });
        const localized = lang ? system.as({ lang }) : system;
        const body = 'text' in message ? paragraphs(message.text) : `<p>${escapeHtml(message.notice(localized))}</p>`;
        const messageId = await this.messagePost([id], { body, type: 'text' in message ? 'comment' : 'notification' });
        // Visitors have no contact of their own: the holder of the link speaks for the customer.
        if (system.user.partnerId === null && partner_id !== null) {
          await system.model(Message).write(messageId, { author_id: partner_id });
        }
      }

      /** Runs a change by the customer and marks its result as seen. Earlier changes by others stay unseen. */
      async #byCustomer<T>(order: Id, change: () => Promise<T>): Promise<T> {
        const { version, seen_version } = await this.get(order, { select: { version: true, seen_version: true } });
        const outcome = await change();
        if (version === seen_version) await this.markSeen([order]);
        return outcome;
      }

      /** Reads the fields checked before a change, or null if the quotation can't be changed. */
      async #openQuote(
        id: Id,
      ): Promise<{ readonly customer_changes: boolean; readonly order_line: readonly Id[] } | null> {
        const row = await this.get(id, {
          select: { state: true, validity_date: true, customer_changes: true, order_line: true },
        });
        const open = row.state === 'draft' || row.state === 'sent';
        return open && !isExpired(this.ctx, row.validity_date) ? row : null;
      }
    },
);

function hasLines(lines: unknown): boolean {
  return Array.isArray(lines) && lines.length > 0;
}

/** Whether a quotation has expired: its validity date has passed in the site's time zone. */
export function isExpired(ctx: Ctx, validity: string | null): boolean {
  return validity !== null && validity < ctx.today();
}

/** Returns the amount before a percentage discount; unchanged for discounts of 100 %, where it can't be calculated. */
export function beforeDiscount(amount: Minor, discount: string): Minor {
  const remaining = decimal('100').minus(discount);
  return remaining.lte('0') ? amount : decimal(amount).times('100').div(remaining.toString()).round().toNumber();
}

function paragraphs(text: string): string {
  return text
    .split(/\r?\n\s*\r?\n/)
    .map((part) => `<p>${escapeHtml(part).replace(/\r?\n/g, '<br>')}</p>`)
    .join('');
}
