import { type Ctx, type FileRef, type JobRun, service } from '#core';
import { keepMail, type MailTransport, mailWay, openMailTransport } from '#core/mail';
import { mailConnections } from '../settings.ts';

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
      this.#transport = openMailTransport(server, { connections });
      this.#way = way;
    }
    return this.#transport;
  }

  async dispose(): Promise<void> {
    (await this.#transport)?.close();
  }
}

/** How a job hands its mails over; where there is no mail server they stay in the outbox, to be read and sent later. */
export async function transportFor({ ctx, write }: Pick<JobRun<object>, 'ctx' | 'write'>): Promise<{
  readonly transport: Pick<MailTransport, 'send'>;
  readonly connections: number;
}> {
  const connections = await ctx.settings.get(mailConnections);
  const open = await ctx.get(MailingTransport).open(ctx, connections);
  if (open) return { transport: open, connections };
  // All mails of a mailing have the same files.
  let files: Promise<readonly FileRef[]> | null = null;
  return {
    connections: 1,
    transport: {
      async send({ attachments = [], ...mail }) {
        files ??= Promise.all(attachments.map(({ content, ...about }) => ctx.files.put(content, about)));
        const kept = await files;
        await write((writing) => keepMail(writing, 'mass_mailing.mailing', mail, kept));
      },
    },
  };
}
