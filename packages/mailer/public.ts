/** Exports for addons, under `pergola/mail`. */

export { queuedMail } from '@pergola/jobs';
export { emailSpellings, isEmailAddress, requireEmailAddress } from './address.ts';
export type { MailDefinition, MailMessage, QueuedMail, Recipient } from './define.ts';
export { type DeliveryState, mailDeliveries, queueAgain, recordBounce, recordDelivered } from './deliveries.ts';
export { displayName, keepMail } from './outbox.ts';
export type { DueMail, OutboxChange } from './point.ts';
export { clearReason, type RefusalReason, refusalReason, type ServerAnswer } from './refusal.ts';
export { renderMail } from './render.ts';
export { releaseMails, sendMail } from './sender.ts';
export { holdsMails, type MailServer, mailServerSetting, mailWay } from './server.ts';
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
