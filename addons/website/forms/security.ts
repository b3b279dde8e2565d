import { access, group } from 'pergola';
import { formReaders, WebsiteForm } from './models/form.ts';
import { WebsiteFormField } from './models/form-field.ts';
import { WebsiteFormSubmission } from './models/form-submission.ts';

const publisher = 'website.group_website_publisher';

export const groups = [
  group(formReaders, {
    label: 'Can read form responses',
    category: 'Website',
    implies: ['base.group_user'],
    impliedBy: ['website.group_website_designer'],
  }),
];

/** Forms and questions are public. Submissions are readable for the group, and only created by the form. */
export const lists = [
  access(WebsiteForm, { '*': 'r', [publisher]: 'rwcd' }),
  access(WebsiteFormField, { '*': 'r', [publisher]: 'rwcd' }),
  access(WebsiteFormSubmission, { [formReaders]: 'rwd' }),
];
