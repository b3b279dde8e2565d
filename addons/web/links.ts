import { type Ctx, type Id, signText, verifyText } from 'pergola';

/** Purpose of a signed link sent by email. */
export type LinkPurpose = 'reset' | 'invite' | 'verify' | 'change';

/** Validity in seconds. */
const lifetimes: Readonly<Record<LinkPurpose, number>> = {
  reset: 3600,
  invite: 7 * 24 * 3600,
  verify: 7 * 24 * 3600,
  change: 24 * 3600,
};

/** Account that a link was created for. */
export interface LinkOwner {
  readonly id: Id;
  readonly login: string;
  readonly name: string;
  readonly lang: string | null;
  readonly email: string | null;
  /** New address that the owner has yet to confirm. */
  readonly pending: string | null;
  /** Safe address for emails: the last confirmed one, or the current one if none was ever confirmed. */
  readonly mailbox: string | null;
}

/** Link owner with the data covered by the signature. */
export interface LinkFacts extends LinkOwner {
  readonly version: number;
  readonly verified: boolean;
}

/**
 * Returns a token for a link in an email, `<user>.<purpose>.<end>.<signature>`. It isn't stored: the signature covers the data that using
 * the link changes (credential version, address), so it works only once and becomes invalid when any of this changes.
 */
export function makeToken(ctx: Ctx, purpose: LinkPurpose, facts: LinkFacts): string {
  const end = Math.floor(ctx.now().getTime() / 1000) + lifetimes[purpose];
  const head = `${facts.id}.${purpose}.${end}`;
  return `${head}.${signText(ctx.config.sessionSecret, 'web.link', textOf(head, purpose, facts))}`;
}

/**
 * Returns the active user and the purpose of a token, or null if it is forged, expired or used. Loads the user by `ownerOf`. Accepts any
 * input.
 */
export async function readToken(
  ctx: Ctx,
  token: string,
  purposes: readonly LinkPurpose[],
  ownerOf: (id: Id) => Promise<LinkFacts | null>,
): Promise<{ readonly owner: LinkOwner; readonly purpose: LinkPurpose } | null> {
  const match = /^(\d{1,15})\.([a-z]+)\.(\d{1,12})\.([\w-]{43})$/.exec(token);
  if (!match) return null;
  const [, id = '', purposeName, end = '', signature] = match;
  const purpose = purposes.find((candidate) => candidate === purposeName);
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
