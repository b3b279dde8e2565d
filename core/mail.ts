/** Sending mail by other ways than `ctx.mail`. */

export {
  keepMail,
  MailRefused,
  type MailTransport,
  type OutgoingMail,
  openMailTransport,
  type Recipient,
  sendMail,
} from './mail/index.ts';
