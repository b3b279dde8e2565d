import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../base/index.ts';
import { type Database, rowsOf } from '../db/index.ts';
import type { DiskSpace, Vitals } from '../http/index.ts';

/** A job counts as overdue when it has been waiting for this long since it was due. */
const OVERDUE_MS = 10 * 60_000;
/** A disk with less room is full: neither a database nor an upload can be written reliably. */
const FULL_BYTES = 8 * 1024 * 1024;
/** A disk with less room than this, and less than this share, runs out soon. */
const LOW_BYTES = 1024 ** 3;
const LOW_SHARE = 0.1;
/** Probes and figures asked for again within this time get the last answer. */
const KEPT_MS = 2_000;

/** Watches what a site needs to go on: room on its disks, jobs that run on time, email that leaves. */
export class VitalSigns {
  readonly #config: Config;
  readonly #database: Database;
  #disks: Kept<readonly DiskSpace[]> | null = null;
  #vitals: Kept<Vitals> | null = null;

  constructor(config: Config, database: Database) {
    this.#config = config;
    this.#database = database;
  }

  /** Free space of the disks with the database (SQLite only), the files (unless they're in a bucket) and the backups. */
  disks(): Promise<readonly DiskSpace[]> {
    this.#disks = keptOr(this.#disks, () => disksOf(this.#config));
    return this.#disks.value;
  }

  /** Disks, overdue jobs and failing email. */
  read(): Promise<Vitals> {
    this.#vitals = keptOr(this.#vitals, async () => {
      const [disks, jobs, mail] = await Promise.all([
        this.disks(),
        overdueJobs(this.#database),
        mailBacklog(this.#database),
      ]);
      return { disks, jobs, mail };
    });
    return this.#vitals.value;
  }
}

interface Kept<T> {
  readonly value: Promise<T>;
  readonly until: number;
}

/** The value while it is recent; requests that ask at the same time share one reading. */
function keptOr<T>(kept: Kept<T> | null, read: () => Promise<T>): Kept<T> {
  return kept && performance.now() < kept.until ? kept : { value: read(), until: performance.now() + KEPT_MS };
}

async function disksOf({ databaseUrl, dataDir, s3 }: Config): Promise<readonly DiskSpace[]> {
  const folders: (readonly [DiskSpace['holds'][number], string])[] = [['backups', path.join(dataDir, 'backups')]];
  if (!s3) folders.unshift(['files', path.join(dataDir, 'files')]);
  if (databaseUrl.startsWith('sqlite:'))
    folders.unshift(['database', path.dirname(path.resolve(databaseUrl.slice('sqlite:'.length)))]);
  const byDevice = new Map<number, { holds: DiskSpace['holds'][number][]; folder: string }>();
  for (const [content, wanted] of folders) {
    const folder = await existing(wanted);
    const { dev } = await stat(folder);
    const disk = byDevice.get(dev) ?? { holds: [], folder };
    disk.holds.push(content);
    byDevice.set(dev, disk);
  }
  return Promise.all([...byDevice.values()].map(({ holds, folder }) => spaceOf(holds, folder)));
}

/** The folder, or the nearest above it that exists. */
async function existing(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  const parent = path.dirname(folder);
  return isThere || parent === folder ? folder : existing(parent);
}

async function spaceOf(holds: DiskSpace['holds'], folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const [free, size] = [bavail * bsize, blocks * bsize];
  const isLow = free < LOW_BYTES && free < size * LOW_SHARE;
  return { holds, free, size, state: free < FULL_BYTES ? 'full' : isLow ? 'low' : 'well' };
}

/** Jobs that should have begun, those lost by a process that ended among them, and entries of the timetable that were not started. */
async function overdueJobs({ knex, reader, codec }: Database): Promise<Vitals['jobs']> {
  const limit = codec.encode('datetime', new Date(Date.now() - OVERDUE_MS)) as number;
  const [waiting] = await rowsOf(
    reader,
    knex('core_job')
      .where('state', 'waiting')
      .andWhere('run_at', '<', limit)
      .count({ n: '*' })
      .min({ since: 'run_at' }),
  );
  const [lost] = await rowsOf(
    reader,
    knex('core_job')
      .where('state', 'running')
      .andWhere('lease_until', '<', limit)
      .count({ n: '*' })
      .min({ since: 'lease_until' }),
  );
  const [timetable] = await rowsOf(
    reader,
    knex('core_cron').where('next_at', '<', limit).count({ n: '*' }).min({ since: 'next_at' }),
  );
  const groups = [waiting, lost, timetable].flatMap((row) => (row && Number(row.n) > 0 ? [row] : []));
  const times = groups.map(({ since }) => (codec.decode('datetime', since) as Date).getTime());
  return {
    overdue: groups.reduce((sum, { n }) => sum + Number(n), 0),
    since: times.length > 0 ? new Date(Math.min(...times)) : null,
  };
}

async function mailBacklog({ knex, reader, codec }: Database): Promise<Vitals['mail']> {
  const [oldest] = await rowsOf(reader, knex('core_outbox').where('state', 'waiting').min({ at: 'create_date' }));
  const [failed] = await rowsOf(
    reader,
    knex('core_outbox')
      .whereIn('state', ['waiting', 'failed'])
      .whereNotNull('error')
      .orderBy('create_date', 'desc')
      .limit(1)
      .select('error'),
  );
  const at = oldest?.at ?? null;
  return {
    oldestWaiting: at === null ? null : (codec.decode('datetime', at) as Date),
    lastError: failed ? String(failed.error) : null,
  };
}
