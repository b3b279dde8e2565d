import { appendFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { app, service } from 'pergola';

/** That somebody opened a mail, or followed a link of it. */
export interface Seen {
  readonly recipient: number;
  /** The link; 0 for the mail itself. */
  readonly link: number;
  readonly at: Date;
}

const FILE = 'seen.log';
/** The same mail is opened again and again; only so many are remembered. */
const REMEMBERED = 20_000;

/** Notes of opens and clicks on their way to the database: a GET writes no table, so they wait in a file as in a server's log. */
export class Spool extends service('mass_mailing.spool', { config: app.config }) {
  readonly #known = new Set<string>();

  async note({ recipient, link }: Omit<Seen, 'at'>): Promise<void> {
    const key = `${recipient} ${link}`;
    if (this.#known.has(key)) return;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.add(key);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await appendFile(path.join(this.#folder, FILE), `${key} ${Date.now()}\n`, { mode: 0o600 });
  }

  /** Hands over what is there, a file at a time; each goes when the work with it is done. */
  async each(work: (seen: readonly Seen[]) => Promise<void>): Promise<void> {
    const folder = this.#folder;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Whoever appends at this moment still has the old name open, so it is read with the next turn.
    await rename(path.join(folder, FILE), path.join(folder, `seen-${Date.now()}.part`)).catch(() => {});
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.part')).sort()) {
      const file = path.join(folder, name);
      await work(parse(await readFile(file, 'utf8')));
      await rm(file, { force: true });
    }
  }

  get #folder(): string {
    return path.join(this.config.dataDir, 'mailings');
  }
}

function parse(text: string): Seen[] {
  return text.split('\n').flatMap((line) => {
    const [, recipient, link, at] = /^(\d{1,15}) (\d{1,15}) (\d{13})$/.exec(line) ?? [];
    return recipient ? [{ recipient: Number(recipient), link: Number(link), at: new Date(Number(at)) }] : [];
  });
}
