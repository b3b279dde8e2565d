import { type Mailbox, openMailbox } from 'pergola/testing';
import { isEmailAddress, readableAddress, wireAddress } from '../address.ts';
import { MailRefused, openMailTransport } from '../transport.ts';

describe('Addresses', () => {
  it.each([
    ['info@münchen.example', 'info@xn--mnchen-3ya.example'],
    ['info@MÜNCHEN.example', 'info@xn--mnchen-3ya.example'],
    ['info@例え.テスト', 'info@xn--r8jz45g.xn--zckzah'],
    ['info@مثال.example', 'info@xn--mgbh0fb.example'],
    ['a+b@example.org', 'a+b@example.org'],
    ["o'hara@xn--mnchen-3ya.example", "o'hara@xn--mnchen-3ya.example"],
  ])('%s is written as %s', (email, wire) => {
    expect([isEmailAddress(email), wireAddress(email)]).toEqual([true, wire]);
  });

  it.each([
    ['info@xn--mnchen-3ya.example', 'info@münchen.example'],
    ['Info@XN--MNCHEN-3YA.example', 'Info@XN--MNCHEN-3YA.example'],
    ['info@xn--nonsense-.example', 'info@xn--nonsense-.example'],
    ['a+B@Example.org', 'a+B@Example.org'],
    ['nothing', 'nothing'],
    ['', ''],
  ])('%s is read as %s', (email, readable) => {
    expect(readableAddress(email)).toBe(readable);
  });

  it.each([
    'jörg@example.org',
    'a@mün chen.example',
    'a@mün\nchen.example',
    'a@mün%2echen.example',
    'a@-ü-.example.',
    'a@ü..example',
    'a@\u202emünchen.example',
    'a@mün\u200bchen.example',
    'a@b@münchen.example',
    '@münchen.example',
    `a@${'ü'.repeat(64)}.example`,
    'a@münchen.example, b@example.org',
  ])('%j is none', (email) => {
    expect(isEmailAddress(email)).toBe(false);
  });
});

describe('The way to the mail server for mailings', () => {
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
  });
  afterAll(() => mailbox.close());
  afterEach(() => {
    mailbox.clear();
    mailbox.refuse(null);
  });

  const mail = (email: string) => ({
    messageId: '<one@localhost>',
    to: { email, name: 'Ada' },
    from: { email: 'news@example.org', name: 'News' },
    bounceTo: 'bounces+1@example.org',
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
    headers: { Precedence: 'bulk' },
  });
  const config = () => ({ smtpUrl: mailbox.url, mailFrom: 'noreply@example.org' });

  it('hands mails over as they are, many at once', async () => {
    const transport = await openMailTransport(config(), { connections: 3 });
    await Promise.all(Array.from({ length: 20 }, (_, at) => transport?.send(mail(`a${at}@example.org`))));
    transport?.close();
    expect(mailbox.received()).toHaveLength(20);
    expect(mailbox.received()[0]).toMatchObject({
      messageId: '<one@localhost>',
      envelopeFrom: 'bounces+1@example.org',
      from: { address: 'news@example.org', name: 'News' },
      subject: 'Hello',
    });
  });

  it('delivers to international domains', async () => {
    const transport = await openMailTransport(config());
    await transport?.send(mail('info@münchen.example'));
    transport?.close();
    // The server of the tests shows them decoded.
    expect(mailbox.received()[0]?.envelopeTo).toEqual(['info@münchen.example']);
  });

  it.each([
    [451, 'later'],
    [421, 'later'],
    [554, 'content'],
    [550, 'content'],
  ] as const)('says what an answer of %i to a mail means', async (code, reason) => {
    mailbox.refuse(code);
    const transport = await openMailTransport(config());
    const refused = await transport?.send(mail('a@example.org')).catch((error: unknown) => error);
    transport?.close();
    expect(refused).toBeInstanceOf(MailRefused);
    expect(refused).toMatchObject({ reason, code });
  });

  it.each([
    ['550 5.1.1 <a@example.org>: Recipient address rejected: User unknown', 'address', false],
    ['550 5.7.1 Relaying denied', 'sender', false],
    ['450 4.7.1 Greylisted, try again in 5 minutes', 'later', true],
    ['421 4.7.0 Too many messages', 'later', true],
    ['452 4.2.2 Mailbox full', 'full', true],
    ['552 5.2.2 Over quota', 'full', false],
  ] as const)('reads %j to a recipient as %s', async (answer, reason, isTemporary) => {
    mailbox.refuseRecipients(() => answer);
    const transport = await openMailTransport(config());
    const refused = await transport?.send(mail('a@example.org')).catch((error: unknown) => error);
    transport?.close();
    mailbox.refuseRecipients(() => null);
    expect(refused).toMatchObject({ reason, isTemporary, code: Number(answer.slice(0, 3)) });
  });

  it('tells a server that is away from one that refuses', async () => {
    const transport = await openMailTransport({ smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'noreply@example.org' });
    await expect(transport?.send(mail('a@example.org'))).rejects.toMatchObject({ reason: 'server', code: null });
    transport?.close();
  });

  it('is not there where no mail server is configured', async () => {
    expect(await openMailTransport({ smtpUrl: null, mailFrom: 'noreply@example.org' })).toBeNull();
  });
});
