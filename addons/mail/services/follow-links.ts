import { type Ctx, type Id, signText, verifyText } from 'pergola';

/** What a link from a mail is about: somebody and a record. */
export interface FollowLink {
  readonly model: string;
  readonly id: Id;
  readonly email: string;
}

/** `follow` begins following, `unfollow` ends it. */
export type LinkPurpose = 'follow' | 'unfollow';

/** How long a link to begin following is good for; one to stop never ends. */
const DAYS = 7;

/** A token that only this site can have made, for one purpose. */
export function makeLink(ctx: Ctx, purpose: LinkPurpose, { model, id, email }: FollowLink): string {
  const until = purpose === 'follow' ? ctx.now().getTime() + DAYS * 86_400_000 : null;
  const text = Buffer.from(JSON.stringify([model, id, email, until])).toString('base64url');
  return `${text}.${signText(ctx.config.sessionSecret, `mail.${purpose}`, text)}`;
}

/** What a token says; null when it was forged, made for another purpose, or is too old. */
export function readLink(ctx: Ctx, purpose: LinkPurpose, token: string): FollowLink | null {
  const at = token.lastIndexOf('.');
  const text = token.slice(0, at);
  if (at < 1 || !verifyText(ctx.config.sessionSecret, `mail.${purpose}`, text, token.slice(at + 1))) return null;
  const said = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [string, Id, string, number | null];
  const [model, id, email, until] = said;
  return until !== null && until < ctx.now().getTime() ? null : { model, id, email };
}
