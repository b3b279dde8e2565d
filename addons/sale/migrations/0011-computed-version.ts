import { migration } from 'pergola';

export default migration({
  version: '1.3.0',
  summary: 'Drops the stored version of orders: it covers dates, venues and terms now, and is computed on reading',
  up: ({ dropColumn }) => dropColumn('sale_order', 'version'),
});
