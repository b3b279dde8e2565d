import { f, type Ids, InvalidInput, model } from 'pergola';
import { beside } from '../../models/beside.ts';

/** Question of a form. */
export class WebsiteFormField extends model(
  'website.form.field',
  {
    form_id: f.many2one('website.form', { required: true, ondelete: 'cascade', index: true }),
    sequence: f.integer({ default: 10 }),
    name: f.char({ required: true, translate: true, size: 200, label: 'Question' }),
    type: f.selection(
      {
        text: 'Single-line text',
        lines: 'Multi-line text',
        email: 'Email address',
        phone: 'Phone',
        number: 'Number',
        date: 'Date',
        choice: 'Single choice',
        several: 'Multiple choice',
        consent: 'Consent',
      },
      { default: 'text', required: true, label: 'Type' },
    ),
    required: f.boolean({ label: 'Required' }),
    choices: f.text({ translate: true, size: 4000, label: 'Choices', help: 'One per line' }),
    help: f.char({ translate: true, size: 300, label: 'Help text' }),
    role: f.selection(
      { none: 'None', name: 'Sender’s name', email: 'Sender’s email', phone: 'Sender’s phone' },
      {
        default: 'none',
        required: true,
        label: 'Use as',
        help: 'Used for the contact record and the reply address',
      },
    ),
  },
  { order: 'sequence, id', label: 'Question' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { type, choices } of await this.read(ids, { select: { type: true, choices: true } })) {
      if ((type !== 'choice' && type !== 'several') || choicesOf(choices).length > 0) continue;
      const refusal = new InvalidInput('Enter the choices, one per line.', { code: 'website.no_choices' });
      throw beside('choices', refusal);
    }
  }
}

/** Choices of a multi-line text, one per line. */
export function choicesOf(text: string | null): string[] {
  return (text ?? '').split(/\r?\n/).flatMap((line) => line.trim() || []);
}

declare module 'pergola' {
  interface Models {
    'website.form.field': WebsiteFormField;
  }
}
