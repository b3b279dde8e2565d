import { f, model } from '#core';

/** One change of a tracked field: who, when, from what to what. Only ever added. */
export class AuditEntry extends model(
  'ir.audit',
  {
    res_model: f.char({ required: true, index: true, label: 'Model' }),
    res_id: f.integer({ required: true, label: 'Record' }),
    field: f.char({ required: true }),
    old_value: f.json({ label: 'Before' }),
    new_value: f.json({ label: 'After' }),
    user_id: f.many2one('res.users', { ondelete: 'set null', label: 'By' }),
    date: f.datetime({ required: true, label: 'When' }),
  },
  {
    order: 'date desc, id desc',
    attachedTo: { model: 'res_model', id: 'res_id' },
    indexes: [['res_model', 'res_id', 'date']],
    appendOnly: true,
    label: 'Change',
  },
) {}

declare module '#core' {
  interface Models {
    'ir.audit': AuditEntry;
  }
}
