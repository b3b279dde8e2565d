import { Partner } from '@pergola/base';
import { f, type Id, type Ids, InvalidInput, isEmailAddress, model } from 'pergola';
import { beside } from '../../models/beside.ts';
import { type FormAnswer, roleAnswers } from '../answers.ts';

/** Group that can read submissions. */
export const formReaders = 'website.group_form_reader';

/** Form created by editors: its questions and the handling of submissions, which are always stored. */
export class WebsiteForm extends model(
  'website.form',
  {
    name: f.char({ required: true, size: 120, label: 'Form' }),
    button: f.char({ translate: true, size: 60, label: 'Button label', help: 'Default: Send' }),
    thanks: f.text({ translate: true, size: 1000, label: 'Thank-you message', help: 'Shown after the form is sent' }),
    mail_to: f.char({
      size: 254,
      label: 'Email responses to',
      help: 'An email address. Leave empty to send no email.',
      groups: 'base.group_user',
    }),
    target: f.selection(
      { none: 'None', contact: 'A contact' },
      { default: 'none', required: true, label: 'Also create', groups: 'base.group_user' },
    ),
    active: f.boolean({ default: true, label: 'Open' }),
    field_ids: f.one2many('website.form.field', 'form_id', { label: 'Questions', copy: true }),
    submission_ids: f.one2many('website.form.submission', 'form_id', { label: 'Responses', groups: formReaders }),
    answers_url: f.char({ compute: 'answerTables', label: 'Export all responses (CSV)', groups: formReaders }),
    submission_count: f.integer({ compute: 'countSubmissions', label: 'Responses', groups: formReaders }),
  },
  { order: 'name, id', label: 'Form' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { mail_to } of await this.read(ids, { select: { mail_to: true } })) {
      if (!mail_to || isEmailAddress(mail_to)) continue;
      throw beside('mail_to', new InvalidInput('Enter a valid email address.', { code: 'website.form_email' }));
    }
  }

  async answerTables(ids: Ids): Promise<Map<Id, string>> {
    return new Map(ids.map((id) => [id, `/website/form/${id}/answers.csv`]));
  }

  async countSubmissions(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.ctx.modelNamed('website.form.submission').group([['form_id', 'in', ids]] as never, {
      by: ['form_id'] as never,
    });
    const counts = new Map(rows.map((row) => [Number(Reflect.get(row, 'form_id')), row.count]));
    return new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
  }

  /**
   * Creates the record that a submission also produces; returns its model and id, or null for none. Called with superuser rights, since
   * visitors submit forms. Addons that add choices to `target` extend this method.
   */
  async makeTarget(target: string, answers: readonly FormAnswer[]): Promise<{ model: string; id: Id } | null> {
    if (target !== 'contact') return null;
    const { name, email, phone } = roleAnswers(answers);
    if (!name && !email) return null;
    const partners = this.ctx.model(Partner);
    // Reuses a contact with the same email address, without changes: visitor input must not overwrite existing contacts.
    const existing = email ? await partners.byEmail(email) : null;
    const id =
      existing ?? (await partners.create({ name: name || email || '', email: email || null, phone: phone || null }));
    return { model: 'res.partner', id };
  }
}

declare module 'pergola' {
  interface Models {
    'website.form': WebsiteForm;
  }
}
