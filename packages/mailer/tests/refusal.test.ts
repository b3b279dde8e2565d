import { isTemporary, refusalReason } from '../refusal.ts';

describe('The reason of a refusal', () => {
  it.each([
    // RFC 3463, by subject and detail
    ['550 5.1.1 No such user', 'address'],
    ['550 5.1.2 x', 'address'],
    ['550 5.1.6 x', 'address'],
    ['556 5.1.10 x', 'address'],
    ['550 5.4.4 x', 'address'],
    ['550 5.7.17 x', 'address'],
    ['553 5.1.7 x', 'sender'],
    ['553 5.1.8 Domain of sender address news@example.org does not exist', 'sender'],
    ['550 5.1.8 Sender rejected: Domain not found', 'sender'],
    ['550 5.7.1 Relaying denied', 'sender'],
    ['550 5.7.26 x', 'sender'],
    ['550 5.7.25 x', 'sender'],
    ['550 5.2.1 x', 'later'],
    ['552 5.2.2 x', 'full'],
    ['552 5.2.3 x', 'content'],
    ['552 5.3.4 x', 'content'],
    ['550 5.3.5 x', 'later'],
    ['554 5.4.6 x', 'later'],
    ['554 5.6.0 x', 'content'],
    ['450 4.2.2 x', 'full'],
    ['450 4.1.1 User unknown', 'later'],
    ['451 4.7.1 x', 'later'],
    // words that contradict the code
    ['550 5.1.1 Account is over quota', 'full'],
    ['550 5.1.1 blocked using zen.spamhaus.org', 'sender'],
    ['550 5.2.1 The user is receiving mail at a rate that prevents delivery', 'later'],
    ['550 5.1.0 Rejected: DMARC policy of example.org', 'sender'],
    ['553 5.1.3 See https://www.spamhaus.org/query?ip=192.0.2.1', 'sender'],
    ['554 IP address blacklisted', 'sender'],
    ['554 5.7.1 Message rejected as spam', 'content'],
    // hosts that take no mail, unless an exact code says otherwise
    ['521 x', 'address'],
    ['556 x', 'address'],
    ['521 5.4.6 x', 'later'],
    // no enhanced code
    ['550 Unknown user ada', 'address'],
    ['550 <ada@example.com>: user unknown', 'address'],
    ['550 Requested action not taken: mailbox unavailable', 'address'],
    ['550 Requested action not taken: mailbox unavailable, invalid DNS MX resource record', 'sender'],
    ['550 Empfänger unbekannt', 'address'],
    ['550 El usuario no existe', 'address'],
    ['552 Mailbox full', 'full'],
    [
      '550 Message was not accepted -- invalid mailbox. Local mailbox ada@example.com is unavailable: user not found',
      'address',
    ],
    ['550 5.7.1 No such user!', 'address'],
    ['550 5.4.1 Recipient address rejected: Access denied', 'address'],
    ['550 This account has been closed', 'address'],
    ['550 5.2.1 This mailbox has been blocked due to inactivity', 'later'],
    ['552 5.7.0 Blocked because its content presents a potential security issue', 'content'],
    ['452 4.3.1 Insufficient system storage', 'later'],
    ['530 5.7.0 Authentication required', 'sender'],
    ['454 4.7.1 Relay access denied', 'sender'],
    ['421 4.7.28 Unusual rate of unsolicited mail from your IP address', 'sender'],
    ['421 Try again later', 'later'],
    ['550 No', 'content'],
    // a mailbox that is gone, not paused
    ['554 The account has been disabled or discontinued', 'address'],
    ['550 La casilla ha expirado por falta de uso', 'address'],
    ['550 A conta foi encerrada', 'address'],
    ['551 ada is a deactivated mailbox', 'address'],
    ['550 5.2.1 [SUSPEND] Mailbox currently suspended', 'later'],
    ['550 5.2.1 Mailbox not available', 'later'],
    // rejected addresses: the code or the command tells whose
    ['550 5.1.0 Recipient rejected: ada', 'address'],
    ['550 5.0.1 Recipient rejected', 'address'],
    ['550 #5.1.0 Address rejected.', 'address'],
    ['550 5.7.1 No mailbox found', 'address'],
    ['553 sorry, no mailbox here by that name (#5.7.1)', 'address'],
    ['550 No mail box available for this user', 'address'],
    ["554 RCPT (ada) dosn't exist", 'address'],
    ['550 BAD_RECIPIENT', 'address'],
    ['554 Not a valid recipient', 'address'],
    ['550 User not a member of domain', 'address'],
    ['550 The name did not exactly match an example address', 'address'],
    ['550 Name or service not known', 'address'],
    ['550 Gebruiker onbekend', 'address'],
    ['550 Skrzynka nie istnieje', 'address'],
    // nothing about the address
    ['550 The user does not accept email in other character sets', 'content'],
    ['553 Possible forgery (#5.1.1)', 'sender'],
    ['550 Unknown user, its attachment is not allowed', 'content'],
    ['550 Undeliverable address: the recipient is over disk quota', 'full'],
    ['552 The account does not have enough space', 'full'],
  ] as const)('%s: %s', (text, reason) => {
    expect(refusalReason({ text, command: 'recipient', code: Number(text.slice(0, 3)) })).toBe(reason);
  });

  it('depends on the command', () => {
    const text = '550 User unknown';
    expect(refusalReason({ text, command: 'sender' })).toBe('sender');
    expect(refusalReason({ text, command: 'data' })).toBe('content');
    expect(refusalReason({ text: `${text} (in reply to end of DATA command)` })).toBe('content');
    expect(refusalReason({ text: "554 This user doesn't have an example.com account", command: 'data' })).toBe(
      'address',
    );
  });

  it('takes a mailbox for missing after a temporary refusal only if the server gave up', () => {
    const text = '450 4.1.1 User unknown';
    expect([refusalReason({ text }), refusalReason({ text, isFinal: true })]).toEqual(['later', 'address']);
  });

  it.each([
    ['450 4.1.1 x', true],
    ['550 4.1.1 x', false],
    ['4.4.7 expired', true],
    ['5.1.1', false],
  ])('%s is temporary: %s', (text, expected) => {
    expect(isTemporary({ text })).toBe(expected);
  });
});
