import { defineAddon } from 'pergola';
import { entries } from './account-entries.ts';
import { consequences } from './consequences.ts';
import { signDocument } from './jobs/sign-document.ts';
import { quoteComment } from './mails/comment.ts';
import { QuotedVariant } from './models/product-product.ts';
import { QuotedProduct } from './models/product-template.ts';
import { QuoteLine } from './models/quote-line.ts';
import { QuoteOption } from './models/quote-option.ts';
import { QuoteTemplate } from './models/quote-template.ts';
import { QuotedOrder } from './models/sale-order.ts';
import { QuotedLine } from './models/sale-order-line.ts';
import { SaleOrderOption } from './models/sale-order-option.ts';
import { SaleOrderSignature } from './models/sale-order-signature.ts';
import { questions } from './questions.ts';
import { callRoutes } from './routes/calls.ts';
import { formRoutes } from './routes/forms.ts';
import { pageRoutes } from './routes/quotation.ts';
import { templateRoutes } from './routes/template.ts';
import { lists, rules } from './security.ts';
import { Acceptances } from './services/acceptances.ts';
import { Quotations } from './services/quotations.ts';
import { Signatures } from './services/signatures.ts';
import { menus, views } from './views.ts';

export default defineAddon({
  name: 'quote',
  title: 'Online quotations',
  summary: 'Quotations that customers read, change and sign on the site',
  version: '1.2.0',
  category: 'Sales',
  icon: 'pen',
  depends: ['website', 'sale'],
  consequences,
  models: [
    QuoteTemplate,
    QuoteLine,
    QuoteOption,
    SaleOrderOption,
    SaleOrderSignature,
    QuotedVariant,
    QuotedProduct,
    QuotedOrder,
    QuotedLine,
  ],
  services: [Acceptances, Quotations, Signatures],
  access: lists,
  rules,
  mails: [quoteComment],
  jobs: [signDocument],
  routes: [callRoutes, formRoutes, pageRoutes, templateRoutes],
  views,
  questions,
  menus,
  accountEntries: entries,
});
