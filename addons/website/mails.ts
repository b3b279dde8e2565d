import { mail } from '#core';

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
