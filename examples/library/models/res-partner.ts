import { Partner } from '#addons/base';
import { extend, f } from '#core';

/** Contacts know what they borrowed. */
export const Reader = extend(Partner, { loan_ids: f.one2many('library.loan', 'partner_id', { label: 'Loans' }) });
