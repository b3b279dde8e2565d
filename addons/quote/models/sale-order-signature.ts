import type { OrderContent } from '@pergola/sale';
import { type FieldsOf, f, type Ids, model, NotAllowed, type Values } from 'pergola';

/**
 * Signature of a quotation, with the content the customer signed. Written once, and kept when the quotation is reopened or signed again.
 */
export class SaleOrderSignature extends model(
  'sale.order.signature',
  {
    order_id: f.many2one('sale.order', { required: true, ondelete: 'restrict', index: true, label: 'Quotation' }),
    signer: f.char({ required: true, size: 120, label: 'Signed by' }),
    date: f.datetime({ required: true, label: 'Signed on' }),
    ip: f.char({ size: 64, label: 'Signed from (IP address)' }),
    picture: f.image({ required: true, label: 'Signature' }),
    /** Complete signed content; the document is created from this alone. */
    content: f.json<OrderContent>({ required: true, label: 'Content' }),
    amount_total: f.money({ label: 'Total' }),
    currency_id: f.many2one('res.currency', { required: true, ondelete: 'restrict', label: 'Currency' }),
    version: f.char({ required: true, size: 64, label: 'Version' }),
    /** Covers all fields above; see `services/acceptances.ts`. */
    hash: f.char({ required: true, size: 64, label: 'Fingerprint' }),
    document_id: f.many2one('ir.attachment', { ondelete: 'restrict', label: 'Signed document' }),
  },
  { order: 'date desc, id desc', nameField: 'signer', label: 'Quotation signature' },
) {
  /** Only allows adding the document; signatures never change otherwise. */
  override async beforeWrite(
    ids: Ids,
    values: Values<FieldsOf<SaleOrderSignature>>,
  ): Promise<Values<FieldsOf<SaleOrderSignature>>> {
    const isDocument = Object.keys(values).every((name) => name === 'document_id');
    const rows = await this.read(ids, { select: { document_id: true } });
    if (!isDocument || rows.some(({ document_id }) => document_id !== null)) throw isKept();
    return super.beforeWrite(ids, values);
  }

  override async beforeUnlink(): Promise<void> {
    throw isKept();
  }
}

function isKept(): NotAllowed {
  return new NotAllowed('Signatures can’t be changed.', { code: 'quote.signature_kept' });
}

declare module 'pergola' {
  interface Models {
    'sale.order.signature': SaleOrderSignature;
  }
}
