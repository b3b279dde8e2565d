import { record, route } from 'pergola';
import { QuoteTemplate } from '../models/quote-template.ts';
import { templateValues } from '../pages/template-page.ts';

/** Preview of a template's quotations. Template managers edit its texts here. */
const templatePage = route.page(
  '/quote/template/:template',
  {
    name: 'quote.template_page',
    auth: 'user',
    groups: ['sale.group_sale_user'],
    params: { template: record(QuoteTemplate, { slug: 'name' }) },
    cache: false,
  },
  async ({ ctx, params, request, render }) => {
    const editing = new URL(request.url, request.origin).searchParams.has('enable_editor');
    return render('quote.template_page', { ...(await templateValues(ctx, params.template.id)), editing });
  },
);

export const templateRoutes = [templatePage];
