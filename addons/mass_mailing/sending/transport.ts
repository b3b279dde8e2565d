import { app, type MailTransport, openMailTransport, service } from '#core';

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
