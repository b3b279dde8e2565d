import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../tools/testing/client.ts';
import { startDurablePostgres } from './durable-postgres.ts';
import { type Check, call, contacts, finding, openSite, quantile, signedIn } from './site.ts';

/** Creates contacts at this node until stopped, or until the node is down; collects the names that were acknowledged. */
function writeTo(client: Client, prefix: string): { stop(): Promise<{ acknowledged: string[]; failed: string[] }> } {
  const [acknowledged, failed]: [string[], string[]] = [[], []];
  let stopped = false;
  const loop = async (): Promise<void> => {
    for (let index = 0; !stopped; index++) {
      const name = `${prefix} ${index}`;
      await call(client, 'res.partner', 'create', { name }).then(
        () => acknowledged.push(name),
        (error: unknown) => failed.push(String(error)),
      );
      await sleep(25);
    }
  };
  const running = loop();
  return {
    async stop() {
      stopped = true;
      await running;
      return { acknowledged, failed };
    },
  };
}

const killed: Check = {
  id: 'C13',
  title: 'Three nodes on PostgreSQL, one of them killed under load',
  async run() {
    await using site = await openSite('postgres');
    const nodes = [
      await site.node({ NODE_ID: 'one' }),
      await site.node({ NODE_ID: 'two' }),
      await site.node({ NODE_ID: 'three' }),
    ];
    const clients = await Promise.all(nodes.map(({ url }) => signedIn(url)));
    const writers = clients.map((client, index) => writeTo(client, `c13 ${index}`));
    await sleep(3000);
    await nodes[0]?.stop('SIGKILL');
    await sleep(6000);
    const outcomes = await Promise.all(writers.map((writer) => writer.stop()));
    const [, second] = clients;
    if (!second) return [];
    const storedNames = new Set(await contacts(second, 'c13'));
    const lostNames = outcomes.flatMap(({ acknowledged }) => acknowledged).filter((name) => !storedNames.has(name));
    const otherFailures = outcomes.slice(1).flatMap(({ failed }) => failed);
    const count = outcomes.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    return [
      finding('acknowledged writes', count, 'many', count > 100),
      finding('acknowledged and lost', lostNames.length, '0', lostNames.length === 0),
      finding('failures at the other nodes', otherFailures.length, '0', otherFailures.length === 0),
    ];
  },
};

const rolling: Check = {
  id: 'C14',
  title: 'Two nodes restarted in turn, five times, under load that honours readiness',
  async run() {
    await using site = await openSite('postgres');
    const nodes = [await site.node({ NODE_ID: 'one' }), await site.node({ NODE_ID: 'two' })];
    const failed: string[] = [];
    let [requestCount, stopped] = [0, false];
    const isReady = async (url: string): Promise<boolean> => {
      const response = await fetch(`${url}/readyz`).catch(() => null);
      await response?.text();
      return response?.status === 200;
    };
    const balancer = new Set(nodes.map(({ url }) => url));
    const probes = (async () => {
      while (!stopped) {
        for (const { url } of nodes)
          if (await isReady(url)) balancer.add(url);
          else balancer.delete(url);
        await sleep(50);
      }
    })();
    const visitors = Array.from({ length: 8 }, async (_, index) => {
      while (!stopped) {
        const url = [...balancer][index % Math.max(1, balancer.size)];
        if (url) {
          requestCount++;
          await fetch(`${url}/contactus`).then(
            async (response) => {
              await response.text();
              if (response.status !== 200) failed.push(String(response.status));
            },
            (error: unknown) => failed.push(String((error as { cause?: unknown }).cause ?? error)),
          );
        }
        await sleep(20);
      }
    });
    const [codes, startTimes]: [unknown[], number[]] = [[], []];
    for (let round = 0; round < 5; round++) {
      for (const [index, name] of ['one', 'two'].entries()) {
        const node = nodes[index];
        if (!node) continue;
        const startedAt = performance.now();
        codes.push(await node.stop());
        startTimes.push(performance.now() - startedAt);
        nodes[index] = await site.node({ NODE_ID: name, PORT: String(node.port) });
        await sleep(300);
      }
    }
    stopped = true;
    await Promise.all([probes, ...visitors]);
    return [
      finding(
        'failed requests',
        `${failed.length} of ${requestCount} ${failed.slice(0, 3).join('; ')}`,
        '0',
        failed.length === 0,
      ),
      finding(
        'exit codes',
        [...new Set(codes)].join(', '),
        '0',
        codes.every((code) => code === 0),
      ),
      finding('longest stop', `${Math.max(...startTimes).toFixed(0)} ms`, '10 s', Math.max(...startTimes) < 10_000),
    ];
  },
};

/** An integer setting that administrators can change. */
const SETTING = 'sale.pending_days';

/** A kind of change that is written at one node and observed at another. */
interface Kind {
  readonly name: string;
  /** Writes a value unique to this turn. */
  write(turn: number): Promise<unknown>;
  /** Whether the other node shows the value written in this turn. */
  isSeen(turn: number): Promise<boolean>;
}

/** Measures how long the other node takes, in ms, and how often it showed an older value afterwards. */
async function follow(kind: Kind, turns: number): Promise<{ waited: number[]; older: number }> {
  const waited: number[] = [];
  let older = 0;
  for (let turn = 0; turn < turns; turn++) {
    await kind.write(turn);
    const startedAt = performance.now();
    while (!(await kind.isSeen(turn)) && performance.now() - startedAt < 5000) await sleep(5);
    waited.push(performance.now() - startedAt);
    for (let attempt = 0; attempt < 3; attempt++) if (!(await kind.isSeen(turn))) older++;
  }
  return { waited, older };
}

const fresh: Check = {
  id: 'C15',
  title:
    'What one node writes, another one shows, and nothing older afterwards: 40 pages, prices, translations, publications and settings',
  async run() {
    await using site = await openSite('postgres');
    const [firstNode, two] = [await site.node({ NODE_ID: 'one' }), await site.node({ NODE_ID: 'two' })];
    const [admin, otherAdmin] = [await signedIn(firstNode.url), await signedIn(two.url)];
    const first = async (model: string, domain: unknown[], fields: string[]) =>
      (await call<{ id: number; url: string; website_url: string }[]>(admin, model, 'search_read', domain, fields))[0];
    const page = await first('website.page', [['url', '!=', '/']], ['url']);
    const product = await first('product.template', [['website_published', '=', true]], ['website_url']);
    if (!page || !product) return [finding('a page and a product to edit', 'none', 'one', false)];
    const fetchPage = async (path: string): Promise<{ status: number; text: string }> => {
      const response = await fetch(two.url + path);
      return { status: response.status, text: await response.text() };
    };
    const write = (model: string, id: number, values: object, context: object = {}) =>
      admin.rpc('/web/dataset/call_kw', { model, method: 'write', args: [[id], values], kwargs: { context } });
    const titleOf = (turn: number) => `Fresh ${turn} of c15`;
    const kinds: readonly Kind[] = [
      {
        name: 'page',
        write: (turn) => write('website.page', page.id, { name: titleOf(turn), website_meta_title: titleOf(turn) }),
        isSeen: async (turn) => (await fetchPage(page.url)).text.includes(titleOf(turn)),
      },
      {
        name: 'price',
        write: (turn) => write('product.template', product.id, { list_price: 311 + turn + 0.37 }),
        isSeen: async (turn) => (await fetchPage(product.website_url)).text.includes(`${311 + turn}.37`),
      },
      {
        name: 'translation',
        write: (turn) =>
          write('website.page', page.id, { website_meta_title: `Frais ${turn} de c15` }, { lang: 'fr_FR' }),
        isSeen: async (turn) => (await fetchPage(`/fr${page.url}`)).text.includes(`Frais ${turn} de c15`),
      },
      {
        name: 'publication',
        write: (turn) => write('product.template', product.id, { website_published: turn % 2 === 1 }),
        isSeen: async (turn) => ((await fetchPage(product.website_url)).status === 200) === (turn % 2 === 1),
      },
      {
        name: 'setting',
        write: (turn) => admin.rpc('/web/backend/settings/change', { values: { [SETTING]: 11 + turn } }),
        isSeen: async (turn) =>
          JSON.stringify(await otherAdmin.rpc('/web/backend/settings', {})).includes(`"value":${11 + turn}`),
      },
    ];
    const findings = [];
    for (const kind of kinds) {
      const { waited, older } = await follow(kind, 40);
      const longest = Math.max(...waited);
      const took = `${longest.toFixed(0)} ms (median ${quantile(waited, 0.5).toFixed(0)})`;
      findings.push(
        finding(`${kind.name}: longest until the other node shows it`, took, '1 s', longest < 1000),
        finding(`${kind.name}: older value afterwards`, older, '0 of 120', older === 0),
      );
    }
    return findings;
  },
};

const probed: Check = {
  id: 'C14',
  title: 'The probes while the database is down for 4 s',
  async run() {
    await using postgres = await startDurablePostgres();
    await using site = await openSite('postgres', postgres.url);
    const node = await site.node();
    const [violations, responseTimes, replies]: [string[], number[], Set<string>] = [[], [], new Set()];
    const probe = async (path: string): Promise<number> => {
      const startedAt = performance.now();
      const response = await fetch(node.url + path).catch(() => null);
      const text = (await response?.text()) ?? '';
      responseTimes.push(performance.now() - startedAt);
      replies.add(text.trim());
      const revealingHeaders = [...(response?.headers.keys() ?? [])].filter((name) =>
        /server|powered|version/.test(name),
      );
      if (revealingHeaders.length > 0 || /\d/.test(text))
        violations.push(`${path}: ${revealingHeaders.join()} ${text}`);
      return response?.status ?? 0;
    };
    await probe('/readyz');
    const startedAt = performance.now();
    const outage = postgres.restart(4000);
    let [down, up]: [number, number] = [0, 0];
    while (performance.now() - startedAt < 12_000 && up === 0) {
      if ((await probe('/healthz')) !== 200) violations.push('/healthz was not 200');
      const readyStatus = await probe('/readyz');
      if (down === 0 && readyStatus === 503) down = performance.now() - startedAt;
      if (down > 0 && readyStatus === 200) up = performance.now() - startedAt;
      await sleep(20);
    }
    await outage;
    const p99 = quantile(responseTimes, 0.99);
    return [
      finding('until it reports that it isn’t ready', `${down.toFixed(0)} ms`, '2 s', down > 0 && down < 2000),
      finding(
        'until it is ready again',
        `${(up - 4000).toFixed(0)} ms after the database was started, its recovery with it`,
        '3 s',
        up > 0 && up < 7000,
      ),
      finding(
        'time of a probe',
        `${p99.toFixed(0)} ms at the 99th percentile of ${responseTimes.length}`,
        '50 ms',
        p99 < 50,
      ),
      finding('responses of the probes', [...replies].join(', '), 'yes or no', violations.length === 0),
    ];
  },
};

const revoked: Check = {
  id: 'C16',
  title: 'A user without rights, and an ended session, on the other node',
  async run() {
    await using site = await openSite('postgres');
    const [firstNode, two] = [await site.node({ NODE_ID: 'one' }), await site.node({ NODE_ID: 'two' })];
    const admin = await signedIn(firstNode.url);
    const [user] = await call<{ id: number }[]>(
      admin,
      'res.users',
      'search_read',
      [['login', '=', 'editor']],
      ['login'],
    );
    const waited: number[] = [];
    for (let turn = 0; turn < 20; turn++) {
      const session = await signedIn(two.url, 'editor');
      await call(admin, 'res.users', 'write', [user?.id], { active: false });
      const startedAt = performance.now();
      while (performance.now() - startedAt < 5000) {
        const isRefused = await call(session, 'res.partner', 'search_count', []).then(
          () => false,
          () => true,
        );
        if (isRefused) break;
        await sleep(10);
      }
      waited.push(performance.now() - startedAt);
      await call(admin, 'res.users', 'write', [user?.id], { active: true });
      await sleep(300);
    }
    const longest = Math.max(...waited);
    return [finding('longest until the other node refuses', `${longest.toFixed(0)} ms`, '1 s', longest < 1000)];
  },
};

export const nodeChecks: readonly Check[] = [killed, rolling, probed, fresh, revoked];
