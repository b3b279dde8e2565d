import type { Ctx } from '@pergola/core';
import { contributionPoint, id, shaped, text } from '@pergola/core';
import { checkTemplate, templates } from '@pergola/pages';
import { z } from 'zod';
import type { MailDefinition } from './define.ts';

declare module '@pergola/core/contributions' {
  interface Contributions {
    /** Mails that the addon sends: `mail(…)`. */
    // biome-ignore lint/suspicious/noExplicitAny: mails of any values
    mails: readonly MailDefinition<any>[];
    /** Called in the transaction that records what became of a mail of the outbox. */
    outboxListeners: readonly OutboxListener[];
    /** Called before each attempt to hand over a mail of the outbox; a mail that a guard no longer wants to be sent is withdrawn. */
    outboxGuards: readonly OutboxGuard[];
  }
}

/** What became of a mail of the outbox. */
export interface OutboxChange {
  /** Kind of mail: `web.reset`. */
  readonly name: string;
  readonly messageId: string;
  /**
   * `waiting`: it will be tried again; `kept`: held without a mail server; `sent`: handed over to the mail server; `failed`: refused for good;
   * `withdrawn`: a guard stopped it.
   */
  readonly state: OutboxState;
  /** Answer of the mail server; null if there was none. */
  readonly error: string | null;
}
export type OutboxState = 'waiting' | 'kept' | 'sent' | 'failed' | 'withdrawn';
export type OutboxListener = (ctx: Ctx, change: OutboxChange) => Promise<void>;

/** Functions of addons that follow their mails in the outbox. */
export const outboxListeners = contributionPoint('outboxListeners', {
  shape: z.array(z.custom<OutboxListener>((value) => typeof value === 'function', 'has to be a function')),
  build: ({ contributions }): readonly OutboxListener[] => contributions.flatMap(({ value }) => value),
});

/** A mail that is about to be handed over. */
export interface DueMail extends Pick<OutboxChange, 'name' | 'messageId'> {
  /** The key it was queued with; null for none. */
  readonly key: string | null;
  readonly email: string;
}
/** Whether its recipient still wants the mail. It may have been held for weeks, and the recipient may have unsubscribed meanwhile. */
export type OutboxGuard = (ctx: Ctx, mail: DueMail) => Promise<boolean>;

/** Functions of addons that check consent when their mails are handed over. */
export const outboxGuards = contributionPoint('outboxGuards', {
  shape: z.array(z.custom<OutboxGuard>((value) => typeof value === 'function', 'has to be a function')),
  build: ({ contributions }): readonly OutboxGuard[] => contributions.flatMap(({ value }) => value),
});

/** Mails that addons send. */
export const mails = contributionPoint('mails', {
  shape: z.array(shaped('a mail', '`mail(…)`', { kind: z.literal('mail'), name: id, subject: text, template: text })),
  names: { what: 'mail', of: (list) => list.map(({ name }) => name) },
  needs: { templates },
  build({ contributions, needs, report }) {
    const known = new Set(needs.templates.ids);
    for (const { addon, value } of contributions) {
      for (const { name, template } of value) {
        checkTemplate(addon.name, `mail "${name}"`, template, known).forEach(report);
      }
    }
    return contributions.flatMap(({ value }): readonly MailDefinition[] => value);
  },
});
