import { domainToASCII, domainToUnicode } from 'node:url';
import { declaredHere } from '../base/index.ts';
import type { Ctx } from '../context/index.ts';
import type { FileRef } from '../files/index.ts';
import type { TemplateName } from '../page/index.ts';

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

export interface Recipient {
  readonly email: string;
  readonly name?: string;
  readonly lang?: string;
}

export interface MailQueue {
  /**
   * Puts a mail into the outbox in the context's transaction; it leaves after the commit, once, under one Message-ID. One recipient per
   * message. InvalidInput for an address that does not follow the strict grammar (no CR/LF, lists or comments).
   */
  send<V>(
    definition: MailDefinition<V>,
    message: {
      to: Recipient;
      values: V;
      replyTo?: Recipient;
      headers?: Readonly<Record<string, string>>;
      attachments?: readonly FileRef[];
      /** At most one mail per key ever (idempotence). */
      key?: string;
    },
  ): Promise<void>;
}

/**
 * Whether a text is one plain email address that mail can be sent to: no lists, comments, quotes or line breaks, 254 characters at most. The domain may
 * be international (`info@münchen.example`); the part before the @ may not, since few mail servers take it.
 */
export function isEmailAddress(text: string): boolean {
  const plain = wireAddress(text);
  if (plain.length > 254 || !/^[\x21-\x7e]+$/.test(plain)) return false;
  const at = plain.lastIndexOf('@');
  const local = plain.slice(0, at);
  const host = plain.slice(at + 1);
  return (
    at > 0 &&
    local.length <= 64 &&
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local) &&
    /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/.test(host)
  );
}

/**
 * The address as mail servers read it: an international domain in ASCII (`info@xn--mnchen-3ya.example`). Pages, records and documents show what was typed.
 * Anything else is returned as it is.
 */
export function wireAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  // Letters, digits, hyphens and dots alone: domainToASCII() would drop line breaks and decode escapes.
  if (at < 1 || !/[^\x21-\x7e]/.test(host) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(host)) return email;
  const ascii = domainToASCII(host);
  return ascii === '' ? email : `${email.slice(0, at)}@${ascii}`;
}

/** The address as people write it: browsers send international domains in ASCII. The inverse of {@link wireAddress}; anything else is returned as it is. */
export function readableAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const readable = `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`;
  return at > 0 && readable !== email && wireAddress(readable) === email.toLowerCase() ? readable : email;
}

declare module '../context/context.ts' {
  interface Ctx {
    readonly mail: MailQueue;
  }
}
