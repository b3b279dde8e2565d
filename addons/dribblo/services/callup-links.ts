import { type Ctx, type Id, signText, verifyText } from 'pergola';

/** A call-up line, and the contact who can answer it. */
export interface CallUpLink {
  readonly line: Id;
  readonly partner: Id;
}

const PURPOSE = 'dribblo.callup';

/** Signed token for the link in an email. It is valid until kick-off, and can be used to change the answer. */
export function callUpToken(ctx: Ctx, { line, partner }: CallUpLink): string {
  const text = `${line}.${partner}`;
  return `${text}.${signText(ctx.config.sessionSecret, PURPOSE, text)}`;
}

/** Returns the link data of a token; null if the signature is invalid. */
export function readCallUpToken(ctx: Ctx, token: string): CallUpLink | null {
  const [, line = '', partner = '', signature] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{20,100})$/.exec(token) ?? [];
  if (!signature || !verifyText(ctx.config.sessionSecret, PURPOSE, `${line}.${partner}`, signature)) return null;
  return { line: Number(line), partner: Number(partner) };
}
