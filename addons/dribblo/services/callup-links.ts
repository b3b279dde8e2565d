import { type Ctx, type Id, signText, verifyText } from 'pergola';

/** Who may answer for whom: a line of a call-up, and the contact the mail went to. */
export interface CallUpLink {
  readonly line: Id;
  readonly partner: Id;
}

const PURPOSE = 'dribblo.callup';

/** A token for the link in a mail, which only this site can have made. It is good until the match begins, and for changing one's mind too. */
export function callUpToken(ctx: Ctx, { line, partner }: CallUpLink): string {
  const text = `${line}.${partner}`;
  return `${text}.${signText(ctx.config.sessionSecret, PURPOSE, text)}`;
}

/** The link behind a token; null for one that was forged. */
export function readCallUpToken(ctx: Ctx, token: string): CallUpLink | null {
  const [, line = '', partner = '', signature] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{20,100})$/.exec(token) ?? [];
  if (!signature || !verifyText(ctx.config.sessionSecret, PURPOSE, `${line}.${partner}`, signature)) return null;
  return { line: Number(line), partner: Number(partner) };
}
