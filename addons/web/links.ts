import { User } from '#addons/base';
import { type Ctx, type Id, signText, verifyText } from '#core';

/** What a signed link lets its holder do, once it reached them by mail. */
export type LinkPurpose = 'reset' | 'invite' | 'verify';

/** How long each is good for, in seconds. */
const lifetimes: Readonly<Record<LinkPurpose, number>> = {
  reset: 3600,
  invite: 7 * 24 * 3600,
  verify: 7 * 24 * 3600,
};

/** Who a link was made for. */
export interface LinkOwner {
  readonly id: Id;
  readonly login: string;
  readonly name: string;
  readonly email: string | null;
}

interface Facts extends LinkOwner {
  readonly version: number;
  readonly verified: boolean;
}

/**
 * A token for a link in a mail, `<user>.<purpose>.<end>.<signature>`. Nothing of it is kept: the signature covers what using the link changes
 * (the credential version, the address), so it works once and dies with any change of what it was made for.
 */
export async function makeToken(ctx: Ctx, purpose: LinkPurpose, userId: Id): Promise<string> {
  const facts = await factsOf(ctx, userId);
  if (!facts) throw new TypeError(`There is no active user ${userId}.`);
  const end = Math.floor(ctx.now().getTime() / 1000) + lifetimes[purpose];
  const head = `${userId}.${purpose}.${end}`;
  return `${head}.${signText(ctx.config.sessionSecret, 'web.link', textOf(head, purpose, facts))}`;
}

/** The active user a token was made for; null when it is forged, out of date or used. Anything may be given. */
export async function readToken(ctx: Ctx, token: string, purposes: readonly LinkPurpose[]): Promise<LinkOwner | null> {
  const match = /^(\d{1,15})\.([a-z]+)\.(\d{1,12})\.([\w-]{43})$/.exec(token);
  if (!match) return null;
  const [, id = '', named, end = '', signature] = match;
  const purpose = purposes.find((one) => one === named);
  const facts = purpose ? await factsOf(ctx, Number(id)) : null;
  if (!purpose || !facts) return null;
  const text = textOf(`${id}.${purpose}.${end}`, purpose, facts);
  if (!verifyText(ctx.config.sessionSecret, 'web.link', text, signature)) return null;
  return Number(end) * 1000 > ctx.now().getTime() ? facts : null;
}

function textOf(head: string, purpose: LinkPurpose, { version, email, verified }: Facts): string {
  return JSON.stringify(purpose === 'verify' ? [head, email, verified] : [head, version, email]);
}

async function factsOf(ctx: Ctx, userId: Id): Promise<Facts | null> {
  // Whoever holds the link need not be signed in.
  const user = await ctx
    .sudo()
    .model(User)
    .first(
      [
        ['id', '=', userId],
        ['active', '=', true],
      ],
      { select: { login: true, name: true, email: true, credential_version: true, email_verified: true } },
    );
  if (!user) return null;
  const { id, login, name, email, credential_version, email_verified } = user;
  return { id, login, name: name ?? login, email, version: credential_version ?? 1, verified: email_verified };
}
