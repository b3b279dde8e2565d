import { seen, startKinds } from './kinds-kit.ts';
import type { TestSite } from './kit.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startKinds();
});
afterAll(() => site.server.close({ graceMs: 0 }));
beforeEach(() => {
  seen.length = 0;
});

describe('a form', () => {
  const send = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const cookie = site.application.signedIn(1);
    return site.form(
      '/forum/help-1/ask',
      { csrf_token: site.application.tokenOf(cookie), ...fields },
      { cookie, ...headers },
    );
  };

  test('is prepared outside, run in a transaction, and its session kept after the commit', async () => {
    const answer = await send({ title: 'Hello', qty: '2' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/forum/help-1']);
    expect(seen).toEqual([
      { body: { title: 'Hello', qty: 2 }, prepared: 'Hello prepared, writes: false', writes: true, files: undefined },
    ]);
    const cookies = answer.headers['set-cookie'] ?? [];
    expect(cookies.some((cookie) => cookie.startsWith('session_id='))).toBe(true);
    expect(cookies.some((cookie) => cookie.startsWith('pergola_wrote='))).toBe(true);
  });

  test('that has to run again leaves only what its last run did', async () => {
    site.application.conflicts = 2;
    const answer = await send({ title: 'try again' });
    expect(seen).toHaveLength(3);
    expect(answer.headers['set-cookie']?.filter((cookie) => cookie.startsWith('try='))).toEqual([
      'try=3; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });

  test('with errors shows them beside its fields, what was sent kept but no password', async () => {
    const answer = await send({ title: 'x', password: 'geheim' });
    expect(answer.status).toBe(422);
    expect(answer.json()).toEqual({
      values: { title: 'x' },
      errors: { title: 'The title is too short.' },
      message: 'Please correct the marked fields.',
    });
    expect(seen).toEqual([]);
    const missing = await send({});
    expect(missing.json()).toMatchObject({ errors: { title: 'Fill in this field.' } });
  });

  test('without a page of its own for errors is shown in its page again, unless that fails', async () => {
    const cookie = site.application.signedIn(1);
    const write = (to: string) =>
      site.form(`/letters/${to}/write`, { csrf_token: site.application.tokenOf(cookie), text: 'x' }, { cookie });
    const again = await write('ada');
    expect(again.status).toBe(422);
    expect(again.text).toMatch(/<input name="text" value="x"[^>]* aria-invalid="true"/);
    expect(again.text).toContain('Write more.');
    const failed = await write('nobody');
    expect(failed.status).toBe(500);
    expect(failed.text).not.toContain('an inner detail');
  });

  test('refused by the model shows the errors too, and writes nothing', async () => {
    const before = site.application.writes;
    const answer = await send({ title: 'taken' });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({ errors: { title: 'There is one already.' } });
    expect(site.application.writes).toBe(before);
  });

  test('refused for what changed meanwhile shows the values and the message', async () => {
    const answer = await send({ title: 'sold out' });
    expect(answer.status).toBe(409);
    expect(answer.json()).toEqual({ values: { title: 'sold out' }, errors: {}, message: 'Sold out meanwhile.' });
    const forbidden = await send({ title: 'not you' });
    expect([forbidden.status, forbidden.text.includes('"values"')]).toEqual([403, false]);
  });

  test('takes the files it names, in memory, each up to its size', async () => {
    const part = (name: string, file: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: image/png\r\n\r\n${content}\r\n`;
    const send = (files: string) => {
      const cookie = site.application.signedIn(1);
      const token = site.application.tokenOf(cookie);
      const field = (name: string, value: string) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const body = `${field('csrf_token', token)}${field('title', 'Hello')}${files}--x--\r\n`;
      const headers = { 'content-type': 'multipart/form-data; boundary=x', origin: site.origin, cookie };
      return site.request('/forum/help-1/ask', { method: 'POST', body, headers });
    };
    expect((await send(part('photo', '..\\..\\a/é\u202e.png', 'x'.repeat(1000)))).status).toBe(303);
    expect(seen.at(-1)).toMatchObject({ files: [['é.png', 1000]] });
    const large = await send(part('photo', 'a.png', 'x'.repeat(1001)));
    expect(large.status).toBe(413);
    expect(large.text).toContain('The limit is 1000 bytes');
    expect((await send(part('evil', 'a.png', 'x'))).text).toContain('doesn’t accept a file in “evil”');
    expect((await send(part('evil', '', ''))).status).toBe(303);
  });

  test('without token, with the token of another session, or from elsewhere does nothing', async () => {
    const cookie = site.application.signedIn(1);
    const csrf_token = site.application.tokenOf(cookie);
    const attempts = [
      site.form('/forum/help-1/ask', { title: 'Hello' }, { cookie }),
      site.form(
        '/forum/help-1/ask',
        { title: 'Hello', csrf_token: site.application.tokenOf(site.application.signedIn(2)) },
        { cookie },
      ),
      site.form('/forum/help-1/ask', { title: 'Hello', csrf_token }, { cookie, origin: 'http://evil.example' }),
      site.form('/forum/help-1/ask', { title: 'Hello', csrf_token }, { cookie, origin: 'null' }),
      site.form('/forum/help-1/ask', { title: 'Hello', csrf_token }, { cookie, 'sec-fetch-site': 'cross-site' }),
      site.form('/signin', { id: '1' }, { origin: 'http://evil.example' }),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer.status).toBe(403);
    expect(seen).toEqual([]);
    const unproved = await site.request('/signin', {
      method: 'POST',
      body: 'id=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(unproved.status).toBe(403);
  });

  test('of a visitor who has to sign in leads back to the page it was on', async () => {
    const answer = await site.form(
      '/forum/help-1/ask',
      { title: 'Hello' },
      { referer: `${site.origin}/forum/help-1?a=1` },
    );
    expect(answer.headers.location).toBe('/web/login?redirect=%2Fforum%2Fhelp-1%3Fa%3D1');
    const foreign = await site.form('/forum/help-1/ask', {}, { referer: 'http://evil.example/x' });
    expect(foreign.headers.location).toBe('/web/login?redirect=%2F');
  });

  test('leads back to the page that its route names where the browser says nothing', async () => {
    const named = await site.form('/letters/ada/signed', { text: 'Hello' });
    expect(named.headers.location).toBe('/web/login?redirect=%2Fletters%2Fada');
    const french = await site.form('/fr/letters/ada/signed', { text: 'Hello' }, { referer: 'http://evil.example/x' });
    expect(french.headers.location).toBe('/web/login?redirect=%2Ffr%2Fletters%2Fada');
    expect(seen).toEqual([]);
  });

  test('without a page for its errors answers them plainly', async () => {
    const answer = await site.form('/plain-form', {});
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('<p>Fill in this field.</p>');
  });

  test('takes no JSON', async () => {
    const answer = await site.rpc('/signin', { id: 1 });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('expects a form');
  });

  test('signs in with a new session, and never leads off the site', async () => {
    const answer = await site.form('/signin', { id: '2', redirect: 'https://evil.example/' });
    expect([answer.status, answer.headers.location]).toEqual([303, '/']);
    const cookie = answer.headers['set-cookie']?.find((one) => one.startsWith('session_id='))?.split(';')[0] ?? '';
    expect((await site.get('/my', { cookie })).text).toContain('<p>Bob');
  });
});
