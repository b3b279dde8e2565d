import { mail } from 'pergola';

/** Message from a visitor to the company. */
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
  /** One entry per line. */
  readonly lines: readonly string[];
  readonly site: string;
}

/** Form submission, sent to the recipients set by editors. */
export const formMail = mail<FormMessage>('website.form', {
  subject: '{form}: response from {sender}',
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
