import { appendFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { app, service } from 'pergola';

/** An opened email or a followed link. */
export interface TrackedEvent {
  readonly recipient: number;
  /** ID of the link; 0 for opening the email. */
  readonly link: number;
  readonly at: Date;
}

const FILE = 'seen.log';
/** Limit of the set that deduplicates repeated opens. */
const REMEMBERED = 20_000;

/** Spools opens and clicks in a log file until they are written to the database, because GET requests don't write tables. */
export class Spool extends service('mass_mailing.spool', { config: app.config }) {
  readonly #known = new Set<string>();

  async note({ recipient, link }: Omit<TrackedEvent, 'at'>): Promise<void> {
    const key = `${recipient} ${link}`;
    if (this.#known.has(key)) return;
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.add(key);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await appendFile(path.join(this.#folder, FILE), `${key} ${Date.now()}\n`, { mode: 0o600 });
  }

  /** Processes the spooled entries file by file; each file is deleted after it was processed. */
  async each(work: (seen: readonly TrackedEvent[]) => Promise<void>): Promise<void> {
    const folder = this.#folder;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Concurrent writers may still have the old file open, so it is read in the next run.
    await rename(path.join(folder, FILE), path.join(folder, `seen-${Date.now()}.part`)).catch(() => {});
    for (const name of (await readdir(folder)).filter((fileName) => fileName.endsWith('.part')).sort()) {
      const file = path.join(folder, name);
      await work(parse(await readFile(file, 'utf8')));
      await rm(file, { force: true });
    }
  }

  get #folder(): string {
    return path.join(this.config.dataDir, 'mailings');
  }
}

function parse(text: string): TrackedEvent[] {
  return text.split('\n').flatMap((line) => {
    const [, recipient, link, time] = /^(\d{1,15}) (\d{1,15}) (\d{13})$/.exec(line) ?? [];
    return recipient ? [{ recipient: Number(recipient), link: Number(link), at: new Date(Number(time)) }] : [];
  });
}
