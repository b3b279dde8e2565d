import { Partner } from '@pergola/base';
import { createTestApp, eachDatabase } from 'pergola/testing';
import migration from '../migrations/0014-vat-numbers-in-carts.ts';
import { FiscalPosition } from '../models/account-fiscal-position.ts';
import { SalePartner } from '../models/res-partner.ts';
import { SaleOrder } from '../models/sale-order.ts';

eachDatabase('open carts without tax for a number that nobody checked', (database) => {
  it('have it back, unless staff chose so for the customer', async () => {
    await using app = await createTestApp({ addons: ['sale'], database });
    const { notes, positions, position } = await app.write(async (ctx) => {
      const positionId = await ctx.model(FiscalPosition).create({ name: 'Businesses', vat_required: true });
      const other = await ctx.model(FiscalPosition).create({ name: 'Abroad' });
      const partner = await ctx.model(Partner).create({ name: 'Ada' });
      await ctx.model(SalePartner).write(partner, { property_account_position: positionId });
      const orders = ctx.model(SaleOrder);
      const ids = [
        await orders.openCart({ fiscal_position: positionId }),
        await orders.openCart({ fiscal_position: other }),
        await orders.openCart({ partner_id: partner }),
        await orders.create({ invoice_name: 'Quotation', fiscal_position: positionId }),
      ];
      const told: string[] = [];
      await migration.up({ db: ctx.db, note: (text: string) => told.push(text) } as never);
      const rows = await ctx.db('sale_order').whereIn('id', ids).orderBy('id').select('fiscal_position');
      return { notes: told, positions: rows.map((row) => row.fiscal_position), position: [positionId, other] };
    });
    expect(positions).toEqual([null, position[1], position[0], position[0]]);
    expect(notes).toHaveLength(1);
  });
});
