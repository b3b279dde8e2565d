// What other parts may import; README.md says what the part is for.

export { queuedMail } from '../jobs/index.ts';
export { emailKey, emailSpellings, isEmailAddress, readableAddress, requireEmailAddress } from './address.ts';
export {
  type MailDefinition,
  type MailMessage,
  type MailQueue,
  mail,
  type QueuedMail,
  type Recipient,
} from './define.ts';
export { type DeliveryState, mailDeliveries, queueAgain, recordBounce, recordDelivered } from './deliveries.ts';
export { createMailQueue, displayName, keepMail } from './outbox.ts';
export { type DueMail, mails, type OutboxChange, outboxGuards, outboxListeners } from './point.ts';
export { clearReason, type RefusalReason, refusalReason, type ServerAnswer } from './refusal.ts';
export { renderMail } from './render.ts';
export { releaseMails, sendMail } from './sender.ts';
export { type MailServer, mailServerSetting, mailWay } from './server.ts';
export { tables } from './tables.ts';
export {
  changeMailText,
  listMailTexts,
  type MailPreview,
  type MailSummary,
  type MailText,
  mailText,
  previewMailText,
  resetMailText,
} from './texts.ts';
export { MailRefused, type MailTransport, type OutgoingMail, openMailTransport } from './transport.ts';
