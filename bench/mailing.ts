import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { addonRoots, registerResolve, repository } from '@pergola/core';
import { makeRunFolder, removeRunFolder } from '../tools/testing/jest/run-folder.ts';
import { cpuTime } from './processes.ts';

/**
 * A large mailing (`--recipients`, 100,000 by default) sent to a mail server in another process: emails per second of wall-clock time and
 * of CPU (limit: 200), and whether each recipient got exactly one. Runs on SQLite.
 */
const { values } = parseArgs({ options: { recipients: { type: 'string' }, role: { type: 'string' } } });

interface MailCounts {
  readonly mails: number;
  readonly addresses: number;
  readonly ids: number;
}

if (values.role === 'sink') await sink();
else await measure(Number(values.recipients ?? 100_000));

/** A mail server that accepts everything and records the recipients. */
async function sink(): Promise<void> {
  const { SMTPServer } = await import('smtp-server');
  const addresses = new Set<string>();
  const ids = new Set<string>();
  let mails = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails += 1;
        for (const { address } of session.envelope.rcptTo) addresses.add(address);
        ids.add(/^message-id: *(\S+)/im.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? '');
        done();
      });
    },
  });
  server.on('error', () => {});
  process.on('message', () => process.send?.({ mails, addresses: addresses.size, ids: ids.size } satisfies MailCounts));
  process.once('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => {
    const address = server.server.address();
    process.send?.(typeof address === 'object' && address ? address.port : 0);
  });
}

async function measure(recipients: number): Promise<void> {
  registerResolve([...addonRoots(), join(repository, 'tools/testing/fixtures')]);
  // A database template from an earlier benchmark may have been built from older addons.
  const folder = makeRunFolder();
  process.env.TMPDIR = folder;
  process.once('exit', () => removeRunFolder(folder));
  const server = fork(fileURLToPath(import.meta.url), ['--role', 'sink']);
  const ask = <T>(): Promise<T> => new Promise((resolve) => server.once('message', (reply) => resolve(reply as T)));
  const port = await ask<number>();
  const [{ createTestApp }, { Contact, Mailing, MailingList }] = await Promise.all([
    import('../tools/testing/index.ts'),
    import('@pergola/mass_mailing'),
  ]);
  const app = await createTestApp({ addons: ['mass_mailing'], env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
  try {
    const list = await app.write((ctx) => ctx.model(MailingList).create({ name: 'Everybody' }));
    const filled = performance.now();
    for (let offset = 0; offset < recipients; offset += 1_000) {
      const people = Array.from({ length: Math.min(1_000, recipients - offset) }, (_, index) => ({
        email: `reader${offset + index}@example.org`,
        name: `Reader ${offset + index}`,
      }));
      await app.write((ctx) => ctx.model(Contact).subscribeAll(list, people, 'staff'));
    }
    console.log(`${recipients} subscribers created in ${seconds(filled)} s`);
    const mailing = await app.write((ctx) =>
      ctx.model(Mailing).create({
        name: 'News for {{first_name|you}}',
        headline: 'What is new',
        body_html: `<p>Dear {{name|reader}},</p>${'<p>This paragraph is as long as one of a letter that says something.</p>'.repeat(20)}`,
        button_label: 'Read more',
        button_url: '/newsletter',
        contact_list_ids: [list],
      }),
    );
    const started = performance.now();
    const cpu = cpuTime(process.pid);
    await app.write((ctx) => ctx.model(Mailing).send_mail([mailing]));
    for (let more = true; more; ) {
      await app.runJobs();
      const { state } = await app.read((ctx) => ctx.model(Mailing).get(mailing, { select: { state: true } }));
      more = state === 'sending';
      // `runJobs` skips jobs scheduled for later, such as a retry after the mail server was unreachable.
      if (more) await sleep(500);
    }
    const wall = (performance.now() - started) / 1_000;
    const used = (cpuTime(process.pid) - cpu) / 1_000_000;
    server.send('how many');
    const seen = await ask<MailCounts>();
    const { state, delivered } = await app.read((ctx) =>
      ctx.model(Mailing).get(mailing, { select: { state: true, delivered: true } }),
    );
    console.log(
      '| recipients | mails | addresses | Message-IDs | state | seconds | mails/s | CPU s | mails/s per core |',
    );
    console.log('|---|---|---|---|---|---|---|---|---|');
    const cells = [recipients, seen.mails, seen.addresses, seen.ids, `${state}, ${delivered}`, wall.toFixed(1)];
    const rates = [(seen.mails / wall).toFixed(0), used.toFixed(1), (seen.mails / used).toFixed(0)];
    console.log(`| ${[...cells, ...rates].join(' | ')} |`);
  } finally {
    await app.close();
    server.disconnect();
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
