import type { Config } from '@pergola/core';
import type { Transporter } from 'nodemailer';
import { wireAddress } from './address.ts';
import type { Recipient } from './define.ts';
import { type RefusalReason, refusalReason, type ServerAnswer } from './refusal.ts';

/** A complete email to one recipient. */
export interface OutgoingMail {
  /** `<unique@host>`; the same for every attempt, so that a retry is the same email to the recipient's server. */
  readonly messageId: string;
  readonly to: Recipient;
  /** Default: the site's sender. */
  readonly from?: Recipient;
  readonly replyTo?: Recipient;
  /** Address for the recipient's server to report undeliverable email to. Default: the sender. */
  readonly bounceTo?: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly { readonly name: string; readonly mimetype: string; readonly content: Uint8Array }[];
}

/** Connections to the site's mail server that stay open between emails, for bulk senders. */
export interface MailTransport {
  /**
   * Hands one email over; resolves once the server has accepted it. At most `connections` at once, the others wait.
   *
   * @throws MailRefused
   */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** Error for an email that the mail server didn't accept. */
export class MailRefused extends Error {
  /** Reason, see `refusalReason`; `server`: there was no session in which the server could reply. */
  readonly reason: RefusalReason | 'server';
  /** Reply code of the server, such as 550, or null. */
  readonly code: number | null;
  /** Whether the same email may be accepted later. */
  readonly isTemporary: boolean;

  constructor(reason: MailRefused['reason'], code: number | null, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.code = code;
    this.isTemporary = reason === 'server' || reason === 'later' || (code !== null && code < 500);
  }
}

/**
 * Opens a transport to the site's mail server, for mailings; single emails go through `ctx.mail`, which keeps them until they are sent.
 * Null if no mail server is configured. Connects when the first emails are sent; the caller closes it. `patience` is the time limit for the
 * server's replies, in milliseconds.
 */
export async function openMailTransport(
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  options: { connections?: number; patience?: number } = {},
): Promise<MailTransport | null> {
  const { connections = 5, patience } = options;
  return openTransport(config, {
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
    ...(patience ? { connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience } : {}),
  });
}

/** The SMTP library is loaded with the first email: a site that sends none doesn't need it. */
export async function openTransport(
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>,
  pool: object = {},
): Promise<MailTransport | null> {
  if (!config.smtpUrl) return null;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: config.smtpUrl, disableFileAccess: true, disableUrlAccess: true, ...pool });
  return { send: (mail) => hand(transport, config.mailFrom, mail), close: () => transport.close() };
}

async function hand(transport: Transporter, sender: string, mail: OutgoingMail): Promise<void> {
  const { bounceTo, from } = mail;
  try {
    await transport.sendMail({
      messageId: mail.messageId,
      from: from ? party(from) : sender,
      to: party(mail.to),
      ...(bounceTo ? { envelope: { from: wireAddress(bounceTo), to: [wireAddress(mail.to.email)] } } : {}),
      replyTo: mail.replyTo ? party(mail.replyTo) : undefined,
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      headers: mail.headers,
      attachments: mail.attachments?.map(({ name, mimetype, content }) => ({
        filename: name,
        contentType: mimetype,
        content: Buffer.from(content),
      })),
    });
  } catch (error) {
    throw refusal(error);
  }
}

const party = ({ email, name = '' }: Recipient) => ({ address: wireAddress(email), name });

/** Commands of nodemailer's errors, named as in the table of refusals. */
const COMMANDS: Readonly<Record<string, ServerAnswer['command']>> = {
  'MAIL FROM': 'sender',
  'RCPT TO': 'recipient',
  DATA: 'data',
};

function refusal(error: unknown): MailRefused {
  const { responseCode, response, code: kind, command } = (error ?? {}) as Record<string, unknown>;
  const message = Error.isError(error) ? error.message : String(error);
  const code = typeof responseCode === 'number' ? responseCode : null;
  const refusedFor = (reason: MailRefused['reason']) => new MailRefused(reason, code, message, { cause: error });
  // A permanently rejected login needs someone to correct it.
  if (kind === 'EAUTH') return refusedFor(code !== null && code >= 500 ? 'sender' : 'server');
  // A 421 in the middle of a session may concern only this email.
  const isClosed = code === 421 && message.startsWith('Server closed the connection');
  const stage = isClosed ? 'recipient' : COMMANDS[String(command)];
  // No session, or one that ended before the server received the email.
  if (code === null || kind === 'ETLS' || stage === undefined) return refusedFor('server');
  const text = typeof response === 'string' && response !== '' ? response : message;
  return new MailRefused(refusalReason({ text, code, command: stage }), code, text, { cause: error });
}
