/** Fields that determine the prices and taxes of an order's lines. */
export const termColumns = {
  is_cart: true,
  partner_id: true,
  pricelist_id: true,
  currency_id: true,
  company_id: true,
  fiscal_position: true,
  lang: true,
  invoice_country_id: true,
  invoice_vat_state: true,
  shipping_same: true,
  shipping_country_id: true,
} as const;

/** Fields that determine prices, totals and state of an order. */
export const orderColumns = {
  ...termColumns,
  state: true,
  amount_untaxed: true,
  amount_tax: true,
  amount_total: true,
  tax_sums: true,
  cart_quantity: true,
  payment_state: true,
  amount_paid: true,
  amount_refunded: true,
  amount_open: true,
  amount_owed: true,
  void_lines: true,
  network: true,
} as const;

/** The same for lines. */
export const lineColumns = {
  product_id: true,
  name: true,
  product_uom_qty: true,
  price_unit: true,
  price_list: true,
  discount: true,
  tax_id: true,
  price_subtotal: true,
  price_tax: true,
  price_total: true,
  tax_detail: true,
} as const;

/** The same for payments. */
const paymentColumns = {
  state: true,
  amount: true,
  currency_id: true,
  refund_ids: { state: true, amount: true },
} as const;

/** Fields that determine how much of an order is paid and due. */
export const moneyColumns = {
  state: true,
  amount_total: true,
  currency_id: true,
  transaction_ids: paymentColumns,
} as const;

/** The same fields as paths, for dependencies. */
export const moneyPaths = pathsOf(moneyColumns);

/** Fields needed to change a line. Reading them first saves all further queries within the transaction. */
export const changeColumns = { ...orderColumns, order_line: lineColumns, transaction_ids: paymentColumns } as const;

interface Columns {
  readonly [name: string]: true | Columns;
}

function pathsOf(columns: Columns, prefix = ''): string[] {
  return Object.entries(columns).flatMap(([name, nested]) =>
    nested === true ? [prefix + name] : pathsOf(nested, `${prefix}${name}.`),
  );
}
