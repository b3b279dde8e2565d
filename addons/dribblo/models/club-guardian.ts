import { f, model } from 'pergola';

/** Legal guardian of a child: receives its call-ups, and decides what the website shows about it. */
export class Guardian extends model(
  'club.guardian',
  {
    member_id: f.many2one('club.member', { required: true, ondelete: 'cascade', index: true, label: 'Child' }),
    partner_id: f.many2one('res.partner', { required: true, ondelete: 'cascade', index: true, label: 'Contact' }),
    email: f.char({ related: 'partner_id.email' }),
    relation: f.selection(
      { mother: 'Mother', father: 'Father', guardian: 'Guardian' },
      { default: 'guardian', label: 'Relationship' },
    ),
    consent_name: f.boolean({
      label: 'Full name can be shown',
      help: 'Otherwise, the website shows only a first name and initial until age 16',
      tracked: true,
    }),
  },
  {
    order: 'member_id, id',
    label: 'Guardian',
    nameField: 'partner_id',
    unique: [{ fields: ['member_id', 'partner_id'], message: 'This contact is already a guardian of this child.' }],
  },
) {}

declare module 'pergola' {
  interface Models {
    'club.guardian': Guardian;
  }
}
