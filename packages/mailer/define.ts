import type { Ctx } from '@pergola/core';
import { declaredHere, type Id } from '@pergola/core';
import type { FileRef } from '@pergola/files';
import type { TemplateName } from '@pergola/pages';

/** An email of an addon: a template rendered in the recipient's language, as HTML and text. */
export interface MailDefinition<V = Record<string, unknown>> {
  readonly kind: 'mail';
  /** `addon.name`; also used by retention rules and tests. */
  readonly name: string;
  /** Translatable; `{placeholders}` are filled from the values. */
  readonly subject: string;
  /** A template of the addon. */
  readonly template: TemplateName;
  /** Maximum number of these emails to one address per hour (C46). Default 5; higher for those to the site's staff. */
  readonly hourly?: number;
  /**
   * Handling of emails beyond that limit: refused, or sent in the following hours. `later` is for notices that must not be lost and that
   * strangers can't trigger: about completed payments or issued tickets. Default `refused`.
   */
  readonly excess?: 'refused' | 'later';
  /** Whether a person wrote the email, so that autoresponders may reply; others are marked as automatic (RFC 3834). */
  readonly isPersonal?: boolean;
  /**
   * Preview values from a record of the site. If omitted, or null because no record exists yet, the preview shows the names of the values.
   */
  readonly sample?: (ctx: Ctx) => Promise<V | null>;
  readonly $?: V;
}

/** Declares a mail. Send it with `ctx.mail.send(definition, { to, values })`. */
export function mail<V = Record<string, unknown>>(
  name: string,
  options: Omit<MailDefinition<V>, 'kind' | 'name' | '$'>,
): MailDefinition<V> {
  return Object.freeze(declaredHere({ kind: 'mail' as const, name, ...options }, mail));
}

/** Whose mail it is, and in whose words. */
export function addonOf({ name }: Pick<MailDefinition, 'name'>): string {
  return name.split('.')[0] ?? name;
}

/** Recipient of an email; without a language, it is written in the context's language. */
export interface Recipient {
  readonly email: string;
  readonly name?: string;
  readonly lang?: string;
}

/** An email as stored in the outbox. */
export interface QueuedMail {
  /** Id of its outbox row: see `mailDeliveries`. */
  readonly id: Id;
  readonly subject: string;
  readonly html: string;
}

/** Recipient, values and options of an email. */
export interface MailMessage<V = Record<string, unknown>> {
  readonly to: Recipient;
  readonly values: V;
  readonly replyTo?: Recipient;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly FileRef[];
  /** At most one email per key (idempotence), ever or within `keyMs`. */
  readonly key?: string;
  /** How long a key counts, in ms: pressing a button twice sends one email, pressing it again later sends another. Forever if omitted. */
  readonly keyMs?: number;
  /** The record whose discussion shows the email; the outbox keeps it until it is handed over. */
  readonly about?: { readonly model: string; readonly id: Id };
}

export interface MailQueue {
  /**
   * Adds an email to the outbox in the context's transaction; it is sent after the commit, once, under one Message-ID. One recipient per
   * message. Throws InvalidInput for an address that isn't valid in the strict grammar (no CR/LF, lists or comments).
   *
   * @returns null if an email with its key was sent before
   */
  send<V>(definition: MailDefinition<V>, message: MailMessage<NoInfer<V>>): Promise<QueuedMail | null>;
}

declare module '@pergola/core/context' {
  interface Ctx {
    readonly mail: MailQueue;
  }
}
