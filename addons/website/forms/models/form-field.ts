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
        text: 'One line',
        lines: 'Several lines',
        email: 'E-mail address',
        phone: 'Telephone',
        number: 'Number',
        date: 'Date',
        choice: 'One of several',
        several: 'Some of several',
        consent: 'Consent',
      },
      { default: 'text', required: true, label: 'Kind' },
    ),
    required: f.boolean({ label: 'Has to be answered' }),
    choices: f.text({ translate: true, size: 4000, label: 'Choices', help: 'One in a line' }),
    help: f.char({ translate: true, size: 300, label: 'Hint' }),
    role: f.selection(
      { none: 'Nothing else', name: 'The name', email: 'The e-mail address', phone: 'The telephone' },
      {
        default: 'none',
        required: true,
        label: 'Of the sender it is',
        help: 'For the contact, and for who is answered',
      },
    ),
  },
  { order: 'sequence, id', label: 'Question' },
) {
  override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
    await super.validate(ids, changed);
    for (const { type, choices } of await this.read(ids, { select: { type: true, choices: true } })) {
      if ((type !== 'choice' && type !== 'several') || choicesOf(choices).length > 0) continue;
      const refusal = new InvalidInput('Write the choices, one in a line.', { code: 'website.no_choices' });
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
