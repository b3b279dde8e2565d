import fc from 'fast-check';
import { isEmailAddress } from 'pergola';
import { cpuTime } from 'pergola/testing';
import { parseAddress } from '../services/address.ts';
import { createComposer } from '../services/content/compose.ts';
import { compileProblems, prepareMerge } from '../services/content/merge.ts';
import { isShortSignature, shortSignature } from '../services/links.ts';

describe('An address as people write it', () => {
  it.each([
    ['ada@example.org', 'ada@example.org', ''],
    ['  Ada@Example.ORG ', 'ada@example.org', ''],
    ['Ada Lovelace <ada@example.org>', 'ada@example.org', 'Ada Lovelace'],
    ['"Lovelace, Ada" <ada@example.org>', 'ada@example.org', 'Lovelace, Ada'],
    ['<ada@example.org>', 'ada@example.org', ''],
    ['a <b@c.example> <ada@example.org>', '', ''],
    ['<b@c.example>,<ada@example.org>', '', ''],
    ['"a <b@c.example>" <ada@example.org>', 'ada@example.org', 'a b@c.example'],
    ['Ada\r\nBcc: eve@example.org <ada@example.org>', '', ''],
  ])('%j', (text, email, name) => {
    expect(parseAddress(text)).toEqual({ email, name });
  });

  it('is never more than one, and never breaks a line', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }),
        fc.constantFrom('', '<', '>', ',', '\r\n', '\u2028', '@'),
        (text, sign) => {
          const { email, name } = parseAddress(`${text}${sign}${text}@example.org>`);
          expect(/[\p{Cc}\p{Zl}\p{Zp}"<>]/u.test(name)).toBe(false);
          if (isEmailAddress(email)) expect(email).toMatch(/^[^\s,;<>"]+@[^\s,;<>"@]+$/);
        },
      ),
    );
  });
});

describe('Merge fields', () => {
  const html = (text: string, values: Record<string, string>) => prepareMerge(text, 'html')(values);

  it('are written for the place they stand in', () => {
    const name = `<b>"O'Neil" & {{email}}</b>`;
    expect(html('<p>{{name}}</p>', { name })).toBe('<p>&lt;b&gt;&quot;O&#39;Neil&quot; &amp; {{email}}&lt;/b&gt;</p>');
    expect(html('<a href="https://x.example/?n={{name}}">', { name: 'a b&c"' })).toBe(
      '<a href="https://x.example/?n=a%20b%26c%22">',
    );
    expect(html('<a href="{{unsubscribe_url}}">', { unsubscribe_url: 'https://x.example/a?b&c' })).toBe(
      '<a href="https://x.example/a?b&amp;c">',
    );
    expect(prepareMerge('{{name}}!', 'header')({ name: 'A\r\nBcc: x' })).toBe('A Bcc: x!');
  });

  it('have something to say where there is nothing', () => {
    expect(html('Dear {{ name | friend }},', {})).toBe('Dear friend,');
    expect(html('{{name|d&#39;ami &amp; co}}', { name: '' })).toBe('d&#39;ami &amp; co');
    expect(html('{{name}}', {})).toBe('');
  });

  it('that are none are found', async () => {
    expect(compileProblems('{{name}} {{first_name|x}} {{ email }} {{view_url}}')).toBeNull();
    expect(compileProblems('{{7*7}}')).toBe('{{7*7}}');
    expect(compileProblems('a {{constructor}} b')).toBe('{{constructor}}');
    expect(compileProblems('{{<b>name</b>}}')).toBe('{{<b>name</b>}}');
    // At any length (C24).
    const spent = await cpuTime(() => expect(compileProblems(`{{${' '.repeat(100_000)}`)).toBeNull());
    expect(spent).toBeLessThan(1_000);
  });

  it('never let a value out of its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const made = html('<p title="{{name}}">{{name}}</p><a href="/?{{name}}">', { name });
        expect(made.replace(/[^<>"]/g, '')).toBe('<""><><"">');
      }),
    );
  });
});

it('short signatures fit only what they were made for', () => {
  const signature = shortSignature('secret', 'open', '12');
  expect(signature).toMatch(/^[\w-]{22}$/);
  expect(isShortSignature('secret', 'open', '12', signature)).toBe(true);
  expect(isShortSignature('secret', 'open', '13', signature)).toBe(false);
  expect(isShortSignature('secret', 'click', '12', signature)).toBe(false);
  expect(isShortSignature('other', 'open', '12', signature)).toBe(false);
  expect(isShortSignature('secret', 'open', '12', `${signature}x`)).toBe(false);
  expect(isShortSignature('secret', 'open', '12', '')).toBe(false);
});

it('the mail of a recipient is the same at every try', () => {
  const composer = createComposer({
    config: { baseUrl: 'https://site.example', sessionSecret: 'secret', mailFrom: 'noreply@site.example' },
    mailing: 3,
    compiled: { en_US: { subject: 'Hi {{name|you}}', html: '<p>{{lists}}</p></body>', text: '{{lists}}' } },
    lists: { en_US: new Map([[1, 'News']]) },
    from: 'News <news@site.example>',
    replyTo: null,
    opens: true,
    bounceTo: 'bounces@site.example',
  });
  const recipient = { id: 9, email: 'ada@example.org', contact: { id: 4, name: 'Ada', lang: 'xx_XX' } };
  expect(composer.mail(recipient)).toEqual(composer.mail(recipient));
  expect(composer.mail(recipient)).toMatchObject({
    subject: 'Hi Ada',
    from: { email: 'news@site.example', name: 'News' },
    bounceTo: expect.stringMatching(/^bounces\+9-[\w-]{22}@site\.example$/),
    html: expect.stringMatching(/News<\/p><img src="https:\/\/site\.example\/mass_mailing\/open\/9\./),
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  });
});
