import type { Config, Ctx } from '@pergola/core';
import { setting } from '@pergola/settings';
import { z } from 'zod';

/** A mail server as administrators set it. */
const server = z.object({
  host: z.string().regex(/^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/),
  port: z.number().int().min(1).max(65_535),
  /** `starttls`: begins in clear and goes on only once it is encrypted; `tls`: encrypted from the first byte; `none`: in clear. */
  security: z.enum(['starttls', 'tls', 'none']),
  user: z.string().max(320),
  password: z.string().max(500),
  /** Sender of mails; empty: that of the configuration. */
  from: z.string().max(320),
});
/** The mail server that administrators set. */
export type MailServer = z.infer<typeof server>;

/** Kept like a setting and changed on a screen of its own, which shows all of it but the password. */
export const mailServerSetting = setting<MailServer | null>('core.mail_server', server.nullable(), null, {
  label: 'Mail server',
  secret: true,
});

/** How mails leave: the environment's server, else the one administrators set, else none (`smtpUrl` is null). */
export interface MailWay extends Pick<Config, 'smtpUrl' | 'mailFrom'> {
  readonly source: 'environment' | 'settings' | 'none';
}

/** How mails leave just now. */
export async function mailWay(ctx: Ctx): Promise<MailWay> {
  const { smtpUrl, mailFrom } = ctx.config;
  if (smtpUrl !== null) return { smtpUrl, mailFrom, source: 'environment' };
  const own = await ctx.settings.get(mailServerSetting);
  if (!own) return { smtpUrl: null, mailFrom, source: 'none' };
  return { smtpUrl: urlOf(own), mailFrom: own.from || mailFrom, source: 'settings' };
}

/** Whether emails are held for lack of a mail server. */
export async function holdsMails(ctx: Ctx): Promise<boolean> {
  return (await mailWay(ctx)).smtpUrl === null;
}

/** A server as an address with everything in it, as the environment gives it. */
function urlOf({ host, port, security, user, password }: MailServer): string {
  const account = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : '';
  const query = { starttls: '?requireTLS=true', tls: '', none: '?ignoreTLS=true' }[security];
  return `${security === 'tls' ? 'smtps' : 'smtp'}://${account}${host}:${port}/${query}`;
}
