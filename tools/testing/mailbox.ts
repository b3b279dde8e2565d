import type { Socket } from 'node:net';
import type { Email } from 'postal-mime';
import { LONGEST_MS } from './until.ts';

/** An email as the server received it: its headers, and its actual recipients. */
export interface ReceivedMail extends Email {
  /** envelope sender, where bounces would go */
  readonly envelopeFrom: string;
  readonly envelopeTo: readonly string[];
  /** the whole message as transmitted */
  readonly raw: string;
}

/** A mail server on loopback that keeps all emails. */
export interface Mailbox {
  /** `smtp://127.0.0.1:<port>`, for `SMTP_URL` */
  readonly url: string;
  /** All emails so far, oldest first. */
  received(): readonly ReceivedMail[];
  /**
   * Returns the first current or future email that matches. After `timeout` ms (default two minutes) throws an error that lists the
   * received ones.
   */
  waitFor(matches: (mail: ReceivedMail) => boolean, timeout?: number): Promise<ReceivedMail>;
  /** Deletes all emails. */
  clear(): void;
  /** Rejects every email with this SMTP code from now on (451 try again later, 550 unknown mailbox); null accepts them again. */
  refuse(code: number | null): void;
  /**
   * Replies to each recipient with the result of `answer` from now on (`550 5.1.1 No such user`); null accepts it, `cut` closes the
   * connection.
   */
  refuseRecipients(answer: (email: string) => string | null): void;
  close(): Promise<void>;
}

/** Opens a mail server on a free loopback port that accepts every email without authentication. */
export async function openMailbox(): Promise<Mailbox> {
  const [{ SMTPServer }, { default: PostalMime }] = await Promise.all([import('smtp-server'), import('postal-mime')]);
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const connections = new Set<Socket>();
  let refusal: number | null = null;
  let recipients: (email: string) => string | null = () => null;

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const reply = recipients(address);
      if (reply === 'cut') for (const connection of connections) connection.destroy();
      if (reply === null || reply === 'cut') return done();
      done(Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) }));
    },
    onData(stream, session, done) {
      const take = async (): Promise<void> => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk);
        if (refusal !== null)
          throw Object.assign(new Error('refused at the request of the test'), { responseCode: refusal });
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          ...(await PostalMime.parse(raw)),
          raw: raw.toString('utf8'),
          envelopeFrom: mailFrom ? mailFrom.address : '',
          envelopeTo: rcptTo.map(({ address }) => address),
        });
        for (const look of waiting) look();
      };
      take().then(() => done(), done);
    },
  });
  server.server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  // A client that disconnects midway must not fail the test.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();

  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    received: () => [...mails],
    waitFor: (matches, timeout = LONGEST_MS) => waitFor(mails, waiting, matches, timeout),
    clear: () => void mails.splice(0),
    refuse(code) {
      refusal = code;
    },
    refuseRecipients(answer) {
      recipients = answer;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function waitFor(
  mails: readonly ReceivedMail[],
  waiting: Set<() => void>,
  matches: (mail: ReceivedMail) => boolean,
  timeout: number,
): Promise<ReceivedMail> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      waiting.delete(look);
      act();
    };
    const look = (): void => {
      const match = mails.find(matches);
      if (match !== undefined) settle(() => resolve(match));
    };
    const timer = setTimeout(() => {
      const receivedList = mails.map((mail) => `  "${mail.subject ?? ''}" to ${mail.envelopeTo.join(', ')}`).join('\n');
      settle(() =>
        reject(
          new Error(`No matching email arrived within ${timeout} ms. Received emails:\n${receivedList || '  none'}`),
        ),
      );
    }, timeout);
    waiting.add(look);
    look();
  });
}
