import { extend, f } from 'pergola';
import { Partner } from '@pergola/base';

/** Contacts know what they borrowed. */
export const Reader = extend(Partner, { loan_ids: f.one2many('library.loan', 'partner_id', { label: 'Loans' }) });
