import type { Ctx } from '@pergola/core';
import { callable, contributionPoint, id, shaped, text } from '@pergola/core';
import { checkTemplate, templates } from '@pergola/pages';
import { z } from 'zod';
import type { MailDefinition } from './define.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /** Emails sent by the addon: `mail(…)`. */
    // biome-ignore lint/suspicious/noExplicitAny: mails of any values
    mails: readonly MailDefinition<any>[];
    /** Called in the transaction that records the delivery status of an outbox email. */
    outboxListeners: readonly OutboxListener[];
    /** Called before each attempt to hand over an outbox email; an email that a guard rejects is withdrawn. */
    outboxGuards: readonly OutboxGuard[];
  }
}

/** Status change of an outbox email. */
export interface OutboxChange {
  /** Name of the email: `web.reset`. */
  readonly name: string;
  readonly messageId: string;
  /**
   * `waiting`: will be retried; `kept`: held without a mail server; `sent`: handed over to the mail server; `failed`: permanently refused;
   * `withdrawn`: stopped by a guard.
   */
  readonly state: OutboxState;
  /** Reply of the mail server, or null. */
  readonly error: string | null;
}
export type OutboxState = 'waiting' | 'kept' | 'sent' | 'failed' | 'withdrawn';
export type OutboxListener = (ctx: Ctx, change: OutboxChange) => Promise<void>;

/** Addon functions that follow emails in the outbox. */
export const outboxListeners = contributionPoint('outboxListeners', {
  owned: true,
  shape: z.array(callable),
  build: ({ contributions }): readonly OutboxListener[] => contributions.flatMap(({ value }) => value),
});

/** An email about to be handed over. */
export interface DueMail extends Pick<OutboxChange, 'name' | 'messageId'> {
  /** Key it was queued with, or null. */
  readonly key: string | null;
  readonly email: string;
}
/** Whether the recipient still wants the email, which may have been held for weeks while they unsubscribed. */
export type OutboxGuard = (ctx: Ctx, mail: DueMail) => Promise<boolean>;

/** Addon functions that check consent when their emails are handed over. */
export const outboxGuards = contributionPoint('outboxGuards', {
  owned: true,
  shape: z.array(callable),
  build: ({ contributions }): readonly OutboxGuard[] => contributions.flatMap(({ value }) => value),
});

/** Emails sent by addons. */
export const mails = contributionPoint('mails', {
  shape: z.array(shaped('a mail', '`mail(…)`', { kind: z.literal('mail'), name: id, subject: text, template: text })),
  names: { what: 'mail', of: (list) => list.map(({ name }) => name) },
  needs: { templates },
  build({ contributions, needs, report }) {
    const templateIds = new Set(needs.templates.ids);
    for (const { addon, value } of contributions) {
      for (const { name, template } of value) {
        checkTemplate(addon.name, `mail "${name}"`, template, templateIds).forEach(report);
      }
    }
    return contributions.flatMap(({ value }): readonly MailDefinition[] => value);
  },
});
