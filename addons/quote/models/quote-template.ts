import { f, type Id, type Ids, model } from 'pergola';

/** Template for similar quotations: lines, options, a page text, terms, and the validity period. */
export class QuoteTemplate extends model(
  'sale.quote.template',
  {
    name: f.char({ required: true, size: 120, label: 'Quotation template' }),
    active: f.boolean({ default: true }),
    website_description: f.html({ translate: true, label: 'Page', help: 'Shown to the customer before the prices' }),
    quote_line: f.one2many('sale.quote.line', 'quote_id', { label: 'Lines', order: 'sequence, id' }),
    options: f.one2many('sale.quote.option', 'template_id', { label: 'Options', order: 'sequence, id' }),
    note: f.text({ translate: true, size: 10_000, label: 'Terms' }),
    number_of_days: f.integer({ default: 30, min: 0, max: 3_650, label: 'Validity (days)', help: '0 for no expiry' }),
    preview_url: f.char({ compute: 'computePreviewUrl', label: 'Preview' }),
  },
  { order: 'name, id', label: 'Quotation template', search: ['name'] },
) {
  /** Returns the URL of the preview, where the template is shown as to customers and edited in place. */
  async computePreviewUrl(ids: Ids): Promise<Map<Id, string>> {
    return new Map(ids.map((id) => [id, `${this.ctx.config.baseUrl}/quote/template/${id}`]));
  }
}

declare module 'pergola' {
  interface Models {
    'sale.quote.template': QuoteTemplate;
  }
}
