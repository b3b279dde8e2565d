/** Sending mail by other ways than `ctx.mail`. */

export {
  changeMailText,
  displayName,
  isEmailAddress,
  keepMail,
  listMailTexts,
  type MailPreview,
  MailRefused,
  type MailServer,
  type MailSummary,
  type MailText,
  type MailTransport,
  mailServerSetting,
  mailText,
  mailWay,
  type OutgoingMail,
  openMailTransport,
  previewMailText,
  type Recipient,
  resetMailText,
  sendMail,
} from './mail/index.ts';
