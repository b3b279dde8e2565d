import { type Ctx, type Id, signText, verifyText } from 'pergola';
import { DAY } from '#addons/website';

/** Days a link that confirms a subscription is good for. The others never end: mails are read years later. */
const CONFIRM_DAYS = 7;

/** What the link in a mailing is about. */
export interface MailLink {
  readonly contact: Id;
  readonly mailing: Id;
}

/** What a link that confirms a subscription says. */
export interface ConfirmLink {
  readonly lists: readonly Id[];
  readonly email: string;
  readonly name: string;
  readonly lang: string;
  /** What the session that asked knows. */
  readonly proof: string;
}

const MAIL = 'mass_mailing.mail';
const CONFIRM = 'mass_mailing.confirm';

/** The token of a contact's links in a mailing: `12.34.signature`. */
export function mailToken(ctx: Pick<Ctx, 'config'>, { contact, mailing }: MailLink): string {
  const text = `${contact}.${mailing}`;
  return `${text}.${signText(ctx.config.sessionSecret, MAIL, text)}`;
}

/** What such a token says; null unless this site has made it. */
export function readMailToken(ctx: Ctx, token: string): MailLink | null {
  const [, text = '', contact = '', mailing = '', signature = ''] =
    /^((\d{1,15})\.(\d{1,15}))\.([\w-]{43})$/.exec(token) ?? [];
  if (!verifyText(ctx.config.sessionSecret, MAIL, text, signature)) return null;
  return { contact: Number(contact), mailing: Number(mailing) };
}

/** A token that confirms a subscription, good for {@link CONFIRM_DAYS} days. */
export function confirmToken(ctx: Ctx, link: ConfirmLink): string {
  const until = ctx.now().getTime() + CONFIRM_DAYS * DAY;
  const text = Buffer.from(JSON.stringify({ ...link, until })).toString('base64url');
  return `${text}.${signText(ctx.config.sessionSecret, CONFIRM, text)}`;
}

/** What it says; null when it was forged or is too old. */
export function readConfirmToken(ctx: Ctx, token: string): ConfirmLink | null {
  const at = token.lastIndexOf('.');
  const text = token.slice(0, Math.max(at, 0));
  if (!verifyText(ctx.config.sessionSecret, CONFIRM, text, token.slice(at + 1))) return null;
  const { until, list, ...link } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as ConfirmLink & {
    until: number;
    /** Mails that were sent before an update name one. */
    list?: Id;
  };
  if (until < ctx.now().getTime()) return null;
  return list === undefined ? link : { ...link, lists: [list] };
}

/** A signature short enough for addresses and message ids, for one purpose: `open`, `click`, `message`, `bounce`. */
export function shortSignature(secret: string, purpose: string, text: string): string {
  return signText(secret, `mass_mailing.${purpose}`, text).slice(0, 22);
}

/** Whether a short signature is ours. */
export function isShortSignature(secret: string, purpose: string, text: string, signature: string): boolean {
  // Padded to what is compared, so that the comparison is the kernel's own.
  const whole = signText(secret, `mass_mailing.${purpose}`, text);
  return verifyText(secret, `mass_mailing.${purpose}`, text, signature + whole.slice(22)) && signature.length === 22;
}
