import { cpuTime } from 'pergola/testing';
import * as reports from '../services/bounces/parse-report.ts';

/** Reads a mail as it comes from a mailbox: a character for each byte. */
const parseBounce = (raw: string) => reports.parseBounce(Buffer.from(raw).toString('latin1'));

const signature = 'a'.repeat(22);
const messageId = `<mm.12.${signature}@localhost>`;
const bounces = `bounces+12-${signature}@example.org`;

/** A report in the standard format (RFC 3464). */
function standard(about: { head?: string[]; fields?: string[]; words?: string[]; quoted?: string } = {}): string {
  const { head = [], fields = [], words = [], quoted = messageId } = about;
  return [
    'From: MAILER-DAEMON@mx.example',
    'Return-Path: <>',
    ...head,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...words,
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    'Final-Recipient: rfc822; ada@example.com',
    ...fields,
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${quoted}`,
    '--b--',
  ].join('\r\n');
}

/** A report in words alone. */
const plain = (...words: string[]): string =>
  [
    'From: Mail Delivery System <MAILER-DAEMON@mx.example>',
    'Subject: Undelivered mail',
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...words,
    '',
    '--- Below this line is a copy of the message.',
    '',
    'Subject: News of spam filters, blocked senders and full mailboxes',
    `Message-ID: ${messageId}`,
  ].join('\n');

const failed = (status: string, diagnosis?: string): string =>
  standard({
    fields: ['Action: failed', `Status: ${status}`, ...(diagnosis ? [`Diagnostic-Code: smtp; ${diagnosis}`] : [])],
  });

describe('A report about a mail', () => {
  it.each([
    ['of a missing mailbox', failed('5.1.1', '550 5.1.1 no such user'), 'address'],
    ['without a diagnosis', failed('5.1.1'), 'address'],
    [
      'whose diagnosis is clearer than its status',
      failed('5.0.0', '550 5.1.1 <ada@example.com>... User unknown'),
      'address',
    ],
    ['whose diagnosis contradicts its status', failed('5.1.1', '550 5.1.1 Account over quota'), 'full'],
    ['of an unknown sender domain', failed('5.1.8', '553 5.1.8 Domain of sender address does not exist'), 'sender'],
    [
      'of a failed check of ours',
      failed('5.7.26', '550-5.7.26 Unauthenticated email is not accepted: DMARC policy'),
      'sender',
    ],
    ['of a large mail', failed('5.3.4', '552 5.3.4 Message too large'), 'content'],
    ['of a server that gave up', failed('4.4.7', '421 4.4.7 Delivery time expired'), 'later'],
    [
      'whose diagnosis goes over lines',
      failed('5.0.0', '550 5.1.1\r\n  The account that you tried to reach does\r\n  not exist'),
      'address',
    ],
    [
      'in French',
      standard({
        words: ['Le message n’a pas été remis.'],
        fields: ['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 550 Adresse du destinataire inconnue'],
      }),
      'address',
    ],
    [
      'of Yahoo, without codes',
      plain(
        'Sorry, we were unable to deliver your message to the following address.',
        '',
        '<ada@example.com>:',
        "This user doesn't have an example.com account",
      ),
      'address',
    ],
    [
      'of Exim, over lines',
      plain(
        'A message that you sent could not be delivered.',
        '  ada@example.com',
        '    SMTP error from remote mail server after RCPT TO:<ada@example.com>:',
        '    host mx.example.com [192.0.2.1]: 550 Unknown user',
      ),
      'address',
    ],
    [
      'of Exim, about the sender',
      plain(
        '  ada@example.com',
        '    SMTP error from remote mail server after MAIL FROM:<news@example.org>:',
        '    host mx.example.com: 550 Unknown user',
      ),
      'sender',
    ],
    [
      'of Postfix, whose answer goes over lines',
      plain(
        '<ada@example.com>: host mx.example.com[192.0.2.1] said: 550 5.4.1 Recipient address',
        '    rejected: Access denied (in reply to RCPT TO command)',
      ),
      'address',
    ],
    [
      'by its type alone, in French',
      failed('5.0.0')
        .replace('From: MAILER-DAEMON@mx.example', 'From: annuaire@example.fr')
        .replace('Action: failed\r\nStatus: 5.0.0\r\n', '')
        .replace(
          'Content-Type: text/plain; charset=utf-8\r\n\r\n',
          'Content-Type: text/plain; charset=utf-8\r\n\r\nL’adresse ci-dessus n’existe pas.\r\n',
        ),
      'address',
    ],
    [
      'that gives no reason',
      plain('Delivery to the following recipient failed permanently:', '', '     ada@example.com'),
      'content',
    ],
    ['in Russian', plain('Ваше письмо не доставлено:', 'ada@example.com: пользователь не найден'), 'address'],
    ['of a full mailbox, in words', plain('<ada@example.com>: mailbox is full'), 'full'],
    [
      'of Amazon SES',
      `From: no-reply@sns.example\nTo: ${bounces}\n\n${JSON.stringify({ Type: 'Notification', Message: JSON.stringify({ notificationType: 'Bounce', bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }] }, mail: { source: bounces } }) })}`,
      'address',
    ],
    [
      'of Amazon SES, without an answer',
      `From: no-reply@sns.example\n\n${JSON.stringify({ notificationType: 'Bounce', bounce: { bounceType: 'Transient', bounceSubType: 'MailboxFull' }, mail: { source: bounces } })}`,
      'full',
    ],
    [
      'whose parts lack their boundary',
      failed('5.1.1', '550 5.1.1 no such user').replaceAll('\r\n--b', '\r\n--c'),
      'address',
    ],
    ['with nothing but line ends', `${failed('5.1.1')}${'\n'.repeat(200_000)}`, 'address'],
  ])('%s', async (_name, raw, reason) => {
    const spent = await cpuTime(async () =>
      expect(await parseBounce(raw)).toMatchObject({ id: 12, signature, kind: 'failed', reason }),
    );
    expect(spent).toBeLessThan(2_000);
  });

  it.each([
    ['To before Subject', [`To: ${bounces}`, 'Subject: =?UTF-8?B?0JLQsNGI?=']],
    ['To after an encoded Subject', ['Subject: =?UTF-8?Q?Nicht_zustellbar?=', `To: ${bounces}`]],
    [
      'To after an encoded Subject that is folded',
      ['Subject: =?UTF-8?Q?Nicht?=', ' =?UTF-8?Q?zustellbar?=', `To: ${bounces}`],
    ],
    ['a folded To', ['Subject: =?ISO-2022-JP?B?GyRCJD8bKEI=?=', 'To: "Bounces of the newsletter"', `  <${bounces}>`]],
    ['another header', [`X-Original-To: ${bounces}`]],
  ])('is found by the address it came to: %s', async (_name, head) => {
    const raw = standard({ head, fields: ['Action: failed', 'Status: 5.1.1'], quoted: '<other@example.org>' });
    expect(await parseBounce(raw)).toMatchObject({ id: 12, signature, reason: 'address' });
  });

  it('says that something failed, or is none', async () => {
    expect(await parseBounce(plain('We have got your mail.'))).toMatchObject({ kind: 'failed' });
    expect(await parseBounce(plain('We have got your mail.').replace('Undelivered mail', 'Your message'))).toBeNull();
  });

  it('is found by a Message-ID in quoted-printable', async () => {
    const raw = failed('5.1.1')
      .replace(
        'Content-Type: text/rfc822-headers',
        'Content-Type: text/rfc822-headers\r\nContent-Transfer-Encoding: quoted-printable',
      )
      .replace(signature, `${'a'.repeat(9)}=\r\n${'a'.repeat(13)}`);
    expect(await parseBounce(raw)).toMatchObject({ id: 12, signature });
  });

  it.each([
    ['that a server still tries', standard({ fields: ['Action: delayed', 'Status: 4.4.1'] }), 'delayed'],
    ['that a mail was delivered', standard({ fields: ['Action: delivered', 'Status: 2.1.5'] }), 'delivered'],
    [
      'of Outlook.com that it is spam',
      `From: staff@hotmail.example\nContent-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: message/rfc822\n\nX-HmXmrOriginalRecipient: ada@example.com\nMessage-ID: ${messageId}\n\nHello\n--b--`,
      'complaint',
    ],
    [
      'of Amazon SES that it is spam',
      `From: no-reply@sns.example\n\n${JSON.stringify({ notificationType: 'Complaint', complaint: {}, mail: { source: bounces } })}`,
      'complaint',
    ],
  ])('says %s', async (_name, raw, kind) => {
    expect(await parseBounce(raw)).toMatchObject({ id: 12, kind, reason: null });
  });

  it.each([
    ['about another mail', standard({ fields: ['Action: failed', 'Status: 5.1.1'], quoted: '<x@y>' })],
    [
      'that is a vacation note',
      `From: ada@example.org\r\nReturn-Path: <>\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\nIn-Reply-To: ${messageId}\r\n\r\nI am away. 5.1.1 user unknown`,
    ],
    [
      'that is an answer which quotes a mail',
      `From: ada@example.org\r\nSubject: Re: News\r\n\r\nMailbox full? 550 5.1.1\r\n> Message-ID: ${messageId}`,
    ],
    [
      'of a failed check of authenticity',
      `From: x@example.org\nContent-Type: multipart/report; report-type=feedback-report; boundary="b"\n\n--b\nContent-Type: message/feedback-report\n\nFeedback-Type: auth-failure\n\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${messageId}\n--b--`,
    ],
    ['that is empty', ''],
    ['that is noise', '\0'.repeat(1000)],
  ])('is none %s', async (_name, raw) => {
    expect(await parseBounce(raw)).toBeNull();
  });
});
