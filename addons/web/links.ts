import { type Ctx, type Id, signText, verifyText } from 'pergola';

/** What a signed link lets its holder do, once it reached them by mail. */
export type LinkPurpose = 'reset' | 'invite' | 'verify' | 'change';

/** How long each is good for, in seconds. */
const lifetimes: Readonly<Record<LinkPurpose, number>> = {
  reset: 3600,
  invite: 7 * 24 * 3600,
  verify: 7 * 24 * 3600,
  change: 24 * 3600,
};

/** Who a link was made for. */
export interface LinkOwner {
  readonly id: Id;
  readonly login: string;
  readonly name: string;
  readonly lang: string | null;
  readonly email: string | null;
  /** The address they want instead, which has not been confirmed. */
  readonly pending: string | null;
  /** Where mail surely reaches them: the last address that was confirmed, the present one while none ever was. */
  readonly mailbox: string | null;
}

/** The same with what a signature covers. */
export interface LinkFacts extends LinkOwner {
  readonly version: number;
  readonly verified: boolean;
}

/**
 * A token for a link in a mail, `<user>.<purpose>.<end>.<signature>`. Nothing of it is kept: the signature covers what using the link changes
 * (the credential version, the address), so it works once and dies with any change of what it was made for.
 */
export function makeToken(ctx: Ctx, purpose: LinkPurpose, facts: LinkFacts): string {
  const end = Math.floor(ctx.now().getTime() / 1000) + lifetimes[purpose];
  const head = `${facts.id}.${purpose}.${end}`;
  return `${head}.${signText(ctx.config.sessionSecret, 'web.link', textOf(head, purpose, facts))}`;
}

/**
 * The active user a token was made for, asked of `ownerOf`, and what for; null when it is forged, out of date or used. Anything may be given.
 */
export async function readToken(
  ctx: Ctx,
  token: string,
  purposes: readonly LinkPurpose[],
  ownerOf: (id: Id) => Promise<LinkFacts | null>,
): Promise<{ readonly owner: LinkOwner; readonly purpose: LinkPurpose } | null> {
  const match = /^(\d{1,15})\.([a-z]+)\.(\d{1,12})\.([\w-]{43})$/.exec(token);
  if (!match) return null;
  const [, id = '', named, end = '', signature] = match;
  const purpose = purposes.find((one) => one === named);
  const facts = purpose ? await ownerOf(Number(id)) : null;
  if (!purpose || !facts) return null;
  const text = textOf(`${id}.${purpose}.${end}`, purpose, facts);
  if (!verifyText(ctx.config.sessionSecret, 'web.link', text, signature)) return null;
  return Number(end) * 1000 > ctx.now().getTime() ? { owner: facts, purpose } : null;
}

function textOf(head: string, purpose: LinkPurpose, { version, email, verified, pending, mailbox }: LinkFacts): string {
  if (purpose === 'verify') return JSON.stringify([head, email, verified]);
  return JSON.stringify(purpose === 'change' ? [head, version, email, pending] : [head, version, email, mailbox]);
}
