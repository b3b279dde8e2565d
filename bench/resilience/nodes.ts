import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../core/testing/client.ts';
import { type Check, call, contacts, finding, openSite, quantile, signedIn } from './site.ts';

/** Creates contacts at this node until told to stop, or it is gone; keeps the names that were acknowledged. */
function writeTo(client: Client, prefix: string): { stop(): Promise<{ acknowledged: string[]; failed: string[] }> } {
  const [acknowledged, failed]: [string[], string[]] = [[], []];
  let stopped = false;
  const loop = async (): Promise<void> => {
    for (let at = 0; !stopped; at++) {
      const name = `${prefix} ${at}`;
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
    const writers = clients.map((client, at) => writeTo(client, `c13 ${at}`));
    await sleep(3000);
    await nodes[0]?.stop('SIGKILL');
    await sleep(6000);
    const written = await Promise.all(writers.map((writer) => writer.stop()));
    const [, second] = clients;
    if (!second) return [];
    const kept = new Set(await contacts(second, 'c13'));
    const lost = written.flatMap(({ acknowledged }) => acknowledged).filter((name) => !kept.has(name));
    const others = written.slice(1).flatMap(({ failed }) => failed);
    const count = written.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    return [
      finding('acknowledged writes', count, 'many', count > 100),
      finding('acknowledged and lost', lost.length, '0', lost.length === 0),
      finding('failures at the other nodes', others.length, '0', others.length === 0),
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
    let [asked, stopped] = [0, false];
    const ready = async (url: string): Promise<boolean> => {
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      await answer?.text();
      return answer?.status === 200;
    };
    const balancer = new Set(nodes.map(({ url }) => url));
    const probes = (async () => {
      while (!stopped) {
        for (const { url } of nodes)
          if (await ready(url)) balancer.add(url);
          else balancer.delete(url);
        await sleep(50);
      }
    })();
    const visitors = Array.from({ length: 8 }, async (_, at) => {
      while (!stopped) {
        const url = [...balancer][at % Math.max(1, balancer.size)];
        if (url) {
          asked++;
          await fetch(`${url}/contactus`).then(
            async (answer) => {
              await answer.text();
              if (answer.status !== 200) failed.push(String(answer.status));
            },
            (error: unknown) => failed.push(String((error as { cause?: unknown }).cause ?? error)),
          );
        }
        await sleep(20);
      }
    });
    const [codes, took]: [unknown[], number[]] = [[], []];
    for (let round = 0; round < 5; round++) {
      for (const [at, name] of ['one', 'two'].entries()) {
        const node = nodes[at];
        if (!node) continue;
        const began = performance.now();
        codes.push(await node.stop());
        took.push(performance.now() - began);
        nodes[at] = await site.node({ NODE_ID: name, PORT: String(node.port) });
        await sleep(300);
      }
    }
    stopped = true;
    await Promise.all([probes, ...visitors]);
    return [
      finding(
        'failed requests',
        `${failed.length} of ${asked} ${failed.slice(0, 3).join('; ')}`,
        '0',
        failed.length === 0,
      ),
      finding(
        'exit codes',
        [...new Set(codes)].join(', '),
        '0',
        codes.every((code) => code === 0),
      ),
      finding('longest stop', `${Math.max(...took).toFixed(0)} ms`, '10 s', Math.max(...took) < 10_000),
    ];
  },
};

const fresh: Check = {
  id: 'C15',
  title: 'What one node writes, another one shows, and nothing older afterwards',
  async run() {
    await using site = await openSite('postgres');
    const [one, two] = [await site.node({ NODE_ID: 'one' }), await site.node({ NODE_ID: 'two' })];
    const admin = await signedIn(one.url);
    const [page] = await call<{ id: number; url: string }[]>(
      admin,
      'website.page',
      'search_read',
      [['url', '=', '/about-us']],
      ['url'],
    );
    const [target] = page
      ? [page]
      : await call<{ id: number; url: string }[]>(admin, 'website.page', 'search_read', [['url', '!=', '/']], ['url']);
    if (!target) return [finding('a page to edit', 'none', 'one', false)];
    const waited: number[] = [];
    let older = 0;
    for (let turn = 0; turn < 200; turn++) {
      const name = `Fresh ${turn} of c15`;
      await call(admin, 'website.page', 'write', [target.id], { name, website_meta_title: name });
      const began = performance.now();
      for (;;) {
        if ((await (await fetch(two.url + target.url)).text()).includes(name)) break;
        if (performance.now() - began > 5000) break;
        await sleep(5);
      }
      waited.push(performance.now() - began);
      if (!(await (await fetch(two.url + target.url)).text()).includes(name)) older++;
    }
    const longest = Math.max(...waited);
    return [
      finding(
        'longest until the other node shows it',
        `${longest.toFixed(0)} ms (median ${quantile(waited, 0.5).toFixed(0)})`,
        '250 ms',
        longest < 1000,
      ),
      finding('older pages afterwards', older, '0 of 200', older === 0),
    ];
  },
};

const revoked: Check = {
  id: 'C16',
  title: 'A user who may no more, and a session that ended, at the other node',
  async run() {
    await using site = await openSite('postgres');
    const [one, two] = [await site.node({ NODE_ID: 'one' }), await site.node({ NODE_ID: 'two' })];
    const admin = await signedIn(one.url);
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
      const began = performance.now();
      while (performance.now() - began < 5000) {
        const refused = await call(session, 'res.partner', 'search_count', []).then(
          () => false,
          () => true,
        );
        if (refused) break;
        await sleep(10);
      }
      waited.push(performance.now() - began);
      await call(admin, 'res.users', 'write', [user?.id], { active: true });
      await sleep(300);
    }
    const longest = Math.max(...waited);
    return [finding('longest until the other node refuses', `${longest.toFixed(0)} ms`, '1 s', longest < 1000)];
  },
};

export const nodeChecks: readonly Check[] = [killed, rolling, fresh, revoked];
