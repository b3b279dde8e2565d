import { type Ctx, type FileRef, type JobRun, service } from 'pergola';
import { keepMail, type MailTransport, mailWay, openMailTransport } from 'pergola/mail';
import { mailConnections } from '../settings.ts';

/** Kind of the mails that are held in the outbox. */
export const HELD_MAIL = 'mass_mailing.mailing';
/** How long a mail server may take to answer, in milliseconds: a slow one keeps a connection from other recipients. */
const PATIENCE = 60_000;

/** The connections mailings go out by: opened with the first mail, closed with the generation. */
export class MailingTransport extends service('mass_mailing.transport', {}) {
  #transport: Promise<MailTransport | null> | null = null;
  /** The server that they lead to, and how many there are. */
  #way = '';

  /** Null where there is no mail server. */
  async open(ctx: Ctx, connections: number): Promise<MailTransport | null> {
    const server = await mailWay(ctx);
    const way = JSON.stringify([server, connections]);
    if (this.#transport === null || this.#way !== way) {
      // A run that still uses the others ends before the next begins to send.
      void this.dispose();
      this.#transport = openMailTransport(server, { connections, patience: PATIENCE });
      this.#way = way;
    }
    return this.#transport;
  }

  async dispose(): Promise<void> {
    (await this.#transport)?.close();
  }
}

/** How a job hands its mails over. */
export interface Transport {
  readonly transport: Pick<MailTransport, 'send'>;
  readonly connections: number;
  /** Whether mails stay in the outbox, as there is no mail server yet. */
  readonly holds: boolean;
}

/** The way to the mail server; without one, mails are held in the outbox until there is one. */
export async function transportFor({ ctx, write }: Pick<JobRun<object>, 'ctx' | 'write'>): Promise<Transport> {
  const connections = await ctx.settings.get(mailConnections);
  const open = await ctx.get(MailingTransport).open(ctx, connections);
  if (open) return { transport: open, connections, holds: false };
  // All mails of a mailing have the same files.
  let files: Promise<readonly FileRef[]> | null = null;
  return {
    connections: 1,
    holds: true,
    transport: {
      async send({ attachments = [], ...mail }) {
        files ??= Promise.all(attachments.map(({ content, ...about }) => ctx.files.put(content, about)));
        const kept = await files;
        await write((writing) => keepMail(writing, HELD_MAIL, mail, kept));
      },
    },
  };
}
