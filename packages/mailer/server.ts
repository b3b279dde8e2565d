import type { Config, Ctx } from '@pergola/core';
import { setting } from '@pergola/settings';
import { z } from 'zod';

/** A mail server configured by administrators. */
const server = z.object({
  host: z.string().regex(/^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/),
  port: z.number().int().min(1).max(65_535),
  /** `starttls`: starts unencrypted and continues only after encryption; `tls`: encrypted from the first byte; `none`: unencrypted. */
  security: z.enum(['starttls', 'tls', 'none']),
  user: z.string().max(320),
  password: z.string().max(500),
  /** Sender address; empty: the one from the configuration. */
  from: z.string().max(320),
});
/** The mail server configured by administrators. */
export type MailServer = z.infer<typeof server>;

/** Stored like a setting, but edited on a separate screen, which shows everything except the password. */
export const mailServerSetting = setting<MailServer | null>('core.mail_server', server.nullable(), null, {
  label: 'Mail server',
  secret: true,
});

/** Delivery route for email: the environment's server, or else the one configured by administrators, or else none (`smtpUrl` is null). */
export interface MailWay extends Pick<Config, 'smtpUrl' | 'mailFrom'> {
  readonly source: 'environment' | 'settings' | 'none';
}

/** Current delivery route. */
export async function mailWay(ctx: Ctx): Promise<MailWay> {
  const { smtpUrl, mailFrom } = ctx.config;
  if (smtpUrl !== null) return { smtpUrl, mailFrom, source: 'environment' };
  const server = await ctx.settings.get(mailServerSetting);
  if (!server) return { smtpUrl: null, mailFrom, source: 'none' };
  return { smtpUrl: urlOf(server), mailFrom: server.from || mailFrom, source: 'settings' };
}

/** Whether emails are held for lack of a mail server. */
export async function holdsMails(ctx: Ctx): Promise<boolean> {
  return (await mailWay(ctx)).smtpUrl === null;
}

/** URL of a server including credentials, in the environment's format. */
function urlOf({ host, port, security, user, password }: MailServer): string {
  const account = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : '';
  const query = { starttls: '?requireTLS=true', tls: '', none: '?ignoreTLS=true' }[security];
  return `${security === 'tls' ? 'smtps' : 'smtp'}://${account}${host}:${port}/${query}`;
}
