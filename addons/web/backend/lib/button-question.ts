import { t } from 'pergola/browser';
import type { ViewButtonInfo } from '../types.ts';

/** Says that emails are held for want of a mail server. */
export function heldNotice(): string {
  return t('No mail server is configured. Emails are held and sent once there is one.');
}

/** Question before a button calls its method, or null; says so if the method's emails will be held. */
export function questionOf({ confirm, mails, opens }: ViewButtonInfo, keepsMails: boolean): string | null {
  // Forms that a button opens say it themselves.
  const held = mails && keepsMails && !opens ? heldNotice() : null;
  return [confirm, held].filter(Boolean).join('\n\n') || null;
}

/** Confirmation after a button did its work on one record. */
export function doneText({ label, mails }: ViewButtonInfo, keepsMails: boolean): string {
  return mails && keepsMails
    ? t('Done: {what}. The email is held until a mail server is configured.', { what: label })
    : t('Done: {what}', { what: label });
}
