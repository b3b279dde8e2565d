import { migration } from '#core';

export default migration({
  version: '1.2.0',
  summary:
    'Forgets the versions of open quotations that covered lines only; versions now cover terms, addresses and texts, too',
  async up({ db }) {
    await db('sale_order').whereNotNull('seen_version').update({ seen_version: null });
  },
});
