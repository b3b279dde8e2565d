import { type Ctx, type Id, sanitizeHtml } from 'pergola';
import { pictureUrl } from 'pergola/pages';
import { SaleOrder } from '../../models/sale-order.ts';
import { Payments } from './payments.ts';
import { Transfers } from './transfers.ts';

/** A payment method as shown by the payment island. */
export interface PaymentMethod {
  readonly id: Id;
  readonly name: string;
  /** English name for statistics, independent of the customer's language. */
  readonly counted: string;
  readonly test: boolean;
  /** Sanitized HTML. */
  readonly message: string;
  /** Notice for the customer before choosing the method. */
  readonly keeping: string;
  readonly chosen: boolean;
  readonly logo: string;
}

/**
 * Returns the payment methods for an order, optionally only instant ones. Preselects the method of the last attempt, so that customers who
 * were refused start with it. Needs elevated rights.
 */
export async function paymentMethods(
  system: Ctx,
  order: Id,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<PaymentMethod[]> {
  const {
    payment_acquirer_id: lastMethod,
    state,
    company_id: company,
  } = await system
    .model(SaleOrder)
    .get(order, { select: { payment_acquirer_id: true, state: true, company_id: true } });
  const inEnglish = await system.as({ lang: 'en_US' }).get(Payments).offered(company);
  const englishNames = new Map(inEnglish.map(({ id, name }) => [id, name]));
  const methods = (await system.get(Payments).offered(company)).filter(
    ({ validation }) => !atOnce || validation === 'automatic',
  );
  const preselected = methods.find(({ id }) => id === lastMethod) ?? methods[0];
  // A confirmed order has already taken its stock.
  const keeping = state === 'draft' || state === 'sent' ? await system.get(Transfers).choiceText(order) : '';
  return methods.map(({ id, name, provider, validation, pre_msg, image, test }) => ({
    id,
    name,
    counted: englishNames.get(id) ?? name,
    test,
    message: sanitizeHtml(pre_msg ?? '', 'page'),
    keeping: validation === 'manual' ? keeping : '',
    chosen: id === preselected?.id,
    logo: pictureUrl('payment.acquirer', id, 'image', image, 96) ?? logoOf(provider),
  }));
}

function logoOf(provider: string): string {
  return provider === 'transfer' ? '/sale/static/payment/transfer.svg' : '/sale/static/payment/card.svg';
}
