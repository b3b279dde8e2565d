import { createTransport } from 'nodemailer';
import { type Mailbox, openMailbox } from '../mailbox.ts';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await openMailbox();
});
afterEach(() => {
  mailbox.clear();
  mailbox.refuse(null);
});
afterAll(() => mailbox.close());

async function send(subject: string, to = 'zoe@example.org'): Promise<void> {
  const transport = createTransport(mailbox.url);
  await transport.sendMail({ from: 'site@example.org', to, subject, html: '<p>Été</p>', text: 'Été' });
  transport.close();
}

test('A mail is received as it was sent', async () => {
  await send('Élève à Liège');
  const [mail] = mailbox.received();
  expect(mail).toMatchObject({
    subject: 'Élève à Liège',
    envelopeFrom: 'site@example.org',
    envelopeTo: ['zoe@example.org'],
    to: [{ address: 'zoe@example.org' }],
  });
  expect([mail?.text?.trim(), mail?.html?.trim()]).toEqual(['Été', '<p>Été</p>']);
  expect(mail?.raw).toContain('Message-ID:');
});

test('One may wait for a mail that is still to come', async () => {
  const waiting = mailbox.waitFor((mail) => mail.subject === 'second');
  await send('first');
  await send('second');
  expect((await waiting).subject).toBe('second');
});

test('Waiting in vain says which mails did come', async () => {
  await send('first');
  await expect(mailbox.waitFor((mail) => mail.subject === 'other', 50)).rejects.toThrow('"first" to zoe@example.org');
});

test('A mail server can be one that refuses', async () => {
  mailbox.refuse(451);
  await expect(send('refused')).rejects.toThrow('451');
  expect(mailbox.received()).toEqual([]);
});
