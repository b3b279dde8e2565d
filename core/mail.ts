/** Sending mail by other ways than `ctx.mail`. */

export type { Recipient } from './mail/define.ts';
export { keepMail } from './mail/outbox.ts';
export { MailRefused, type MailTransport, type OutgoingMail, openMailTransport } from './mail/transport.ts';
