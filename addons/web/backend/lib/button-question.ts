import { t } from 'pergola/browser';
import type { ViewButtonInfo } from '../types.ts';

/** Notice that emails are held because there is no mail server. */
export function heldNotice(): string {
  return t('No mail server is configured. Emails are held until you set one up.');
}

/** Returns the confirmation question of a button, or null. It mentions if the method's emails will be held. */
export function questionOf({ confirm, mails, opens }: ViewButtonInfo, keepsMails: boolean): string | null {
  // Forms opened by a button show the notice themselves.
  const notice = mails && keepsMails && !opens ? heldNotice() : null;
  return [confirm, notice].filter(Boolean).join('\n\n') || null;
}

/** Success message after a button's method ran on one record. */
export function successText({ label, mails }: ViewButtonInfo, keepsMails: boolean): string {
  return mails && keepsMails
    ? t('Done: {what}. The email is held until a mail server is configured.', { what: label })
    : t('Done: {what}', { what: label });
}
