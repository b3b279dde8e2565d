import { type FileRef, type JobRun, keepMail, kernel, type MailTransport, openMailTransport, service } from '#core';
import { mailConnections } from '../settings.ts';

/** The connections mailings go out by: opened with the first mail, closed with the generation. Null where there is no mail server. */
export interface MailingTransport {
  open(connections: number): Promise<MailTransport | null>;
}

export const mailingTransport = service('mass_mailing.transport', {
  deps: { config: kernel.config },
  make: ({ config }) => {
    const made = { transport: null as Promise<MailTransport | null> | null, connections: 0 };
    const close = async (): Promise<void> => (await made.transport)?.close();
    return {
      async open(connections: number) {
        if (made.transport === null || made.connections !== connections) {
          // A run that still uses the others ends before the next begins to send.
          void close();
          made.transport = openMailTransport(config, { connections });
          made.connections = connections;
        }
        return made.transport;
      },
      close,
    } satisfies MailingTransport & { close(): Promise<void> };
  },
  dispose: ({ close }) => close(),
});

/** How a job hands its mails over; where there is no mail server they stay in the outbox, to be read and sent later. */
export async function transportFor({ ctx, write }: Pick<JobRun<object>, 'ctx' | 'write'>): Promise<{
  readonly transport: Pick<MailTransport, 'send'>;
  readonly connections: number;
}> {
  const connections = await ctx.settings.get(mailConnections);
  const open = await ctx.service(mailingTransport).open(connections);
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
