/** Sending mail by other ways than `ctx.mail`. */

export {
  isEmailAddress,
  keepMail,
  MailRefused,
  type MailServer,
  type MailTransport,
  mailServerSetting,
  mailWay,
  type OutgoingMail,
  openMailTransport,
  type Recipient,
  sendMail,
} from './mail/index.ts';
