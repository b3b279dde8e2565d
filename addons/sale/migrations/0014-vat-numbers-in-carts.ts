import { migration } from 'pergola';

export default migration({
  version: '1.3.0',
  summary: 'Puts the tax back into open carts that were without it for a tax number that nobody checked',
  async up({ db, note }) {
    // Lines keep their taxes: the customer sees that prices changed, and checkout checks the number again.
    const carts = await db('sale_order as cart')
      .join('account_fiscal_position as position', 'position.id', 'cart.fiscal_position')
      .leftJoin('res_partner as customer', 'customer.id', 'cart.partner_id')
      .where({ 'cart.is_cart': true, 'cart.state': 'draft', 'position.vat_required': true })
      // Skips positions that staff chose for a customer.
      .where((query) =>
        query
          .whereNull('customer.property_account_position')
          .orWhereRaw('?? <> ??', ['customer.property_account_position', 'cart.fiscal_position']),
      )
      .pluck('cart.id');
    if (carts.length === 0) return;
    await db('sale_order').whereIn('id', carts).update({ fiscal_position: null });
    note(`${carts.length} open carts have their tax back until their customer goes through checkout again`);
  },
});
