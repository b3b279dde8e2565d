import { type PdfContent, SaleOrder } from '#addons/sale';
import { extend, type FieldsOf, f, type Id, type Ids, type Minor, type Values } from '#core';
import { applyTemplate } from '../services/apply-template.ts';
import { quotePath } from '../services/find-quote.ts';
import { signatureBlock } from '../services/signed-document.ts';
import { tellCustomer } from '../services/tell-customer.ts';
import { undiscounted } from '../services/undiscounted.ts';

/** Quotations have a page where the customer reads, changes, signs or declines them. */
export const QuotedOrder = extend(
  SaleOrder,
  {
    /** Made by staff for a customer; carts never have a page of this kind. */
    is_quotation: f.boolean({ readonly: true, copy: true, label: 'Quotation with a page' }),
    template_id: f.many2one('sale.quote.template', { ondelete: 'set null', label: 'Template' }),
    website_description: f.html({ label: 'Page', help: 'Shown to the customer before the prices' }),
    options: f.one2many('sale.order.option', 'order_id', { label: 'Options', order: 'sequence, id' }),
    validity_date: f.date({ copy: false, tracked: true, label: 'Valid until' }),
    customer_changes: f.boolean({
      default: true,
      label: 'Customer may change quantities',
      help: 'And take lines out. Options may always be taken',
    }),
    amount_undiscounted: f.money({ compute: 'computeUndiscounted', label: 'Amount before discount' }),
    quote_url: f.char({ compute: 'computeQuoteUrl', label: 'Page of the customer', groups: 'sale.group_sale_user' }),
    /** The version its customer was sent, or made of it since. */
    seen_version: f.char({ readonly: true, copy: false, size: 64 }),
    viewed_date: f.datetime({ readonly: true, copy: false, label: 'Looked at on' }),
    signer: f.char({ readonly: true, copy: false, size: 120, tracked: true, label: 'Signed by' }),
    signed_date: f.datetime({ readonly: true, copy: false, label: 'Signed on' }),
    signed_ip: f.char({ readonly: true, copy: false, size: 64, label: 'Signed from' }),
    signature: f.image({ readonly: true, copy: false, label: 'Signature' }),
    /** Over all that was signed; see `services/accept.ts`. */
    signed_hash: f.char({ readonly: true, copy: false, size: 64, label: 'Fingerprint' }),
    signed_document_id: f.many2one('ir.attachment', {
      readonly: true,
      copy: false,
      ondelete: 'set null',
      label: 'Signed document',
    }),
    decline_reason: f.text({ readonly: true, copy: false, size: 5_000, label: 'Why it was declined' }),
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
        const chosen = ids.filter((_, at) => values[at]?.template_id && !hasLines(values[at]?.order_line));
        await applyTemplate(this.ctx, chosen, { isNew: true });
      }

      override async afterWrite(ids: Ids, values: Values<FieldsOf<InstanceType<typeof Base>>>): Promise<void> {
        await super.afterWrite(ids, values);
        if (values.template_id) await applyTemplate(this.ctx, ids);
      }

      /** Where the customer reads it. Links of mails bear the token: whoever has the mail is the customer. */
      override async threadPaths(ids: Ids): Promise<Map<Id, string>> {
        const paths = new Map(await super.threadPaths(ids));
        // The reader was found to be allowed to read these orders; the token is not theirs to read, but to be led by.
        const rows = await this.ctx
          .sudo()
          .model(QuotedOrder)
          .read(ids, { select: { access_token: true, is_quotation: true } });
        for (const { id, access_token, is_quotation } of rows) {
          if (is_quotation) paths.set(id, quotePath(id, access_token));
        }
        return paths;
      }

      /** What staff say to the customer reaches them by mail, with or without an account. */
      override async messagePost(
        ids: Ids,
        saying: Parameters<InstanceType<typeof Base>['messagePost']>[1],
      ): Promise<Id[]> {
        const made = await super.messagePost(ids, saying);
        await tellCustomer(this.ctx, ids, saying);
        return made;
      }

      /** Whoever sells hears what becomes of it. */
      override async send(ids: Ids): Promise<void> {
        await super.send(ids);
        await this.markSeen(ids);
        const rows = await this.read(ids, { select: { user_id: { partner_id: true } } });
        for (const { id, user_id } of rows)
          if (user_id?.partner_id) await this.messageSubscribe([id], [user_id.partner_id]);
      }

      /** What these quotations are now is what their customers know of them. */
      async markSeen(ids: Ids): Promise<void> {
        const orders = this.ctx.sudo().model(QuotedOrder); // Whoever may send or change it; the version follows from it.
        for (const { id, version } of await orders.read(ids, { select: { version: true } }))
          await orders.write(id, { seen_version: version });
      }

      /** The signature, on the order's document. */
      override async documentParts(id: Id): Promise<PdfContent[]> {
        return [...(await super.documentParts(id)), ...(await signatureBlock(this.ctx, id))];
      }

      async computeUndiscounted(ids: Ids): Promise<Map<Id, Minor>> {
        return undiscounted(this.ctx, ids);
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
    },
);

function hasLines(lines: unknown): boolean {
  return Array.isArray(lines) && lines.length > 0;
}
