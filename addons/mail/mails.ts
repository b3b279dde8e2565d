import { mail } from 'pergola';

export interface NewMessage {
  /** The message's own subject, else that there is news of the record. */
  readonly headline: string;
  readonly record: string;
  /** Where it is read; empty when the reader has no page of it. */
  readonly path: string;
  readonly author: string;
  /** Sanitised HTML. */
  readonly body: string;
  readonly unsubscribe: string;
}
export const newMessage = mail<NewMessage>('mail.new_message', {
  subject: '{headline}',
  template: 'mail.new_message',
});

/** What staff write to the customer of a record, who may have no account and follow nothing. */
export interface DirectMessage extends Omit<NewMessage, 'unsubscribe'> {}
export const directMessage = mail<DirectMessage>('mail.direct_message', {
  subject: '{headline}',
  template: 'mail.direct_message',
  isPersonal: true,
  hourly: 20,
});

export const confirmFollow = mail<{ record: string; path: string }>('mail.confirm_follow', {
  subject: 'Please confirm that you want to follow {record}',
  template: 'mail.confirm_follow',
});
