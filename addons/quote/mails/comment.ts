import { mail } from 'pergola';

/** Notifies a customer about a new comment on their quotation. */
export const quoteComment = mail<{
  readonly reference: string;
  readonly author: string;
  /** Sanitized HTML. */
  readonly body: string;
  readonly path: string;
}>('quote.comment', {
  subject: 'A message about your quotation {reference}',
  template: 'quote.mail_comment',
  isPersonal: true,
  hourly: 20,
});
