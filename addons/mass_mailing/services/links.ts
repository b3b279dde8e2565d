import { DAY } from '@pergola/website';
import { type Ctx, type Id, signText, verifyText } from 'pergola';

/** Days a confirmation link is valid. Other links don't expire, because emails are read years later. */
const CONFIRM_DAYS = 7;

/** Data in the links of a mailing. */
export interface MailLink {
  readonly contact: Id;
  readonly mailing: Id;
}

/** Data in a confirmation link. */
export interface ConfirmLink {
  readonly lists: readonly Id[];
  readonly email: string;
  readonly name: string;
  readonly lang: string;
  /** Secret of the session that requested it. */
  readonly proof: string;
}

const MAIL = 'mass_mailing.mail';
const CONFIRM = 'mass_mailing.confirm';

/** Token of a contact's links in a mailing: `12.34.signature`. */
export function mailToken(ctx: Pick<Ctx, 'config'>, { contact, mailing }: MailLink): string {
  const text = `${contact}.${mailing}`;
  return `${text}.${signText(ctx.config.sessionSecret, MAIL, text)}`;
}

/** Parses a link token; null if the signature is invalid. */
export function readMailToken(ctx: Ctx, token: string): MailLink | null {
  const [, text = '', contact = '', mailing = '', signature = ''] =
    /^((\d{1,15})\.(\d{1,15}))\.([\w-]{43})$/.exec(token) ?? [];
  if (!verifyText(ctx.config.sessionSecret, MAIL, text, signature)) return null;
  return { contact: Number(contact), mailing: Number(mailing) };
}

/** Token for confirming a subscription, valid for {@link CONFIRM_DAYS} days. */
export function confirmToken(ctx: Ctx, link: ConfirmLink): string {
  const until = ctx.now().getTime() + CONFIRM_DAYS * DAY;
  const text = Buffer.from(JSON.stringify({ ...link, until })).toString('base64url');
  return `${text}.${signText(ctx.config.sessionSecret, CONFIRM, text)}`;
}

/** Parses a confirmation token; null if it is forged or expired. */
export function readConfirmToken(ctx: Ctx, token: string): ConfirmLink | null {
  const separator = token.lastIndexOf('.');
  const text = token.slice(0, Math.max(separator, 0));
  if (!verifyText(ctx.config.sessionSecret, CONFIRM, text, token.slice(separator + 1))) return null;
  const { until, list, ...link } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as ConfirmLink & {
    until: number;
    /** Emails sent before an update contain a single list. */
    list?: Id;
  };
  if (until < ctx.now().getTime()) return null;
  return list === undefined ? link : { ...link, lists: [list] };
}

/** Signature short enough for URLs and Message-IDs, for one purpose: `open`, `click`, `message`, `bounce`. */
export function shortSignature(secret: string, purpose: string, text: string): string {
  return signText(secret, `mass_mailing.${purpose}`, text).slice(0, 22);
}

/** Verifies a short signature. */
export function isShortSignature(secret: string, purpose: string, text: string, signature: string): boolean {
  // Padded to full length, so the core's constant-time comparison can be used.
  const fullSignature = signText(secret, `mass_mailing.${purpose}`, text);
  return (
    verifyText(secret, `mass_mailing.${purpose}`, text, signature + fullSignature.slice(22)) && signature.length === 22
  );
}
