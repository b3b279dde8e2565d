import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listOutbox } from '@pergola/web';
import {
  createTestApp,
  type Mailbox,
  openMailbox,
  type ReceivedMail,
  someDatabase,
  type TestApp,
} from 'pergola/testing';
import { confirmSubscription } from '../mails.ts';
import { Contact } from '../models/contact.ts';
import { Exclusion } from '../models/exclusion.ts';
import { BounceMailbox } from '../models/mailbox.ts';
import { Mailing } from '../models/mailing.ts';
import { bounceAddress } from '../settings.ts';
import { addresses, makeList, makeMailing, sendAll } from './kit.ts';

/** A report as Postfix writes them. */
function report(
  mail: Pick<ReceivedMail, 'messageId'>,
  about: { to?: string; action?: string; status?: string; said?: string } = {},
): string {
  const { to = 'noreply@localhost', action = 'failed', status = '5.1.1', said = '550 5.1.1 no such user' } = about;
  return [
    'Return-Path: <>',
    `To: ${to}`,
    'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    'Final-Recipient: rfc822; somebody@example',
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${said}`,
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${mail.messageId}`,
    '--b--',
    '',
  ].join('\r\n');
}

/** Feedback of a reader who marked a mail as spam; it quotes the headers alone. */
function complaint(mail: Pick<ReceivedMail, 'messageId'>): string {
  return [
    'From: feedback@provider.example',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: Example/1.0',
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${mail.messageId}`,
    '--b--',
    '',
  ].join('\r\n');
}

someDatabase('Mails that come back', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  let folder: string;
  beforeAll(async () => {
    mailbox = await openMailbox();
    folder = await mkdtemp(path.join(tmpdir(), 'bounces-'));
    app = await createTestApp({ addons: ['mass_mailing'], database, env: { SMTP_URL: mailbox.url } });
    await app.write((ctx) => ctx.settings.set(bounceAddress, 'bounces@example.org'));
  });
  afterAll(async () => {
    await app.close();
    await mailbox.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => mailbox.clear());

  let lists = 0;
  /** A mailing to these, sent. */
  const sent = async (emails: readonly string[]) => {
    const mailing = await makeMailing(app, [await makeList(app, `List ${++lists}`, emails)]);
    await sendAll(app, mailing);
    const mails = new Map(mailbox.received().map((mail) => [mail.envelopeTo[0], mail]));
    return { mailing, mail: (email: string) => mails.get(email) ?? fail(email) };
  };
  const fail = (email: string): never => {
    throw new Error(`No mail to ${email}.`);
  };
  const read = async (values: object): Promise<number> => {
    const id = await app.write((ctx) => ctx.model(BounceMailbox).create({ name: 'Bounces', ...values }));
    await again(id);
    return id;
  };
  const again = async (id: number): Promise<void> => {
    await app.write((ctx) => ctx.model(BounceMailbox).read_now([id]));
    await app.runJobs();
  };
  const boxOf = (id: number) =>
    app.read((ctx) => ctx.model(BounceMailbox).get(id, { select: { found: true, last_error: true, last_read: true } }));
  const figures = (id: number) =>
    app.read((ctx) => ctx.model(Mailing).get(id, { select: { bounced: true, delivered: true, sent: true } }));
  const excluded = async () =>
    (await app.read((ctx) => ctx.model(Exclusion).find([], { select: { email: true } }))).map(({ email }) => email);

  it('are found in a file that mails are appended to, each once', async () => {
    const { mailing, mail } = await sent(['a@bad.example', 'b@bad.example', 'c@bad.example']);
    const file = path.join(folder, 'mbox');
    const entry = (text: string) => `From MAILER-DAEMON Sat Nov 21 10:00:00 2026\n${text.replaceAll('\r\n', '\n')}\n`;
    const own = mail('a@bad.example');
    expect(own.envelopeFrom).toMatch(/^bounces\+\d+-[\w-]{22}@example\.org$/);
    const forged = {
      messageId: (mail('c@bad.example').messageId ?? '').replace(/\.[\w-]{22}@/, `.${'x'.repeat(22)}@`),
    };
    await writeFile(file, entry(report({ messageId: '<x@y>' }, { to: own.envelopeFrom })) + entry(report(forged)));
    const box = await read({ kind: 'mbox', path: file });
    expect(await boxOf(box)).toMatchObject({ found: 1, last_error: null, last_read: expect.any(Date) });
    await appendFile(
      file,
      entry(report(mail('b@bad.example'), { status: '5.7.1', said: '550 5.7.1 Rejected by policy' })) +
        entry(report(own)),
    );
    await again(box);
    await again(box);
    expect(await boxOf(box)).toMatchObject({ found: 2 });
    expect(await figures(mailing)).toEqual(expect.objectContaining({ bounced: 2, delivered: 0, sent: 3 }));
    // Who is refused for a rule of the server may be written to again; who does not exist may not.
    const refused = await excluded();
    expect(['a@bad.example', 'b@bad.example', 'c@bad.example'].filter((email) => refused.includes(email))).toEqual([
      'a@bad.example',
    ]);
    const next = await makeMailing(app, [await makeList(app, 'Again', ['a@bad.example', 'b@bad.example'])]);
    mailbox.clear();
    await sendAll(app, next);
    expect(addresses(mailbox.received())).toEqual(['b@bad.example']);
    const login = (length: number) =>
      app.write((ctx) => ctx.model(BounceMailbox).write(box, { login: 'a'.repeat(length) }));
    await login(254);
    await expect(login(255)).rejects.toMatchObject({ fields: { login: expect.any(String) } });
    await app.write((ctx) => ctx.model(BounceMailbox).unlink(box));
  });

  it('are found in a folder with a file for each mail', async () => {
    const { mailing, mail } = await sent(['d@bad.example', 'e@bad.example']);
    const maildir = path.join(folder, 'maildir');
    for (const part of ['new', 'cur', 'tmp']) await mkdir(path.join(maildir, part), { recursive: true });
    await writeFile(path.join(maildir, 'new', '1.a'), report(mail('d@bad.example')));
    await writeFile(path.join(maildir, 'new', '2.b'), 'Subject: hello\r\n\r\nnothing');
    const box = await read({ kind: 'maildir', path: maildir });
    expect(await readdir(path.join(maildir, 'new'))).toEqual([]);
    expect((await readdir(path.join(maildir, 'cur'))).sort()).toEqual(['1.a:2,S', '2.b:2,S']);
    expect(await figures(mailing)).toMatchObject({ bounced: 1, sent: 2 });
    expect(
      await app.read((ctx) =>
        ctx.model(Contact).first([['email', '=', 'd@bad.example']], { select: { message_bounce: true } }),
      ),
    ).toMatchObject({ message_bounce: 1 });
    await app.write((ctx) => ctx.model(BounceMailbox).unlink(box));
  });

  it('of single emails show in the outbox', async () => {
    await app.write((ctx) =>
      ctx.mail.send(confirmSubscription, {
        to: { email: 'single@bad.example' },
        values: { lists: 'News', path: '/' },
      }),
    );
    await app.runJobs();
    const mail = await mailbox.waitFor(({ envelopeTo }) => envelopeTo[0] === 'single@bad.example');
    const file = path.join(folder, 'single');
    const entry = (text: string) => `From MAILER-DAEMON Sat Nov 21 10:00:00 2026\n${text.replaceAll('\r\n', '\n')}\n`;
    const states = () =>
      app.read(async (ctx) => {
        const { mails } = await listOutbox(ctx, { search: 'single@bad.example' });
        return mails.map(({ state, error }) => [state, error]);
      });
    const guessed = { messageId: `<${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}@localhost>` };
    await writeFile(file, entry(report(guessed)) + entry(report(mail, { action: 'delayed', status: '4.4.1' })));
    const box = await read({ kind: 'mbox', path: file });
    expect(await states()).toEqual([['sent', null]]);
    await appendFile(file, entry(report(mail, { action: 'delivered', status: '2.1.5' })));
    await again(box);
    expect(await states()).toEqual([['delivered', null]]);
    await appendFile(file, entry(report(mail)));
    await again(box);
    expect(await states()).toEqual([['bounced', expect.stringContaining('no such user')]]);
    await appendFile(file, entry(report(mail, { action: 'delivered', status: '2.1.5' })));
    await again(box);
    expect(await states()).toEqual([['bounced', expect.stringContaining('no such user')]]);
    expect(await boxOf(box)).toMatchObject({ found: 2 });
    await app.write((ctx) => ctx.model(BounceMailbox).unlink(box));
  });

  it('are found in a mailbox of a server, which keeps its mails as they are', async () => {
    const { mailing, mail } = await sent(['f@bad.example']);
    const server = await startImap([report(mail('f@bad.example'))]);
    const box = await read({
      kind: 'imap',
      host: '127.0.0.1',
      port: server.port,
      secure: false,
      login: 'me',
      password: 'secret',
    });
    expect(await boxOf(box)).toMatchObject({ last_error: null, found: 1 });
    await again(box);
    expect(await boxOf(box)).toMatchObject({ last_error: null, found: 1 });
    expect(await figures(mailing)).toMatchObject({ bounced: 1 });
    expect(server.commands().filter((line) => /STORE|EXPUNGE|DELETE/i.test(line))).toEqual([]);
    expect(server.commands().join('\n')).toContain('secret');
    const access = () =>
      app.read((ctx) =>
        ctx.model(BounceMailbox).get(box, { select: { password: true, has_password: true, stored_password: true } }),
      );
    expect(await access()).toMatchObject({
      password: null,
      has_password: true,
      stored_password: 'secret',
    });
    const column = await app.read((ctx) =>
      ctx.db('mail_mass_mailing_mailbox').where({ id: box }).first('stored_password'),
    );
    expect(column?.stored_password).toMatch(/^sealed:(?!.*secret)/);
    await app.write((ctx) => ctx.model(BounceMailbox).write(box, { name: 'Renamed', port: server.port, password: '' }));
    expect(await access()).toMatchObject({ has_password: true });
    for (const [field, value] of Object.entries({ host: 'localhost', port: 1, secure: true, login: 'you' })) {
      await app.write((ctx) =>
        ctx
          .model(BounceMailbox)
          .write(box, { host: '127.0.0.1', port: server.port, secure: false, login: 'me', password: 'secret' }),
      );
      expect(await access()).toMatchObject({ has_password: true });
      await app.write((ctx) => ctx.model(BounceMailbox).write(box, { [field]: value }));
      expect(await access()).toMatchObject({ has_password: false, stored_password: null });
    }
    await app.write((ctx) =>
      ctx
        .model(BounceMailbox)
        .write(box, { host: '127.0.0.1', port: server.port, secure: false, login: 'me', password: 'secret' }),
    );
    await server.close();
    await again(box);
    expect((await boxOf(box)).last_error).toMatch(/ECONNREFUSED|connect/i);
    await app.write((ctx) => ctx.model(BounceMailbox).unlink(box));
  });

  it('count until a mail is accepted, and exclude complaints', async () => {
    const { mail } = await sent(['g@bad.example', 'h@bad.example']);
    const count = () =>
      app.read(
        async (ctx) =>
          (await ctx.model(Contact).first([['email', '=', 'g@bad.example']], { select: { message_bounce: true } }))
            ?.message_bounce,
      );
    const file = path.join(folder, 'complaints');
    const entry = (text: string) => `From MAILER-DAEMON Sat Nov 21 10:00:00 2026\n${text.replaceAll('\r\n', '\n')}\n`;
    const full = report(mail('g@bad.example'), { status: '5.2.2', said: '552 5.2.2 Mailbox full' });
    await writeFile(file, entry(full) + entry(complaint(mail('h@bad.example'))));
    const box = await read({ kind: 'mbox', path: file });
    expect(await count()).toBe(1);
    expect(await excluded()).toContain('h@bad.example');
    expect(await excluded()).not.toContain('g@bad.example');
    const next = await sent(['g@bad.example']);
    expect(await count()).toBe(0);
    await appendFile(
      file,
      entry(report(next.mail('g@bad.example'), { action: 'delivered', status: '2.0.0', said: '250 ok' })),
    );
    await again(box);
    expect(await figures(next.mailing)).toMatchObject({ sent: 1, delivered: 1, bounced: 0 });
    await app.write((ctx) => ctx.model(BounceMailbox).unlink(box));
  });

  it('tells of a mailbox that is not there', async () => {
    const box = await read({ kind: 'mbox', path: '/no/such/file' });
    expect((await boxOf(box)).last_error).toContain('ENOENT');
    await app.write((ctx) => ctx.model(BounceMailbox).unlink(box));
  });
});

/** As much of an IMAP server as a reader needs. */
async function startImap(
  mails: readonly string[],
): Promise<{ port: number; commands(): string[]; close(): Promise<void> }> {
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        commands.push(line);
        socket.write(answer(line, mails));
        if (/ LOGOUT/i.test(line)) socket.end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    commands: () => commands,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function answer(line: string, mails: readonly string[]): string {
  const [tag = '', ...words] = line.split(' ');
  const command = words.join(' ').toUpperCase();
  const lines: string[] = [];
  if (command.startsWith('CAPABILITY')) lines.push('* CAPABILITY IMAP4rev1');
  if (command.startsWith('NAMESPACE')) lines.push('* NAMESPACE (("" "/")) NIL NIL');
  if (command.startsWith('LIST') || command.startsWith('LSUB')) lines.push(`* ${command.slice(0, 4)} () "/" "INBOX"`);
  if (command.startsWith('EXAMINE') || command.startsWith('SELECT')) {
    lines.push(
      `* ${mails.length} EXISTS`,
      '* 0 RECENT',
      '* FLAGS ()',
      '* OK [UIDVALIDITY 7] ok',
      `* OK [UIDNEXT ${mails.length + 1}] ok`,
    );
  }
  if (command.startsWith('UID SEARCH')) lines.push(`* SEARCH ${mails.map((_, at) => at + 1).join(' ')}`);
  if (command.startsWith('UID FETCH')) {
    mails.forEach((mail, at) => {
      lines.push(`* ${at + 1} FETCH (UID ${at + 1} BODY[]<0> {${Buffer.byteLength(mail)}}\r\n${mail})`);
    });
  }
  if (command.startsWith('LOGOUT')) lines.push('* BYE');
  return `${[...lines, `${tag} OK done`].join('\r\n')}\r\n`;
}
