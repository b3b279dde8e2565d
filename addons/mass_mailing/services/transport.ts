import { type Ctx, type FileRef, type JobRun, service } from 'pergola';
import { keepMail, type MailTransport, mailWay, openMailTransport } from 'pergola/mail';
import { mailConnections } from '../settings.ts';

/** Type of the emails held in the outbox. */
export const HELD_MAIL = 'mass_mailing.mailing';
/** Response timeout of a mail server in milliseconds: a slow one blocks a connection for other recipients. */
const PATIENCE = 60_000;

/** Connections for mailings: opened with the first email, closed with the generation. */
export class MailingTransport extends service('mass_mailing.transport', {}) {
  #transport: Promise<MailTransport | null> | null = null;
  /** Server and number of the open connections, as a cache key. */
  #connectionKey = '';

  /** Null without a mail server. */
  async open(ctx: Ctx, connections: number): Promise<MailTransport | null> {
    const server = await mailWay(ctx);
    const connectionKey = JSON.stringify([server, connections]);
    if (this.#transport === null || this.#connectionKey !== connectionKey) {
      // A run still using the old connections ends before the next one starts sending.
      void this.dispose();
      this.#transport = openMailTransport(server, { connections, patience: PATIENCE });
      this.#connectionKey = connectionKey;
    }
    return this.#transport;
  }

  async dispose(): Promise<void> {
    (await this.#transport)?.close();
  }
}

/** Mail transport of a job. */
export interface Transport {
  readonly transport: Pick<MailTransport, 'send'>;
  readonly connections: number;
  /** Whether emails are held in the outbox, because there is no mail server. */
  readonly holds: boolean;
}

/** Returns the transport to the mail server; without a server, emails are held in the outbox until there is one. */
export async function transportFor({ ctx, write }: Pick<JobRun<object>, 'ctx' | 'write'>): Promise<Transport> {
  const connections = await ctx.settings.get(mailConnections);
  const open = await ctx.get(MailingTransport).open(ctx, connections);
  if (open) return { transport: open, connections, holds: false };
  // All emails of a mailing have the same attachments.
  let files: Promise<readonly FileRef[]> | null = null;
  return {
    connections: 1,
    holds: true,
    transport: {
      async send({ attachments = [], ...mail }) {
        files ??= Promise.all(attachments.map(({ content, ...metadata }) => ctx.files.put(content, metadata)));
        const storedFiles = await files;
        await write((writing) => keepMail(writing, HELD_MAIL, mail, storedFiles));
      },
    },
  };
}
