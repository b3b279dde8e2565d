import type { Ctx } from '@pergola/core';
import { declaredHere, type Id } from '@pergola/core';
import type { FileRef } from '@pergola/files';
import type { TemplateName } from '@pergola/pages';

/** A mail an addon sends: a template rendered in the recipient's language, as HTML and text. */
export interface MailDefinition<V = Record<string, unknown>> {
  readonly kind: 'mail';
  /** `addon.thing`; also how retention and tests name it. */
  readonly name: string;
  /** Translatable, `{placeholders}` from the values. */
  readonly subject: string;
  /** A template of the addon. */
  readonly template: TemplateName;
  /** Most mails of this kind to one address in an hour (C46). Default 5; more for those to the site's own people. */
  readonly hourly?: number;
  /**
   * What becomes of mails beyond that: refused, or sent in the hours that follow. `later` is for notices that must not be lost and that strangers can't
   * trigger: about money that was paid, or tickets that someone holds. Default `refused`.
   */
  readonly excess?: 'refused' | 'later';
  /** Whether a person wrote the mail, so that autoresponders may answer it; other mails say that they are automatic (RFC 3834). */
  readonly isPersonal?: boolean;
  /** Values to look at the mail with, of a record of the site; left out, or null where there is none yet: values that say their names. */
  readonly sample?: (ctx: Ctx) => Promise<V | null>;
  readonly $?: V;
}

/** Declares a mail. Send it with `ctx.mail.send(definition, { to, values })`. */
export function mail<V = Record<string, unknown>>(
  name: string,
  about: Omit<MailDefinition<V>, 'kind' | 'name' | '$'>,
): MailDefinition<V> {
  return Object.freeze(declaredHere({ kind: 'mail' as const, name, ...about }, mail));
}

/** Whose mail it is, and in whose words. */
export function addonOf({ name }: Pick<MailDefinition, 'name'>): string {
  return name.split('.')[0] ?? name;
}

/** Whom an email is for; without a language, it is written in that of the context. */
export interface Recipient {
  readonly email: string;
  readonly name?: string;
  readonly lang?: string;
}

/** An email as it went into the outbox. */
export interface QueuedMail {
  /** Its row of the outbox: see `mailDeliveries`. */
  readonly id: Id;
  readonly subject: string;
  readonly html: string;
}

/** What is sent to whom. */
export interface MailMessage<V = Record<string, unknown>> {
  readonly to: Recipient;
  readonly values: V;
  readonly replyTo?: Recipient;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly FileRef[];
  /** At most one mail per key (idempotence), ever or within `keyMs`. */
  readonly key?: string;
  /** How long a key counts, in ms: pressing a button twice sends one mail, pressing it again later sends another. For ever when left out. */
  readonly keyMs?: number;
  /** The record whose discussion shows the mail; the outbox keeps mails about records until they are handed over. */
  readonly about?: { readonly model: string; readonly id: Id };
}

export interface MailQueue {
  /**
   * Puts a mail into the outbox in the context's transaction; it leaves after the commit, once, under one Message-ID. One recipient per
   * message. InvalidInput for an address that does not follow the strict grammar (no CR/LF, lists or comments).
   *
   * @returns null if its key was sent before
   */
  send<V>(definition: MailDefinition<V>, message: MailMessage<NoInfer<V>>): Promise<QueuedMail | null>;
}

declare module '@pergola/core/context' {
  interface Ctx {
    readonly mail: MailQueue;
  }
}
