import { mail } from 'pergola';

/** A message of a visitor to the company. */
export const contactMail = mail<ContactMessage>('website.contact', {
  subject: '{subject}: message from {name}',
  template: 'website.contact_mail',
  hourly: 200,
});

interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly subject: string;
  /** Line by line. */
  readonly lines: readonly string[];
  readonly site: string;
}

/** What somebody sent through a form, to whom its editors named. */
export const formMail = mail<FormMessage>('website.form', {
  subject: '{form}: sent by {sender}',
  template: 'website.form_mail',
  hourly: 200,
});

interface FormMessage {
  readonly form: string;
  readonly sender: string;
  readonly answers: readonly { readonly question: string; readonly lines: readonly string[] }[];
  readonly page: string;
  readonly site: string;
}
