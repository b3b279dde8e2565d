import { mail } from '#core';

export interface NewMessage {
  readonly record: string;
  /** Where it is read; empty when the reader has no page of it. */
  readonly path: string;
  readonly author: string;
  /** Sanitised HTML. */
  readonly body: string;
  readonly unsubscribe: string;
}
export const newMessage = mail<NewMessage>('mail.new_message', {
  subject: 'News of {record}',
  template: 'mail.new_message',
});

export const confirmFollow = mail<{ record: string; path: string }>('mail.confirm_follow', {
  subject: 'Please confirm that you want to follow {record}',
  template: 'mail.confirm_follow',
});
