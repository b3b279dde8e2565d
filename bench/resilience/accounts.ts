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
  title: 'Sessions: ids that were set before, at each step, on the other node; 1,000 of them',
  async run() {
    await using site = await openSite('sqlite');
    const [one, two] = [await site.node({ NODE_ID: 'one' }), await site.node({ NODE_ID: 'two' })];
    const wrong: string[] = [];
    const goods = await something(one.url);
    const given = 'a'.repeat(43);
    for (const [how, path, headers] of [
      ['cookie', '/web/login', { cookie: `session_id=${given}; __Host-session_id=${given}` }],
      ['address', `/web/login?session_id=${given}&sid=${given}`, {}],
      ['header', '/web/login', { 'x-session-id': given, 'x-openerp-session-id': given }],
    ] as const) {
      const answer = await fetch(one.url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...headers, Origin: one.url, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'login=editor&password=editor',
      });
      const cookies = answer.headers.getSetCookie().join(' ');
      if (cookies.includes(given) || !/session_id=[\w-]{22,}/.test(cookies)) wrong.push(`${how}: ${answer.status}`);
      if (!/HttpOnly/i.test(cookies) || !/SameSite=Lax/i.test(cookies)) wrong.push(`${how}: flags`);
      if (String(await whoAmI(one.url, given)).includes('editor')) wrong.push(`${how}: the set id is signed in`);
    }
    const [steps, late]: [string[], number[]] = [[], []];
    const step = async (name: string, client: Client, work: () => Promise<unknown>): Promise<void> => {
      const before = sessionOf(client);
      await work();
      const began = performance.now();
      if (sessionOf(client) === before) steps.push(name);
      if (before === '') return;
      while (/"uid":\s*[1-9]/.test(String(await whoAmI(two.url, before))) && performance.now() - began < 5000)
        await sleep(20);
      late.push(performance.now() - began);
    };
    let password = 'editor';
    for (let round = 0; round < 5; round++) {
      const client = new Client(one.url);
      const next = `a longer one, number ${round}`;
      await step('cart', client, () => client.form('/shop/cart/update', goods));
      await step('sign-in', client, () => client.form('/web/login', { login: 'editor', password }));
      await step('password', client, () =>
        client.form('/web/account/password', { old_password: password, password: next, confirm: next }),
      );
      await step('sign-out', client, () => client.form('/web/logout'));
      password = next;
    }
    const ids = new Set<string>();
    for (let lot = 0; lot < 50; lot++) {
      const clients = Array.from({ length: 20 }, () => new Client(one.url));
      await Promise.all(clients.map((client) => client.form('/shop/cart/update', goods)));
      for (const client of clients) ids.add(sessionOf(client));
    }
    const bits = Math.min(...[...ids].map((id) => id.length * 6));
    return [
      finding('ids that were set before', wrong.join('; ') || 'never taken over', 'never', wrong.length === 0),
      finding('steps without a new id', steps.join(', ') || 'none', 'none', steps.length === 0),
      finding(
        'longest life of an old id on the other node',
        `${Math.max(...late).toFixed(0)} ms`,
        '1 s',
        Math.max(...late) < 1000,
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
async function something(url: string): Promise<Record<string, string>> {
  const shop = await (await fetch(`${url}/shop`)).text();
  for (const [, id = ''] of shop.matchAll(/\/shop\/product\/[\w-]+-(\d+)"/g)) {
    const goods = { product_template_id: id, add_qty: '1' };
    if ((await new Client(url).form('/shop/cart/update', goods)).status === 303) return goods;
  }
  throw new Error('Nothing in the shop can be bought.');
}

const guessing: Check = {
  id: 'C32',
  title: '1,000 wrong passwords from 50 addresses; one password over 1,000 accounts',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node({ TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'warn' });
    const tried = async (login: string, password: string, from: string): Promise<boolean> => {
      const client = new Client(node.url, from);
      const { status } = await client.form('/web/login', { login, password });
      // A wrong password shows an error; 429 and 503 mean that the caller is throttled and the password isn't checked.
      return status !== 429 && status !== 503;
    };
    const minute = async (tries: (at: number) => Promise<boolean>): Promise<number> => {
      const began = performance.now();
      let looked = 0;
      for (let lot = 0; lot < 20; lot++) {
        const results = await Promise.all(Array.from({ length: 50 }, (_, at) => tries(lot * 50 + at)));
        looked += results.filter(Boolean).length;
      }
      return looked / Math.max(1, (performance.now() - began) / 60_000);
    };
    const account = await minute((at) => tried('editor', `wrong ${at}`, `10.1.0.${at % 50}`));
    const owner = new Client(node.url, '10.9.9.9');
    const began = performance.now();
    let let_in = false;
    while (!let_in && performance.now() - began < 60_000) {
      let_in = (await owner.form('/web/login', { login: 'editor', password: 'editor' })).status === 303;
      if (!let_in) await sleep(500);
    }
    const waited = performance.now() - began;
    const address = await minute((at) => tried(`somebody${at}`, 'Winter2026', '10.2.0.1'));
    const logged = node
      .output()
      .split('\n')
      .filter((line) => line.includes('A sign-in was refused')).length;
    return [
      finding('tries a minute at one account', account.toFixed(1), '10', account <= 10),
      finding(
        'the owner from a fresh address',
        let_in ? `let in after ${waited.toFixed(0)} ms` : 'kept out',
        'let in',
        let_in,
      ),
      finding('tries a minute of one address', address.toFixed(1), '60', address <= 60),
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
      (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (piece) => {
            text += piece;
          })
          .on('end', () =>
            resolve({ status: answer.statusCode ?? 0, text: `${JSON.stringify(answer.headers)} ${text}` }),
          );
      },
    );
    sent.on('error', reject).end(body);
  });
}

const mailedHosts: Check = {
  id: 'C43',
  title: 'Names of other hosts in whatever sends a mail',
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
    const flows = (at: number): [path: string, type: string, body: string][] => [
      ['/web/reset_password', form, 'login=portal'],
      [
        '/web/signup',
        form,
        `name=New+One&email=new${at}%40example.com&password=tulips+and+slate+91${at}&confirm=tulips+and+slate+91${at}`,
      ],
      [
        '/website/contact',
        form,
        `name=Ada&email=ada${at}%40example.com&subject=The+garden&message=A+question+about+the+garden`,
      ],
      ['/website_mass_mailing/subscribe/form', form, `list_id=${list?.id}&email=lists${at}%40example.com`],
      [
        '/website_mail/follow',
        'application/json',
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'call',
          id: 1,
          params: { id: 1, object: 'event.event', message_is_follower: 'off', email: `follow${at}@example.com` },
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
    for (const [at, claim] of claims.entries()) {
      for (const [path, type, body] of flows(at)) {
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
      finding('answers that believe them', believed.slice(0, 3).join('; ') || 'none', 'none', believed.length === 0),
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

const canary = (what: string): string => `canary-${what}-7d1f`;

const leaks: Check = {
  id: 'C45',
  title: 'Secrets in logs and answers, lines of the log, personal pages in caches',
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
    const answers: string[] = [];
    const keep = async <T extends { text: string }>(answer: Promise<T>): Promise<T> => {
      const got = await answer;
      answers.push(got.text);
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
    for (const what of ['wrong-password', 'typed-in-the-wrong-field', 'new-password', 'old-password', 'next'])
      secrets.add(canary(what));
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
    const found = [...secrets].filter(
      (secret) =>
        secret.length > 8 &&
        (output.includes(secret) ||
          answers.some((text) => text.includes(secret) && secret.startsWith('canary') && !secret.includes('typed'))),
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
        `${found.map((secret) => secret.slice(0, 24)).join(', ') || 'none'} of ${secrets.size}, in ${lines.length} lines and ${answers.length} answers`,
        'none',
        found.length === 0 && lines.length > 20,
      ),
      finding('lines that are no JSON object', unreadable[0]?.slice(0, 80) ?? 'none', 'none', unreadable.length === 0),
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
      finding('pages of another person', mixed.join('; ') || 'none', 'none', mixed.length === 0),
      finding(
        'get_data_snippets',
        JSON.stringify(snippets).slice(0, 120),
        'no secret',
        !JSON.stringify(snippets).includes('canary'),
      ),
      finding('orders looked at', orders.length, '–', true),
    ];
  },
};

export const accountChecks: readonly Check[] = [sessions, guessing, mailedHosts, leaks];
