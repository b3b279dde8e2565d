import { f, model } from 'pergola';

/** Change of one field in the editor: author, time, previous and new value. */
export class WebsiteRevision extends model(
  'website.revision',
  {
    res_model: f.char({ required: true, label: 'Model' }),
    res_id: f.integer({ required: true, label: 'Record' }),
    field: f.char({ required: true, label: 'Field' }),
    lang: f.char({ size: 10, label: 'Language', help: 'Empty if the field is the same in all languages' }),
    user_id: f.many2one('res.users', { empty: 'none', label: 'Changed by' }),
    date: f.datetime({ required: true, label: 'Changed at' }),
    before: f.json({ label: 'Before' }),
    after: f.json({ label: 'After' }),
  },
  {
    order: 'id desc',
    label: 'Revision',
    attachedTo: { model: 'res_model', id: 'res_id' },
    indexes: [['res_model', 'res_id', 'field']],
    appendOnly: true,
  },
) {}

declare module 'pergola' {
  interface Models {
    'website.revision': WebsiteRevision;
  }
}
