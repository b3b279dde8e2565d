import { request } from 'node:http';
import { expectNone, filled, isCall, type Sweep, type SweepCheck } from './site.ts';

interface Raw {
  readonly status: number;
  readonly text: string;
}

/** Sends path and headers unchanged; `fetch` would normalise them. */
function raw({ app }: Sweep, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Raw> {
  const { port, host } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { host, ...headers } }, (response) => {
      let text = JSON.stringify(response.headers);
      response.setEncoding('latin1').on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end();
  });
}

const foreignUrls =
  `//evil.example /\\evil.example \\\\evil.example /%09/evil.example http://evil.example https:evil.example
  ///evil.example /%2f/evil.example /%5cevil.example %2f%2fevil.example @evil.example http://localhost@evil.example javascript:alert(1)
  JaVaScRiPt:alert(1) data:text/html,x ／／evil.example //evil.example/..;/ /.//evil.example /..//evil.example /a/../..//evil.example
  //evil。example //[::1] //127.1 //0x7f000001 http:///evil.example http:\\\\evil.example /%0d%0aSet-Cookie:x=1 /%250d%250aSet-Cookie:x=1
  mailto:x@y vbscript:x file:///etc/passwd /./\\evil.example /%2e%2e//evil.example http://evil.example#@localhost
  http://localhost.evil.example //localhost:1`
    .split(/\s+/)
    .concat([
      '/\tevil.example',
      '/\n/evil.example',
      '/\r\nLocation: http://evil.example',
      ' //evil.example',
      '\u0000//evil.example',
    ]);

const redirects: SweepCheck = {
  id: 'C40',
  title: 'Redirects to another site',
  async run(sweep) {
    const violations: string[] = [];
    let tryCount = 0;
    for (const route of sweep.routes.filter((route) => !isCall(route))) {
      for (const [index, text] of foreignUrls.entries()) {
        const fields = { r: text, redirect: text, next: text, url: text, return: text, hidden_redirect: text };
        const client = index % 2 && !/logout/.test(route.path) ? sweep.admin : sweep.stranger();
        const { location, headers } = await sweep.ask(client, route, filled(route.path, '1'), fields);
        tryCount += 1;
        const stays =
          location === null ||
          (/^\/(?![/\\])/.test(location) && new URL(location, sweep.app.url).origin === sweep.app.url);
        if (!stays && !location?.startsWith(`${sweep.app.url}/`)) violations.push(`${route.path} ${location}`);
        if (headers.get('set-cookie')?.includes('x=1')) violations.push(`${route.path} splits headers`);
      }
    }
    return [expectNone('responses that lead away', tryCount, violations)];
  },
};

const ups = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%5c',
  '..\\',
  '%252e%252e%252f',
  '..%c0%af',
  '....//',
  '..;/',
  '%00/../',
  '.%00./',
];
const targets = [
  'etc/passwd',
  'etc/passwd%00.png',
  'package.json',
  '.env',
  '.git/config',
  'server.ts',
  'windows/win.ini',
];
const bases = [
  '/',
  '/_assets/',
  '/_assets/core/',
  '/web/static/',
  '/web/static/lib/datejs/globalization/',
  '/web/image/',
  '/web/content/',
  '/shop/',
  '/website/static/',
];
const hidden =
  '/.git/config /.env /package.json /server.ts /p.db /core/index.ts /node_modules/knex/package.json /.build/memory.json /addons/web/addon.ts';

const files: SweepCheck = {
  id: 'C41',
  title: 'Files outside the served folders',
  async run(sweep) {
    const tricks = ups.flatMap((up) => targets.flatMap((file) => [1, 2, 4, 8].map((times) => up.repeat(times) + file)));
    const violations: string[] = [];
    for (const base of bases) {
      for (const trick of tricks) {
        const { status, text } = await raw(sweep, base + trick);
        if (status >= 500 || /root:x:0|"private": true|\[core\]/.test(text)) violations.push(base + trick);
      }
    }
    const servedFiles: string[] = [];
    for (const path of hidden.split(' ')) if ((await raw(sweep, path)).status !== 404) servedFiles.push(path);
    return [
      expectNone('files from outside, or failures', bases.length * tricks.length, violations),
      expectNone('served files that should be hidden', 9, servedFiles),
    ];
  },
};

const hosts: SweepCheck = {
  id: 'C43',
  title: 'Foreign host names',
  async run(sweep) {
    const good = new URL(sweep.app.url).host;
    const claims: readonly Readonly<Record<string, string>>[] = [
      { host: 'evil.example' },
      { host: `${good}.evil.example` },
      { host: `evil.example:80@${good}` },
      // The local address is a trusted proxy here, so hosts it forwards are checked like any other.
      { 'x-forwarded-host': 'evil.example' },
      { forwarded: 'host=evil.example' },
      { 'x-original-url': '/web/apps', 'x-rewrite-url': '/web/apps' },
    ];
    const pages =
      '/ /shop /event /forum /web/login /web/reset_password /sitemap.xml /robots.txt /contactus /web/signup /fr /nowhere'.split(
        ' ',
      );
    const violations: string[] = [];
    for (const page of pages) {
      for (const claim of claims) {
        const { status, text } = await raw(sweep, page, claim);
        if (status >= 500 || text.includes('evil.example') || (claim.host && status < 400))
          violations.push(`${page} ${Object.values(claim)[0]}`);
      }
    }
    return [expectNone('pages that use them', pages.length * claims.length, violations)];
  },
};

export const addressChecks: readonly SweepCheck[] = [redirects, files, hosts];
