import { mail } from 'pergola';

export interface NewMessage {
  /** Subject of the message; defaults to an update notice naming the record. */
  readonly headline: string;
  readonly record: string;
  /** Link to the record; empty if the reader has no page for it. */
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

/** Message from staff to the customer of a record, who may neither have an account nor follow it. */
export interface DirectMessage extends Omit<NewMessage, 'unsubscribe'> {}
export const directMessage = mail<DirectMessage>('mail.direct_message', {
  subject: '{headline}',
  template: 'mail.direct_message',
  isPersonal: true,
  hourly: 20,
});

export const confirmFollow = mail<{ record: string; path: string }>('mail.confirm_follow', {
  subject: 'Confirm that you want to follow {record}',
  template: 'mail.confirm_follow',
});
