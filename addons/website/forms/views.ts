import { menu, view } from '@pergola/web';
import { formReaders, WebsiteForm } from './models/form.ts';
import { WebsiteFormField } from './models/form-field.ts';
import { WebsiteFormSubmission } from './models/form-submission.ts';

export const views = [
  view.list(WebsiteForm, { columns: ['name', 'mail_to', 'target', 'submission_count', 'active'] }),
  view.form(WebsiteForm, {
    title: 'name',
    sections: [
      {
        items: [
          {
            field: 'field_ids',
            columns: ['name', 'type', 'required', 'role', 'choices', 'help', 'sequence'],
            wide: true,
          },
        ],
      },
      { label: 'After sending', items: ['mail_to', 'target', 'thanks', 'button', 'active'] },
    ],
    tabs: [
      {
        label: 'Responses',
        sections: [
          { items: ['answers_url'] },
          {
            items: [
              { field: 'submission_ids', columns: ['create_date', 'name', 'email', 'answers', 'is_done'], wide: true },
            ],
          },
        ],
      },
    ],
  }),
  view.form(WebsiteFormField, {
    title: 'name',
    sections: [{ items: ['type', 'required', 'role', 'help', { field: 'choices', wide: true }, 'sequence'] }],
  }),
  view.list(WebsiteFormSubmission, {
    columns: ['create_date', 'form_id', 'name', 'email', 'answers', 'is_done', { field: 'page', optional: true }],
  }),
  view.form(WebsiteFormSubmission, {
    title: 'name',
    sections: [
      { items: ['form_id', 'create_date', 'email', 'page', 'lang', 'is_done'] },
      {
        items: [
          { field: 'answers', wide: true },
          { field: 'note', wide: true },
        ],
      },
    ],
  }),
  view.search(WebsiteFormSubmission, {
    fields: ['name', 'email', 'answers'],
    filters: [{ id: 'open', label: 'To process', domain: [['is_done', '=', false]] }],
    groups: [
      { id: 'form', label: 'Form', by: 'form_id' },
      { id: 'month', label: 'Month', by: 'create_date:month' },
    ],
  }),
];

export const menus = [
  menu('website.menu_forms', {
    label: 'Forms',
    parent: 'website.menu_root',
    model: WebsiteForm,
    after: 'website.menu_pages',
  }),
  menu('website.menu_form_submissions', {
    label: 'Form responses',
    parent: 'website.menu_root',
    model: WebsiteFormSubmission,
    groups: [formReaders],
    after: 'website.menu_forms',
  }),
];
