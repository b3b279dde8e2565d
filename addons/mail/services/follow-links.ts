import { type Ctx, type Id, signText, verifyText } from 'pergola';

/** Data of a link in an email: an address and a record. */
export interface FollowLink {
  readonly model: string;
  readonly id: Id;
  readonly email: string;
}

/** `follow` adds a follower, `unfollow` removes one. */
export type LinkPurpose = 'follow' | 'unfollow';

/** Days a follow link is valid; unfollow links don't expire. */
const DAYS = 7;

/** Creates a signed token for one purpose. */
export function makeLink(ctx: Ctx, purpose: LinkPurpose, { model, id, email }: FollowLink): string {
  const until = purpose === 'follow' ? ctx.now().getTime() + DAYS * 86_400_000 : null;
  const text = Buffer.from(JSON.stringify([model, id, email, until])).toString('base64url');
  return `${text}.${signText(ctx.config.sessionSecret, `mail.${purpose}`, text)}`;
}

/** Parses a token; null if it is forged, expired, or made for another purpose. */
export function readLink(ctx: Ctx, purpose: LinkPurpose, token: string): FollowLink | null {
  const separator = token.lastIndexOf('.');
  const text = token.slice(0, separator);
  if (separator < 1 || !verifyText(ctx.config.sessionSecret, `mail.${purpose}`, text, token.slice(separator + 1)))
    return null;
  const payload = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [string, Id, string, number | null];
  const [model, id, email, until] = payload;
  return until !== null && until < ctx.now().getTime() ? null : { model, id, email };
}
