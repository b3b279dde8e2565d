import {
  type FieldsOf,
  f,
  type Id,
  type Ids,
  InvalidInput,
  isEmailAddress,
  model,
  NotFound,
  type Values,
} from 'pergola';
import { holdsMails, renderMail } from 'pergola/mail';
import { confirmedMail, quotationMail } from '../mails.ts';
import { letterText } from '../services/orders/letter-text.ts';
import { orderMailValues } from '../services/orders/order-mail-values.ts';
import { t } from '../texts.ts';
import { SaleOrder } from './sale-order.ts';

type EmailValues = Values<FieldsOf<OrderEmail>>;
type Template = 'quotation' | 'confirmed' | 'blank';

/**
 * An email to the customer of an order that staff can edit before sending. Creating a record sends it; it never changes afterwards. Missing
 * values come from the order and the template, in the customer's language.
 */
export class OrderEmail extends model(
  'sale.order.email',
  {
    order_id: f.many2one('sale.order', { required: true, ondelete: 'cascade', index: true, label: 'Order' }),
    sending: f.char({ compute: 'computeSending', depends: [] }),
    email_to: f.char({ required: true, filled: true, size: 254, label: 'To' }),
    template: f.selection(
      { quotation: 'Quotation', confirmed: 'Order confirmation', blank: 'Empty email' },
      { required: true, filled: true, label: 'Template' },
    ),
    subject: f.char({ required: true, filled: true, size: 250 }),
    body: f.html({
      filled: true,
      sanitize: 'comment',
      label: 'Message',
      help: 'The order lines, total and link are added below, except in an empty email.',
    }),
    attach: f.boolean({ default: true, label: 'Attach the PDF' }),
  },
  { order: 'id desc', nameField: 'order_id', label: 'Order email' },
) {
  override async beforeCreate(values: readonly EmailValues[]): Promise<readonly EmailValues[]> {
    const complete: EmailValues[] = [];
    for (const value of values) complete.push({ ...(await this.#proposal(value)), ...withoutEmptyValues(value) });
    return super.beforeCreate(complete);
  }

  override async afterCreate(ids: Ids, values: readonly EmailValues[]): Promise<void> {
    await super.afterCreate(ids, values);
    for (const [index, id] of ids.entries()) {
      const order = values[index]?.order_id;
      if (typeof order === 'number') await this.ctx.model(SaleOrder).send([order], id);
    }
  }

  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { email_to } of await this.read(ids, { select: { email_to: true } }))
      if (!isEmailAddress(email_to)) throw refused('email_to', t(this.ctx, 'Enter a valid email address.'));
  }

  /** States, before an email is sent, whether it leaves immediately. */
  async computeSending(ids: Ids): Promise<Map<Id, string>> {
    const text = (await holdsMails(this.ctx))
      ? t(this.ctx, 'No mail server is configured. The email will be held and sent once there is one.')
      : t(this.ctx, 'The email is sent right away.');
    return new Map(ids.map((id) => [id, text]));
  }

  /** Proposes recipient, subject and text from the order and the template. */
  async #proposal({ order_id: order, template: requestedTemplate }: EmailValues): Promise<EmailValues> {
    const orders = this.ctx.model(SaleOrder);
    if (typeof order !== 'number' || (await orders.allowed([order], 'write')).length === 0)
      throw new NotFound('We can’t find this order.', { code: 'sale.no_order' });
    const system = this.ctx.sudo(); // The caller may change the order, and therefore use its customer's language and address.
    const row = await system
      .model(SaleOrder)
      .get(order, { select: { state: true, name: true, lang: true, invoice_email: true } });
    const isSold = row.state === 'sale' || row.state === 'done';
    const template: Template =
      requestedTemplate === 'quotation' || requestedTemplate === 'confirmed' || requestedTemplate === 'blank'
        ? requestedTemplate
        : isSold
          ? 'confirmed'
          : 'quotation';
    // Quotations get their number when they are sent.
    const timezone = await system.model(SaleOrder).zoneOf(order);
    const localized = system.as({ lang: row.lang ?? this.ctx.lang, timezone });
    const kind = template === 'blank' ? 'quotation' : template;
    const values = await orderMailValues(localized, { order, kind });
    const definition = kind === 'confirmed' ? confirmedMail : quotationMail;
    const { subject, html } = await renderMail(localized, definition, values, localized.lang);
    return {
      email_to: row.invoice_email,
      template,
      subject: template === 'blank' ? null : subject,
      body: letterText(html, template === 'blank'),
      attach: template !== 'blank',
    };
  }
}

/** Drops empty values, so that the defaults replace them. */
function withoutEmptyValues(values: EmailValues): EmailValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}

function refused(field: string, message: string): InvalidInput {
  return new InvalidInput(message, { code: 'sale.bad_email', fields: { [field]: message } });
}

declare module 'pergola' {
  interface Models {
    'sale.order.email': OrderEmail;
  }
}
