import { Partner } from '@pergola/base';
import { signText } from 'pergola';
import { createTestApp, type Mailbox, openMailbox, someDatabase, type TestApp } from 'pergola/testing';

const good = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  phone: '+33 1 23 45',
  subject: 'A question',
  message: 'First line\nSecond <b>line</b>',
};

someDatabase('the contact form', (database) => {
  let app: TestApp;
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
    const env = { SMTP_URL: mailbox.url, TRUSTED_PROXIES: 'loopback' };
    app = await createTestApp({ addons: ['website'], database, env });
  });
  beforeEach(() => mailbox.clear());
  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  /** Stamp of a form opened some time ago. */
  const stampOf = (ago = 10_000): string => {
    const shownAt = String(Date.now() - ago);
    return `${shownAt}.${signText(app.config.sessionSecret, 'website.contact', shownAt)}`;
  };
  let visitors = 0;
  /** Submits the form as a visitor with an IP address of their own. */
  const send = (change: Record<string, string> = {}, ip = `203.0.113.${++visitors}`, path = '/website/contact') =>
    app.visitor().post(path, {
      body: new URLSearchParams({ ...good, homepage: '', stamp: stampOf(), ...change }),
      headers: { Origin: app.url, 'X-Forwarded-For': ip },
    });
  const mails = async () => {
    await app.runJobs();
    return mailbox.received();
  };

  it('stands on the contact page, and on a page of its own', async () => {
    for (const path of ['/contactus', '/website/contact', '/fr/contactus']) {
      const { text } = await app.visitor().get(path);
      expect(text).toMatch(/<form class="contact-form" method="post" action="(\/fr)?\/website\/contact"/);
      expect(text).toMatch(/name="stamp" value="\d+\.[\w-]{43}"/);
    }
  });

  it('shows an international address as it was typed, although browsers send it in ASCII', async () => {
    expect(await send({ email: 'ada@xn--mnchen-3ya.example' })).toMatchObject({ status: 303 });
    const [mail] = await mails();
    expect(mail?.html).toContain('ada@münchen.example');
    expect(mail?.raw).toMatch(/^Reply-To: .*<ada@xn--mnchen-3ya\.example>/m);
  });

  it('sends one mail to the company, to be answered to the visitor', async () => {
    expect(await send()).toMatchObject({ status: 303, location: '/website/contact/sent' });
    expect((await app.get('/website/contact/sent')).text).toContain('Thank you');
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail?.envelopeTo).toEqual(['info@example.com']);
    expect(mail?.replyTo).toEqual([{ name: 'Ada Lovelace', address: 'ada@example.org' }]);
    expect(mail?.subject).toBe('A question: message from Ada Lovelace');
    expect(mail?.html).toContain('Second &lt;b&gt;line&lt;/b&gt;');
    expect(mail?.text).toContain('First line');
    // Emails show the name of their site.
    expect(mail?.html).toMatch(/data-slot="mail-header"><a [^>]*><img [^>]*>My Website<\/a>/);
  });

  it('thanks in the visitor’s language', async () => {
    expect(await send({}, '198.51.100.1', '/fr/website/contact')).toMatchObject({
      location: '/fr/website/contact/sent',
    });
    expect(await mails()).toHaveLength(1);
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a name of two lines', { name: 'Ada\r\nBcc: x@evil.example' }, 'name'],
    ['no address', { email: 'ada' }, 'email'],
    ['several addresses', { email: 'a@example.org, b@example.org' }, 'email'],
    ['an address with a line break', { email: 'a@example.org\r\nBcc: x@evil.example' }, 'email'],
    ['no subject', { subject: '' }, 'subject'],
    ['a subject with a line break', { subject: 'A\nBcc: x@evil.example' }, 'subject'],
    ['no message', { message: '   ' }, 'message'],
    ['a message without end', { message: 'x'.repeat(10_001) }, 'message'],
  ])('says what does not fit, and keeps the rest: %s', async (_what, change, field) => {
    const answer = await send(change);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(`id="contact-${field}-error"`);
    expect(answer.text).toContain(field === 'phone' ? 'value="Ada Lovelace"' : 'value="+33 1 23 45"');
    expect(await mails()).toEqual([]);
  });

  it('programs that fill in everything are thanked, and nothing is sent', async () => {
    expect(await send({ homepage: 'https://spam.example' })).toMatchObject({ status: 303 });
    expect(await mails()).toEqual([]);
  });

  it.each([
    ['at once', () => stampOf(0)],
    ['without having been shown', () => ''],
    ['with a stamp of somebody else', () => `${Date.now() - 10_000}.${'x'.repeat(43)}`],
    ['days later', () => stampOf(3 * 24 * 3600_000)],
  ])('a form that is sent %s comes back to be sent again', async (_when, stamp) => {
    const answer = await send({ stamp: stamp() });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('role="alert"');
    expect(answer.text).toContain('Second &lt;b&gt;line');
    expect(await mails()).toEqual([]);
  });

  it('is taken from people whose browser has filled it in', async () => {
    expect((await send({ stamp: stampOf(900) })).status).toBe(303);
    expect(await mails()).toHaveLength(1);
  });

  it.each(['/contactus', '/fr/contactus'])(
    'comes back on the page it stands on, %s, with what was typed',
    async (path) => {
      const visitor = app.visitor();
      const heading = /<h2[^>]*>[^<]*<\/h2>/.exec((await visitor.get(path)).text)?.[0];
      const answer = await visitor.post(`${path.replace('contactus', '')}website/contact`, {
        body: new URLSearchParams({
          ...good,
          email: 'ada',
          message: 'A "quoted" & <b>bold</b> word',
          stamp: stampOf(),
        }),
        headers: { Origin: app.url, Referer: app.url + path, 'X-Forwarded-For': `203.0.113.${++visitors}` },
      });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('data-slot="page"');
      if (heading) expect(answer.text).toContain(heading);
      expect(answer.text).toContain('id="contact-email-error"');
      expect(answer.text).toContain('A &quot;quoted&quot; &amp; &lt;b&gt;bold&lt;/b&gt; word</textarea>');
      expect(answer.text).toMatch(/name="stamp" value="\d+\./);
      expect(answer.text).not.toContain('<b>bold</b>');
    },
  );

  it('takes no more than ten in ten minutes from one place', async () => {
    const statuses = [];
    for (let number = 0; number < 12; number++) statuses.push((await send({}, '192.0.2.7')).status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(10);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect(await mails()).toHaveLength(10);
  });

  it('is not taken from another site', async () => {
    const body = new URLSearchParams({ ...good, stamp: stampOf() });
    const answer = await app.visitor().post('/website/contact', { body, headers: { Origin: 'https://evil.example' } });
    expect(answer.status).toBe(403);
    expect(await mails()).toEqual([]);
  });

  it('says so when nobody would get the message', async () => {
    const setEmail = (email: string | null) =>
      app.write(async (ctx) => ctx.model(Partner).write(await ctx.ref('base.main_partner'), { email }));
    await setEmail(null);
    const answer = await send();
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('Second &lt;b&gt;line');
    await setEmail('info@example.com');
  });
});
