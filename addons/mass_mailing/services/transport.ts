import { app, type FileRef, type JobRun, service } from '#core';
import { keepMail, type MailTransport, openMailTransport } from '#core/mail';
import { mailConnections } from '../settings.ts';

/** The connections mailings go out by: opened with the first mail, closed with the generation. */
export class MailingTransport extends service('mass_mailing.transport', { config: app.config }) {
  #transport: Promise<MailTransport | null> | null = null;
  #connections = 0;

  /** Null where there is no mail server. */
  async open(connections: number): Promise<MailTransport | null> {
    if (this.#transport === null || this.#connections !== connections) {
      // A run that still uses the others ends before the next begins to send.
      void this.dispose();
      this.#transport = openMailTransport(this.config, { connections });
      this.#connections = connections;
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
  const open = await ctx.get(MailingTransport).open(connections);
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
