import { f, model } from 'pergola';
import { FollowsRecord } from '#addons/base';

/** Somebody who hears of what is said on a record. A row is there for whoever may read the record, and for nobody else. */
export class Follower extends model(
  'mail.followers',
  {
    res_model: f.char({ required: true, label: 'Model' }),
    res_id: f.integer({ required: true, label: 'Record' }),
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'cascade' }),
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
