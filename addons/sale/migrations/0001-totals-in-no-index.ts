import { migration } from 'pergola';

export default migration({
  version: '1.2.1',
  summary: 'Takes the totals of orders out of an index, which every change of a cart had to write',
  up: ({ dropIndex }) => dropIndex('sale_order', 'sale_order__date_confirm__state__currency_id__amount_total__idx'),
});
