import { data, plusDays, ref } from 'pergola';
import { Loan } from '../models/loan.ts';

/** An overdue loan. */
export default data(Loan, async (ctx) => ({
  demo_overdue: {
    book_id: ref('demo_hedgehogs'),
    partner_id: ref('base.demo_portal_partner'),
    due: plusDays(ctx.today(), -3),
  },
}));
