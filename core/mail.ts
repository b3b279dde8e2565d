/** Sending mail by other ways than `ctx.mail`. */

export {
  keepMail,
  MailRefused,
  type MailTransport,
  type OutgoingMail,
  openMailTransport,
  type Recipient,
  sendMailToken,
} from './mail/index.ts';
