import { Partner } from '@pergola/base';
import { extend, f } from 'pergola';

/** Adds loans to contacts. */
export const Reader = extend(Partner, { loan_ids: f.one2many('library.loan', 'partner_id', { label: 'Loans' }) });
