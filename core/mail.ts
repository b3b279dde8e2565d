/** Sending mail by other ways than `ctx.mail`. */

export {
  keepMail,
  MailRefused,
  type MailTransport,
  type OutgoingMail,
  openMailTransport,
  type Recipient,
} from './mail/index.ts';
