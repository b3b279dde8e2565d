import type { Contents } from '../contents.ts';
import { formMail } from '../mails.ts';
import { formBlock } from './block.ts';
import { WebsiteForm } from './models/form.ts';
import { WebsiteFormField } from './models/form-field.ts';
import { WebsiteFormSubmission } from './models/form-submission.ts';
import { formPage, formSent, formTable, sendForm } from './routes.ts';
import { groups, lists } from './security.ts';
import { menus, views } from './views.ts';

/** Forms created by editors, and their submissions. */
export const forms: Contents = {
  models: [WebsiteForm, WebsiteFormField, WebsiteFormSubmission],
  routes: [formPage, sendForm, formSent, formTable],
  blocks: [formBlock],
  mails: [formMail],
  groups,
  access: lists,
  views,
  menus,
};
