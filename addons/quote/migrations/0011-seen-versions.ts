import { migration } from 'pergola';

export default migration({
  version: '1.2.0',
  summary:
    'Forgets the versions of open quotations that covered lines only; versions now cover terms, addresses and texts, too',
  async up({ db }) {
    // The first version from which data is migrated didn't store this field.
    const columns = await db('core_ownership').where({
      kind: 'column',
      table_name: 'sale_order',
      name: 'seen_version',
    });
    if (columns.length === 0) return;
    await db('sale_order').whereNotNull('seen_version').update({ seen_version: null });
  },
});
