import { kernel, type MailTransport, openMailTransport, service } from '#core';

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
