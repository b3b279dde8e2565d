import { type Ctx, type Id, signText, verifyText } from '#core';

/** What a link from a mail is about: somebody and a record. */
export interface FollowLink {
  readonly model: string;
  readonly id: Id;
  readonly email: string;
}

/** `follow` begins following, `unfollow` ends it. */
export type LinkPurpose = 'follow' | 'unfollow';

/** A token that only this site can have made, for one purpose. It does not end: what it allows can be undone by its owner at any time. */
export function makeLink(ctx: Ctx, purpose: LinkPurpose, { model, id, email }: FollowLink): string {
  const text = Buffer.from(JSON.stringify([model, id, email])).toString('base64url');
  return `${text}.${signText(ctx.config.sessionSecret, `mail.${purpose}`, text)}`;
}

/** What a token says; null when it was forged or made for another purpose. */
export function readLink(ctx: Ctx, purpose: LinkPurpose, token: string): FollowLink | null {
  const at = token.lastIndexOf('.');
  const text = token.slice(0, at);
  if (at < 1 || !verifyText(ctx.config.sessionSecret, `mail.${purpose}`, text, token.slice(at + 1))) return null;
  const [model, id, email] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [string, Id, string];
  return { model, id, email };
}
