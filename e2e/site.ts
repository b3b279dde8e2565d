import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Mailbox,
  type OpenPage,
  openMailbox,
  type PageOptions,
  type RunningServer,
  type ServerOptions,
  startServer,
  withBrowser,
} from '../tools/testing/index.ts';

/** The running site of a journey, and who visits it. */
export interface Site {
  /** without a slash at the end */
  readonly url: string;
  readonly server: RunningServer;
  /** where its mails arrive */
  readonly mailbox: Mailbox;
  /** Opens a page of a visitor of its own on this site: `page.goto('/shop')`. Closed after the test. */
  openPage(options?: PageOptions): Promise<OpenPage>;
}

/**
 * A site with the demo data, in a process of its own as a visitor would meet it, for the journeys of this file: started before the first test,
 * ended after the last. Each file has a fresh one; the demo data is loaded once in a run, and copied.
 *
 * ```ts
 * const site = withSite();
 * test('A visitor buys a ticket', async () => {
 *   const { page, expectNoTrouble } = await site.openPage({ width: 360, height: 740 });
 *   await page.goto('/event');
 *   …
 *   expect((await site.mailbox.waitFor((mail) => mail.subject?.includes('order'))).text).toContain('1,000.00');
 * });
 * ```
 */
export function withSite(options: Pick<ServerOptions, 'env' | 'command'> = {}): Site {
  const browser = withBrowser();
  let running: { server: RunningServer; mailbox: Mailbox } | undefined;
  const now = (): { server: RunningServer; mailbox: Mailbox } => {
    if (running === undefined) throw new Error('The site starts before the first test: ask for it within tests.');
    return running;
  };

  beforeAll(async () => {
    const mailbox = await openMailbox();
    const dataDir = mkdtempSync(join(tmpdir(), 'e2e-'));
    cpSync(await demoData(options), dataDir, { recursive: true });
    const env = { ...options.env, SMTP_URL: mailbox.url, DATA_DIR: dataDir };
    running = { server: await startServer({ ...options, env }), mailbox };
  }, 180_000);

  afterAll(async () => {
    if (running === undefined) return;
    await running.server.stop();
    await running.mailbox.close();
    rmSync(running.server.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }, 30_000);

  return {
    get url() {
      return now().server.url;
    },
    get server() {
      return now().server;
    },
    get mailbox() {
      return now().mailbox;
    },
    openPage: (pageOptions) => browser.openPage({ baseUrl: now().server.url, ...pageOptions }),
  };
}

/** The data folder of a site just after its first start. The folder for temporary files is one of this run, and so is what is kept there. */
async function demoData({ command }: Pick<ServerOptions, 'command'>): Promise<string> {
  const folder = join(tmpdir(), 'e2e-demo-data');
  if (existsSync(folder)) return folder;
  const first = await startServer({ ...(command ? { command } : {}), timeout: 120_000 });
  const code = await first.stop();
  if (code !== 0) throw new Error(`The first start of the site did not end well (${code}):\n${first.output()}`);
  renameSync(first.dataDir, folder);
  return folder;
}
