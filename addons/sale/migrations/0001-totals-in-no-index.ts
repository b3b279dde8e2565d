import { migration } from '#core';

const replaced = 'sale_order__date_confirm__state__currency_id__amount_total__idx';

export default migration({
  version: '1.2.1',
  summary: 'Takes the totals of orders out of an index, which every change of a cart had to write',
  async up({ db }) {
    await db.raw('drop index if exists ??', [replaced]);
    await db('core_ownership').where({ kind: 'index', table_name: 'sale_order', name: replaced }).delete();
  },
});
