import { type Ctx, type Id, signText, verifyText } from '#core';

const PURPOSE = 'forum.digest';

/** A link that ends somebody's digests; it never ends itself. */
export function digestLink(ctx: Ctx, user: Id): string {
  return `/forum/digest/${user}.${signText(ctx.config.sessionSecret, PURPOSE, String(user))}`;
}

/** Whose digests a link ends; null when it was forged. */
export function digestOwner(ctx: Ctx, token: string): Id | null {
  const [, user = '', signature = ''] = /^(\d{1,15})\.([\w-]{20,100})$/.exec(token) ?? [];
  return user !== '' && verifyText(ctx.config.sessionSecret, PURPOSE, user, signature) ? Number(user) : null;
}
