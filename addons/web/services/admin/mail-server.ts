import { randomUUID } from 'node:crypto';
import { Conflict, type Ctx, InvalidInput } from 'pergola';
import {
  isEmailAddress,
  MailRefused,
  type MailServer,
  mailServerSetting,
  mailWay,
  openMailTransport,
  releaseMails,
} from 'pergola/mail';
import { t } from '../../texts.ts';

/** The mail server without its password, for its screen. */
export interface ShownMailServer {
  /** Source of the configuration. The environment takes precedence over the settings. */
  readonly source: 'environment' | 'settings' | 'none';
  readonly host: string;
  readonly port: number;
  readonly security: MailServer['security'];
  readonly user: string;
  readonly hasPassword: boolean;
  /** Sender set here; if empty, {@link sender} applies. */
  readonly from: string;
  /** Current sender of emails. */
  readonly sender: string;
}

/** Editable configuration; a null password keeps the stored one. */
export interface MailServerInput extends Omit<MailServer, 'password'> {
  readonly password: string | null;
}

/** Returns the mail server in use. */
export async function shownMailServer(ctx: Ctx): Promise<ShownMailServer> {
  const { source, smtpUrl, mailFrom: sender } = await mailWay(ctx);
  const stored = await ctx.settings.get(mailServerSetting);
  if (source === 'environment' && smtpUrl !== null) {
    const { hostname: host, port, protocol, username, password, searchParams } = new URL(smtpUrl);
    const isTls = protocol === 'smtps:';
    const security = isTls ? 'tls' : searchParams.get('ignoreTLS') === 'true' ? 'none' : 'starttls';
    const user = decodeURIComponent(username);
    return {
      source,
      host,
      port: Number(port) || (isTls ? 465 : 587),
      security,
      user,
      hasPassword: password !== '',
      from: '',
      sender,
    };
  }
  const { host = '', port = 587, security = 'starttls', user = '', password = '', from = '' } = stored ?? {};
  return { source, host, port, security, user, hasPassword: password !== '', from, sender };
}

/**
 * Configures the mail server and sends held emails. Without a host, emails are held in the outbox. The stored password is used only for the
 * server, encryption and account it was entered for.
 *
 * @throws Conflict if it is configured by the environment; InvalidInput for invalid values
 */
export async function changeMailServer(ctx: Ctx, input: MailServerInput): Promise<void> {
  if (ctx.config.smtpUrl !== null)
    throw new Conflict('The mail server is set by the SMTP_URL environment variable. Change it there.', {
      code: 'web.mail_server_fixed',
    });
  if (input.host === '') return ctx.settings.set(mailServerSetting, null);
  const refuse = (field: string, text: string): never => {
    throw new InvalidInput(text, { code: 'web.bad_mail_server', fields: { [field]: text } });
  };
  if (!mailServerSetting.schema.safeParse({ ...input, password: '' }).success)
    refuse('host', t(ctx, 'Enter a valid server name.'));
  if (input.from !== '' && !isEmailAddress(input.from)) refuse('from', t(ctx, 'Enter a valid email address.'));
  const stored = await ctx.settings.get(mailServerSetting);
  const isSame = (['host', 'port', 'security', 'user'] as const).every((name) => stored?.[name] === input[name]);
  if (input.password === null && stored?.password && !isSame)
    refuse(
      'password',
      t(ctx, 'Enter the password again, because the server, its encryption or the account has changed.'),
    );
  await ctx.settings.set(mailServerSetting, { ...input, password: input.password ?? stored?.password ?? '' });
  await ctx.jobs.enqueue(releaseMails, {}, { key: 'now' });
}

/** Connection timeout in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Sends a test email at once, bypassing the outbox. Returns the error, including the server's reply, or null. */
export async function tryMailServer(ctx: Ctx, to: string): Promise<string | null> {
  const mailRoute = await mailWay(ctx);
  const transport = await openMailTransport(mailRoute, { connections: 1, patience: TIMEOUT_MS });
  if (!transport) return t(ctx, 'No mail server is set up yet. Enter its host above and save.');
  const subject = t(ctx, 'Test email');
  const text = t(ctx, 'If you can read this, {site} can send emails.', { site: ctx.config.baseUrl });
  try {
    await transport.send({
      messageId: `<${randomUUID()}@${new URL(ctx.config.baseUrl).hostname}>`,
      to: { email: to },
      subject,
      text,
      html: `<p>${text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`,
    });
    return null;
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    const serverReply = error.message.slice(0, 500);
    const explanation = explainConnectionError(ctx, error.cause);
    return explanation ? `${explanation} (${serverReply})` : serverReply;
  } finally {
    transport.close();
  }
}

/** Explains a connection error for administrators. Returns null for errors reported by the server itself. */
function explainConnectionError(ctx: Ctx, cause: unknown): string | null {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (code === 'EDNS') return t(ctx, 'No server has this name. Check the host.');
  if (code === 'EAUTH' || code === 'ENOAUTH') return t(ctx, 'The server rejected this user and password.');
  if (code === 'ETIMEDOUT') return t(ctx, 'The server isn’t responding. Check the host, port and encryption.');
  if (code === 'ETLS' || /certificate|SSL|TLS/i.test(String(message)))
    return t(ctx, 'Couldn’t establish an encrypted connection. Check the port and encryption.');
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(String(message)))
    return t(ctx, 'Nothing is responding at this host and port. Check both.');
  return null;
}
