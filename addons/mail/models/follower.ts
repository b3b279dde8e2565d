import { FollowsRecord } from '@pergola/base';
import { f, model } from 'pergola';

/** A follower of a record. Only visible to users who can read the record. */
export class Follower extends model(
  'mail.followers',
  {
    res_model: f.char({ required: true, label: 'Model' }),
    res_id: f.integer({ required: true, label: 'Record' }),
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'cascade', label: 'Contact' }),
  },
  {
    unique: [{ fields: ['res_model', 'res_id', 'partner_id'] }],
    attachedTo: { model: 'res_model', id: 'res_id' },
    label: 'Follower',
    mixins: [FollowsRecord],
  },
) {}

declare module 'pergola' {
  interface Models {
    'mail.followers': Follower;
  }
}
