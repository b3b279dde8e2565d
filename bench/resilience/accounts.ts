import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../tools/testing/client.ts';
import { openMailbox } from '../../tools/testing/mailbox.ts';
import { type Check, call, finding, openSite, signedIn } from './site.ts';

const sessionOf = (client: Client): string => client.cookie('session_id') ?? '';
const whoAmI = async (url: string, session: string): Promise<unknown> =>
  (
    await new Client(url)
      .request('/web/session/get_session_info', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: url, cookie: `session_id=${session}` },
        body: '{"jsonrpc":"2.0","method":"call","id":1,"params":{}}',
      })
      .catch(() => ({ text: '' }))
  ).text;

const sessions: Check = {
  id: 'C30',
  title: 'Sessions: planted ids, renewal at each step, the other node; 1,000 ids',
  async run() {
    await using site = await openSite('sqlite');
    const [firstNode, two] = [await site.node({ NODE_ID: 'one' }), await site.node({ NODE_ID: 'two' })];
    const failures: string[] = [];
    const formData = await buyableProduct(firstNode.url);
    const plantedId = 'a'.repeat(43);
    for (const [carrier, path, headers] of [
      ['cookie', '/web/login', { cookie: `session_id=${plantedId}; __Host-session_id=${plantedId}` }],
      ['address', `/web/login?session_id=${plantedId}&sid=${plantedId}`, {}],
      ['header', '/web/login', { 'x-session-id': plantedId, 'x-openerp-session-id': plantedId }],
    ] as const) {
      const response = await fetch(firstNode.url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, Origin: firstNode.url, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'login=editor&password=editor',
      });
      const cookies = response.headers.getSetCookie().join(' ');
      if (cookies.includes(plantedId) || !/session_id=[\w-]{22,}/.test(cookies))
        failures.push(`${carrier}: ${response.status}`);
      if (!/HttpOnly/i.test(cookies) || !/SameSite=Lax/i.test(cookies)) failures.push(`${carrier}: flags`);
      if (String(await whoAmI(firstNode.url, plantedId)).includes('editor'))
        failures.push(`${carrier}: the set id is signed in`);
    }
    const [steps, revocationTimes]: [string[], number[]] = [[], []];
    const step = async (name: string, client: Client, work: () => Promise<unknown>): Promise<void> => {
      const oldSession = sessionOf(client);
      await work();
      const startedAt = performance.now();
      if (sessionOf(client) === oldSession) steps.push(name);
      if (oldSession === '') return;
      while (/"uid":\s*[1-9]/.test(String(await whoAmI(two.url, oldSession))) && performance.now() - startedAt < 5000)
        await sleep(20);
      revocationTimes.push(performance.now() - startedAt);
    };
    let password = 'editor';
    for (let round = 0; round < 5; round++) {
      const client = new Client(firstNode.url);
      const next = `a longer one, number ${round}`;
      await step('cart', client, () => client.form('/shop/cart/update', formData));
      await step('sign-in', client, () => client.form('/web/login', { login: 'editor', password }));
      await step('password', client, () =>
        client.form('/web/account/password', { old_password: password, password: next, confirm: next }),
      );
      await step('sign-out', client, () => client.form('/web/logout'));
      password = next;
    }
    const ids = new Set<string>();
    for (let batch = 0; batch < 50; batch++) {
      const clients = Array.from({ length: 20 }, () => new Client(firstNode.url));
      await Promise.all(clients.map((client) => client.form('/shop/cart/update', formData)));
      for (const client of clients) ids.add(sessionOf(client));
    }
    const bits = Math.min(...[...ids].map((id) => id.length * 6));
    return [
      finding('planted ids', failures.join('; ') || 'never accepted', 'never', failures.length === 0),
      finding('steps without a new id', steps.join(', ') || 'none', 'none', steps.length === 0),
      finding(
        'longest life of an old id on the other node',
        `${Math.max(...revocationTimes).toFixed(0)} ms`,
        '1 s',
        Math.max(...revocationTimes) < 1000,
      ),
      finding(
        'different ids of 1,000, their bits',
        `${ids.size}, ${bits}`,
        '1000, 128',
        ids.size === 1000 && bits >= 128,
      ),
    ];
  },
};

/** Form data that adds the first product that can be bought directly to the cart. */
async function buyableProduct(url: string): Promise<Record<string, string>> {
  const shop = await (await fetch(`${url}/shop`)).text();
  for (const [, id = ''] of shop.matchAll(/\/shop\/product\/[\w-]+-(\d+)"/g)) {
    const formData = { product_template_id: id, add_qty: '1' };
    if ((await new Client(url).form('/shop/cart/update', formData)).status === 303) return formData;
  }
  throw new Error('No product in the shop can be bought directly.');
}

const guessing: Check = {
  id: 'C32',
  title: '1,000 wrong passwords from 50 addresses; one password over 1,000 accounts',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node({ TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'warn' });
    const isChecked = async (login: string, password: string, from: string): Promise<boolean> => {
      const client = new Client(node.url, from);
      const { status } = await client.form('/web/login', { login, password });
      // A wrong password shows an error; 429 and 503 mean that the caller is throttled and the password isn't checked.
      return status !== 429 && status !== 503;
    };
    const minute = async (tries: (attempt: number) => Promise<boolean>): Promise<number> => {
      const startedAt = performance.now();
      let checkedCount = 0;
      for (let batch = 0; batch < 20; batch++) {
        const results = await Promise.all(Array.from({ length: 50 }, (_, index) => tries(batch * 50 + index)));
        checkedCount += results.filter(Boolean).length;
      }
      return checkedCount / Math.max(1, (performance.now() - startedAt) / 60_000);
    };
    const account = await minute((index) => isChecked('editor', `wrong ${index}`, `10.1.0.${index % 50}`));
    const owner = new Client(node.url, '10.9.9.9');
    const startedAt = performance.now();
    let isLetIn = false;
    while (!isLetIn && performance.now() - startedAt < 60_000) {
      isLetIn = (await owner.form('/web/login', { login: 'editor', password: 'editor' })).status === 303;
      if (!isLetIn) await sleep(500);
    }
    const waited = performance.now() - startedAt;
    const address = await minute((index) => isChecked(`somebody${index}`, 'Winter2026', '10.2.0.1'));
    const logged = node
      .output()
      .split('\n')
      .filter((line) => line.includes('A sign-in was refused')).length;
    return [
      finding('attempts a minute on one account', account.toFixed(1), '10', account <= 10),
      finding(
        'the owner from a fresh address',
        isLetIn ? `let in after ${waited.toFixed(0)} ms` : 'kept out',
        'let in',
        isLetIn,
      ),
      finding('attempts a minute from one address', address.toFixed(1), '60', address <= 60),
      finding('refusals in the log', logged, 'each', logged > 1800),
      finding(
        'passwords in the log',
        /wrong \d|Winter2026/.test(node.output()) ? 'yes' : 'none',
        'none',
        !/wrong \d|Winter2026/.test(node.output()),
      ),
    ];
  },
};

/** Sends headers that `fetch` doesn't allow. */
function raw(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) } },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (piece) => {
            text += piece;
          })
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: `${JSON.stringify(response.headers)} ${text}` }),
          );
      },
    );
    sent.on('error', reject).end(body);
  });
}

const mailedHosts: Check = {
  id: 'C43',
  title: 'Foreign host names in requests that send emails',
  async run() {
    await using site = await openSite('sqlite');
    const mailbox = await openMailbox();
    const node = await site.node({ SMTP_URL: mailbox.url });
    const form = 'application/x-www-form-urlencoded';
    const admin = await signedIn(node.url);
    const [list] = await call<{ id: number }[]>(
      admin,
      'mail.mass_mailing.list',
      'search_read',
      [['is_public', '=', true]],
      ['name'],
    );
    const flows = (index: number): [path: string, type: string, body: string][] => [
      ['/web/reset_password', form, 'login=portal'],
      [
        '/web/signup',
        form,
        `name=New+One&email=new${index}%40example.com&password=tulips+and+slate+91${index}&confirm=tulips+and+slate+91${index}`,
      ],
      [
        '/website/contact',
        form,
        `name=Ada&email=ada${index}%40example.com&subject=The+garden&message=A+question+about+the+garden`,
      ],
      ['/website_mass_mailing/subscribe/form', form, `list_id=${list?.id}&email=lists${index}%40example.com`],
      [
        '/website_mail/follow',
        'application/json',
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'call',
          id: 1,
          params: { id: 1, object: 'event.event', message_is_follower: 'off', email: `follow${index}@example.com` },
        }),
      ],
    ];
    const host = new URL(node.url).host;
    const claims: readonly Readonly<Record<string, string>>[] = [
      { Host: 'evil.example' },
      { Host: `${host}.evil.example` },
      { Host: host, 'X-Forwarded-Host': 'evil.example' },
      { Host: host, Forwarded: 'host=evil.example;proto=https' },
      { Host: host, 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '666', 'X-Original-Host': 'evil.example' },
    ];
    const [believed, statuses]: [string[], Record<string, number>] = [[], {}];
    for (const [index, claim] of claims.entries()) {
      for (const [path, type, body] of flows(index)) {
        const { status, text } = await raw(node.url + path, { ...claim, Origin: node.url, 'Content-Type': type }, body);
        if (text.includes('evil.example')) believed.push(`${path} ${JSON.stringify(claim)}`);
        if (claim.Host !== host && status < 400) believed.push(`${path} served ${claim.Host}`);
        statuses[`${path} ${status}`] = (statuses[`${path} ${status}`] ?? 0) + 1;
      }
    }
    await sleep(8000);
    const mails = mailbox.received();
    const evil = mails.filter(({ raw: text, html, text: plain }) =>
      /evil\.example|:666/.test(`${text} ${html} ${plain}`),
    );
    const links = new Set(
      mails.flatMap(({ html, text }) =>
        [...`${html} ${text}`.matchAll(/https?:\/\/[^/"'\s>]+/g)].map(([link]) => link),
      ),
    );
    await mailbox.close();
    return [
      finding('responses that use them', believed.slice(0, 3).join('; ') || 'none', 'none', believed.length === 0),
      finding(
        'mails that name them',
        `${evil.length} of ${mails.length}: ${[...new Set(mails.map(({ subject }) => subject))].join(' / ')}`,
        '0',
        evil.length === 0 && mails.length >= 9,
      ),
      finding(
        'where their links lead',
        [...links].join(', '),
        node.url,
        [...links].every((link) => link === node.url),
      ),
      finding('answers', JSON.stringify(statuses), '–', true),
    ];
  },
};

const canary = (label: string): string => `canary-${label}-7d1f`;

const leaks: Check = {
  id: 'C45',
  title: 'Secrets in logs and responses, log lines, personal pages in caches',
  async run() {
    await using site = await openSite('sqlite');
    const mailbox = await openMailbox();
    const smtp = new URL(mailbox.url);
    const node = await site.node({
      SMTP_URL: `smtp://${canary('user')}:${canary('smtp')}@${smtp.host}`,
      SESSION_SECRET: canary('session-secret').padEnd(48, 'x'),
      LOG_LEVEL: 'debug',
    });
    const secrets = new Set([canary('smtp'), canary('session-secret')]);
    const responseTexts: string[] = [];
    const keep = async <T extends { text: string }>(pending: Promise<T>): Promise<T> => {
      const got = await pending;
      responseTexts.push(got.text);
      return got;
    };
    const admin = await signedIn(node.url);
    const member = await signedIn(node.url, 'editor');
    for (const client of [admin, member]) secrets.add(sessionOf(client));
    const visitor = new Client(node.url);
    await keep(visitor.form('/web/login', { login: 'admin', password: canary('wrong-password') }));
    await keep(visitor.form('/web/login', { login: canary('typed-in-the-wrong-field'), password: 'x' }));
    await keep(
      visitor.form('/web/signup', {
        name: 'New',
        login: 'new@example.com',
        password: canary('new-password'),
        confirm: canary('new-password'),
      }),
    );
    await keep(visitor.form('/web/reset_password', { login: 'editor' }));
    await keep(
      member.form('/web/account/password', {
        old_password: canary('old-password'),
        password: canary('next'),
        confirm: canary('next'),
      }),
    );
    for (const label of ['wrong-password', 'typed-in-the-wrong-field', 'new-password', 'old-password', 'next'])
      secrets.add(canary(label));
    const orders = await call<{ id: number; access_token: string }[]>(
      admin,
      'sale.order',
      'search_read',
      [],
      ['name'],
    ).catch(() => []);
    await sleep(3000);
    for (const { html, text } of mailbox.received())
      for (const [, token = ''] of `${html} ${text}`.matchAll(/[?&/](?:token=)?([\w-]{24,})/g)) secrets.add(token);
    await keep(visitor.get('/web/reset_password?token=AAAA%0d%0aforged:%201%1b[31m'));
    await keep(visitor.get('/x%0d%0a{"level":60,"msg":"forged"}%1b[31m'));
    await keep(visitor.form('/web/login', { login: 'a\r\n{"level":60,"msg":"forged"}\u001b[31m', password: 'x' }));
    const personal: string[] = [];
    for (const path of ['/web/account', '/shop/cart', '/my/orders', '/web/session/get_session_info', '/my']) {
      const { headers, status } = await keep(member.get(path));
      if (status === 200 && !/no-store|private/.test(headers.get('cache-control') ?? ''))
        personal.push(`${path}: ${headers.get('cache-control')}`);
    }
    const deceived = await Promise.all(
      ['/shop/cart/x.css', '/web/account/x.js', '/shop/cart%2fx.css', '/web/account;x.css'].map((path) =>
        member.get(path),
      ),
    );
    const mixed: string[] = [];
    for (const path of ['/', '/shop', '/event', '/contactus'])
      for (const client of [admin, member, visitor]) {
        const { text } = await client.get(path);
        const name = client === admin ? 'Administrator' : client === member ? 'editor' : '';
        if (client !== admin && text.includes('Administrator')) mixed.push(`${path} of another than ${name}`);
      }
    const snippets = await admin.rpc('/website/get_data_snippets', {}).catch(() => ({}));
    const output = node.output();
    const leaked = [...secrets].filter(
      (secret) =>
        secret.length > 8 &&
        (output.includes(secret) ||
          responseTexts.some(
            (text) => text.includes(secret) && secret.startsWith('canary') && !secret.includes('typed'),
          )),
    );
    const lines = output.split('\n').filter((line) => line !== '');
    const unreadable = lines.filter((line) => {
      try {
        return typeof JSON.parse(line) !== 'object';
      } catch {
        return true;
      }
    });
    await mailbox.close();
    return [
      finding(
        'secrets found',
        `${leaked.map((secret) => secret.slice(0, 24)).join(', ') || 'none'} of ${secrets.size}, in ${lines.length} lines and ${responseTexts.length} answers`,
        'none',
        leaked.length === 0 && lines.length > 20,
      ),
      finding('lines that aren’t JSON objects', unreadable[0]?.slice(0, 80) ?? 'none', 'none', unreadable.length === 0),
      finding(
        'forged lines',
        lines.filter((line) => line.startsWith('{"level":60,"msg":"forged"')).length,
        '0',
        !lines.some((line) => line.startsWith('{"level":60,"msg":"forged"')),
      ),
      finding('personal pages that a cache may keep', personal.join('; ') || 'none', 'none', personal.length === 0),
      finding(
        'paths that look like files',
        deceived.map(({ status }) => status).join(', '),
        '404',
        deceived.every(({ status }) => status === 404),
      ),
      finding('pages of another user', mixed.join('; ') || 'none', 'none', mixed.length === 0),
      finding(
        'get_data_snippets',
        JSON.stringify(snippets).slice(0, 120),
        'no secret',
        !JSON.stringify(snippets).includes('canary'),
      ),
      finding('orders viewed', orders.length, '–', true),
    ];
  },
};

export const accountChecks: readonly Check[] = [sessions, guessing, mailedHosts, leaks];
