import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMailbox } from '../../tools/testing/mailbox.ts';
import {
  type Check,
  call,
  contacts,
  type Dialect,
  type Finding,
  finding,
  openSite,
  type Site,
  signedIn,
} from './site.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 20);

async function killedWhileWriting(dialect: Dialect): Promise<Finding[]> {
  await using site = await openSite(dialect);
  let node = await site.node();
  const port = String(node.port);
  let [count, lostCount, unknown, slowest] = [0, 0, 0, 0];
  for (let round = 0; round < rounds; round++) {
    const client = await signedIn(node.url);
    const [acknowledged, sent]: [string[], Set<string>] = [[], new Set()];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; ; turn++) {
        const name = `c07 ${round} ${writer} ${turn}`;
        sent.add(name);
        const isCreated = await call(client, 'res.partner', 'create', { name }).then(
          () => true,
          () => false,
        );
        if (!isCreated) return;
        acknowledged.push(name);
      }
    });
    await sleep(200 + Math.random() * 800);
    await node.stop('SIGKILL');
    await Promise.all(writers);
    node = await site.node({ PORT: port });
    slowest = Math.max(slowest, node.startTime);
    const storedNames = new Set(await contacts(await signedIn(node.url), `c07 ${round} `));
    count += acknowledged.length;
    lostCount += acknowledged.filter((name) => !storedNames.has(name)).length;
    unknown += [...storedNames].filter((name) => !sent.has(name)).length;
  }
  const sound = dialect === 'sqlite' ? integrity(site) : 'ok';
  return [
    finding(`${dialect}: acknowledged writes lost`, `${lostCount} of ${count}`, '0', lostCount === 0 && count > rounds),
    finding(`${dialect}: unknown rows`, unknown, '0', unknown === 0),
    finding(`${dialect}: integrity and foreign keys`, sound, 'ok', sound === 'ok'),
    finding(`${dialect}: ready again`, `${slowest.toFixed(0)} ms`, '5 s', slowest < 5000),
  ];
}

/** SQLite's integrity check of a site's file, run in a separate process. */
export function integrity({ dataDir }: Pick<Site, 'dataDir'>): string {
  const file = join(dataDir, 'site.db');
  const script = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(process.argv[1]);
    const [{ integrity_check: said }] = db.prepare('pragma integrity_check').all();
    console.log(db.prepare('pragma foreign_key_check').all().length === 0 ? said : 'foreign keys broken');`;
  return execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', script, file], {
    encoding: 'utf8',
  }).trim();
}

const kills: Check = {
  id: 'C07',
  title: `kill -9 while contacts are written, ${rounds} times`,
  run: async () => [...(await killedWhileWriting('sqlite')), ...(await killedWhileWriting('postgres'))],
};

const synced: Check = {
  id: 'C08',
  title: 'Each acknowledged write of SQLite is on the disk first (needs strace)',
  async run() {
    if (spawnSync('strace', ['-V']).error) return [finding('strace', 'not installed', 'installed', false)];
    await using site = await openSite('sqlite');
    const node = await site.node();
    const client = await signedIn(node.url);
    const log = join(site.dataDir, 'strace.log');
    const tracer = spawn('strace', ['-f', '-p', String(node.pid), '-e', 'trace=fsync,fdatasync', '-o', log], {
      stdio: 'ignore',
    });
    await sleep(1500);
    let unsynced = 0;
    for (let turn = 0; turn < 200; turn++) {
      const syncsBefore = syncs(log);
      await call(client, 'res.partner', 'create', { name: `c08 ${turn}` });
      // strace logs the call slightly after it has ended; the server doesn't reply before that.
      for (let tries = 0; syncs(log) === syncsBefore && tries < 40; tries++) await sleep(5);
      if (syncs(log) === syncsBefore) unsynced++;
    }
    tracer.kill();
    return [finding('writes without a sync', `${unsynced} of 200`, '0', unsynced === 0)];
  },
};

function syncs(log: string): number {
  try {
    return readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => /f(data)?sync\(\d+\)?.*= 0/.test(line)).length;
  } catch {
    return 0;
  }
}

const mails: Check = {
  id: 'C12',
  title: `kill -9 between the commit and the email, ${rounds} times`,
  async run() {
    await using site = await openSite('sqlite');
    const mailbox = await openMailbox();
    const env = { SMTP_URL: mailbox.url };
    let node = await site.node(env);
    const port = String(node.port);
    const requestedEmails: string[] = [];
    for (let round = 0; round < rounds; round++) {
      // Requests a password reset: its email is sent after the response.
      const client = await signedIn(node.url);
      const email = `c12-${round}@example.com`;
      const id = await call<number>(client, 'res.users', 'create', { name: email, login: email, email });
      await call(client, 'res.users', 'action_reset_password', [id]);
      requestedEmails.push(email);
      await sleep(Math.random() * 120);
      await node.stop('SIGKILL');
      node = await site.node({ ...env, PORT: port });
    }
    // A process's claim on a job expires 9 seconds after the process dies.
    await sleep(15_000);
    const received = mailbox.received();
    const to = (email: string) => received.filter(({ envelopeTo }) => envelopeTo.includes(email));
    const lostEmails = requestedEmails.filter((email) => to(email).length === 0);
    const repeated = requestedEmails.filter(
      (email) =>
        new Set(to(email).map(({ subject, messageId }) => `${subject} ${messageId}`)).size !==
        new Set(to(email).map(({ subject }) => subject)).size,
    );
    const maxEmails = Math.max(...requestedEmails.map((email) => to(email).length));
    await mailbox.close();
    return [
      finding('emails lost', `${lostEmails.length} of ${requestedEmails.length}`, '0', lostEmails.length === 0),
      finding('repeats with another Message-ID', repeated.length, '0', repeated.length === 0),
      finding('most emails to one address', maxEmails, '2', maxEmails <= 2),
    ];
  },
};

export const crashChecks: readonly Check[] = [kills, synced, mails];
