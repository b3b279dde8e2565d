import { f, model } from '#core';

/** What somebody who is called up may answer. */
const answers = { none: 'No answer', yes: 'Comes', no: 'Does not come' } as const;

/** A member on a call-up, with the answer that came. */
export class ConvocationLine extends model(
  'club.convocation.line',
  {
    convocation_id: f.many2one('club.convocation', { required: true, ondelete: 'cascade', index: true }),
    member_id: f.many2one('club.member', { required: true, ondelete: 'cascade', index: true, label: 'Member' }),
    answer: f.selection(answers, { default: 'none', tracked: true }),
    comment: f.char({ size: 200 }),
    answered_date: f.datetime({ readonly: true, label: 'Answered', copy: false }),
    answered_by_id: f.many2one('res.partner', { readonly: true, empty: 'none', label: 'Answered by' }),
    mail_date: f.datetime({ readonly: true, label: 'Mail sent', copy: false }),
  },
  {
    order: 'convocation_id, member_id, id',
    label: 'Called up',
    nameField: 'member_id',
    unique: [{ fields: ['convocation_id', 'member_id'], message: 'This member is called up already.' }],
  },
) {}

declare module '#core' {
  interface Models {
    'club.convocation.line': ConvocationLine;
  }
}
