import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../tools/testing/client.ts';
import { type Check, finding, openSite, pergola, placeAddons, signedIn } from './site.ts';

/** An addon that reports properties inherited by every object. */
const watcher: Readonly<Record<string, string>> = {
  'inherits/addon.ts': `import { defineAddon, route } from 'pergola';
const seen = route.json('/inherits', { name: 'inherits.seen' }, () => { const found = []; for (const name in {}) found.push(name); return { found, direct: ({}).polluted ?? null }; });
const page = route.page('/inherits/page', { name: 'inherits.page', cache: false }, ({ render }) => render('inherits.page', { thing: {} }));
export default defineAddon({ name: 'inherits', title: 'Inherits', summary: 'Reports', version: '1.0.0', depends: ['website'], routes: [seen, page] });
`,
  'inherits/templates/inherits.page.hbs':
    '<!doctype html><html lang="en"><head><title>x</title></head><body><p>[{{polluted}}{{thing.polluted}}]</p></body></html>\n',
};

/** As JSON text, because an object literal can't contain these keys. */
const values = [
  '{"__proto__":{"polluted":"yes"}}',
  '{"constructor":{"prototype":{"polluted":"yes"}}}',
  '{"a":{"__proto__":{"polluted":"yes"}}}',
  '{"__proto__":{"__proto__":{"polluted":"yes"}}}',
  '[{"__proto__":{"polluted":"yes"}}]',
  '{"\\u005f_proto__":{"polluted":"yes"}}',
];
const names = [
  '__proto__[polluted]',
  '__proto__.polluted',
  'constructor[prototype][polluted]',
  'constructor.prototype.polluted',
  'a[__proto__][polluted]',
  'a[constructor][prototype][polluted]',
  '[__proto__][polluted]',
  '__proto__[]',
  '__proto__',
];

function attempts(origin: string): { readonly path: string; readonly init: RequestInit }[] {
  const headers = { Origin: origin };
  const call = (params: string) => ({
    path: '/web/dataset/call_kw',
    init: {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: `{"jsonrpc":"2.0","method":"call","id":1,"params":${params}}`,
    },
  });
  const search = (args: string, kwargs: string) =>
    call(`{"model":"res.country","method":"search_read","args":${args},"kwargs":${kwargs}}`);
  const calls = values.flatMap((value) => [
    call(value),
    search('[[]]', value),
    search(`[[["name","=",${value}]]]`, '{}'),
    search('[[]]', `{"context":${value}}`),
    call(`{"model":"res.partner","method":"create","args":[${value}],"kwargs":{}}`),
  ]);
  const forms = names.flatMap((name) => {
    const parts = new FormData();
    parts.set(name, 'yes');
    parts.set('name', 'Ada');
    return [
      { path: `/shop?${encodeURIComponent(name)}=yes`, init: { headers } },
      { path: `/event?${name}=yes`, init: { headers } },
      { path: '/website/contact', init: { method: 'POST', headers, body: new URLSearchParams({ [name]: 'yes' }) } },
      { path: '/website/attach', init: { method: 'POST', headers, body: parts } },
    ];
  });
  const otherRequests = [
    {
      path: '/',
      init: {
        headers: { ['__proto__']: 'polluted=yes', constructor: 'yes', cookie: '__proto__=polluted; constructor=yes' },
      },
    },
    { path: '/__proto__/polluted', init: {} },
    { path: '/web/static/__proto__/x', init: {} },
    { path: '/web/binary/image?model=__proto__&id=constructor&field=prototype', init: {} },
  ];
  return [...calls, ...forms, ...otherRequests];
}

const pollution: Check = {
  id: 'C20',
  title: 'Values that would change all objects (prototype pollution)',
  async run() {
    await using site = await openSite('sqlite');
    const addons = placeAddons(site, watcher);
    const nodes = [
      await site.node({ ADDONS_PATH: addons, NODE_ID: 'one' }),
      await site.node({ ADDONS_PATH: addons, NODE_ID: 'two' }),
    ];
    await pergola(['enable', 'inherits', '--yes'], site.databaseUrl, site.dataDir, { ADDONS_PATH: addons });
    for (const node of nodes) while ((await fetch(`${node.url}/inherits`)).status === 404) await sleep(50);
    const [failed, polluted]: [string[], string[]] = [[], []];
    let requestCount = 0;
    for (const node of nodes)
      for (const client of [new Client(node.url), await signedIn(node.url)])
        for (const { path, init } of attempts(node.url)) {
          requestCount++;
          const { status } = await client.request(path, init);
          if (status >= 500) failed.push(`${status} ${path}`);
          const { text } = await new Client(node.url).get('/inherits');
          const page = await new Client(node.url).get('/inherits/page');
          if (text !== '{"found":[],"direct":null}' || !page.text.includes('[]')) polluted.push(`${path} ${text}`);
        }
    return [
      finding(
        'objects that inherited something',
        `${polluted.length} of ${requestCount} ${polluted[0] ?? ''}`,
        '0',
        polluted.length === 0,
      ),
      finding('failures', `${failed.length} ${failed[0] ?? ''}`, '0', failed.length === 0),
    ];
  },
};

export const pollutionChecks: readonly Check[] = [pollution];
