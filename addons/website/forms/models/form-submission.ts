import { f, model } from 'pergola';
import { formReaders } from './form.ts';

/** Submission of a form. */
export class WebsiteFormSubmission extends model(
  'website.form.submission',
  {
    form_id: f.many2one('website.form', { required: true, ondelete: 'cascade', index: true, readonly: true }),
    name: f.char({ size: 254, label: 'Sender', readonly: true }),
    email: f.char({ size: 254, label: 'Email address', readonly: true }),
    answers: f.text({ label: 'Responses', readonly: true }),
    data: f.json({ label: 'Answers by question', readonly: true }),
    page: f.char({ size: 500, label: 'Page', readonly: true }),
    lang: f.char({ size: 10, label: 'Language', readonly: true }),
    target_model: f.char({ size: 64, readonly: true, label: 'Created record type' }),
    target_id: f.integer({ readonly: true, label: 'Created record' }),
    is_done: f.boolean({ label: 'Processed' }),
    note: f.text({ label: 'Note', groups: formReaders }),
  },
  { order: 'id desc', label: 'Form response', search: ['name', 'email', 'answers'] },
) {}

declare module 'pergola' {
  interface Models {
    'website.form.submission': WebsiteFormSubmission;
  }
}
