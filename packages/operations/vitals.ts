import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config, PartHost } from '@pergola/core';
import type { DiskSpace, Vitals } from '@pergola/http';

/** A disk with less space counts as full: neither a database nor an upload can be written reliably. */
const FULL_BYTES = 8 * 1024 * 1024;
/** A disk with less space than this, and less than this share, will soon be full. */
const LOW_BYTES = 1024 ** 3;
const LOW_SHARE = 0.1;
/** Probes and metrics requested within this time get the previous result. */
const KEPT_MS = 2_000;

/** Monitors the resources of a site: space on its disks, and reports of its parts, such as jobs running on time and email being sent. */
export class VitalSigns {
  readonly #host: PartHost;
  #disks: Kept<readonly DiskSpace[]> | null = null;
  #vitals: Kept<Vitals> | null = null;

  constructor(host: PartHost) {
    this.#host = host;
  }

  /** Free space of the disks with the database (SQLite only), the files (unless they're in a bucket) and the backups. */
  disks(): Promise<readonly DiskSpace[]> {
    this.#disks = keptOr(this.#disks, () => disksOf(this.#host.config));
    return this.#disks.value;
  }

  /** Disks, and the reports of the parts. */
  read(isFresh = false): Promise<Vitals> {
    this.#vitals = keptOr(isFresh ? null : this.#vitals, async () => {
      const reports = this.#host.parts.map((part) => part.health?.(this.#host));
      const [disks, ...health] = await Promise.all([this.disks(), ...reports]);
      return Object.assign({ disks }, ...health) as Vitals;
    });
    return this.#vitals.value;
  }
}

interface Kept<T> {
  readonly value: Promise<T>;
  readonly until: number;
}

/** The value while it is recent; concurrent requests share one reading. */
function keptOr<T>(cached: Kept<T> | null, read: () => Promise<T>): Kept<T> {
  return cached && performance.now() < cached.until ? cached : { value: read(), until: performance.now() + KEPT_MS };
}

async function disksOf({ databaseUrl, dataDir, s3 }: Config): Promise<readonly DiskSpace[]> {
  const folders: (readonly [DiskSpace['holds'][number], string])[] = [['backups', path.join(dataDir, 'backups')]];
  if (!s3) folders.unshift(['files', path.join(dataDir, 'files')]);
  if (databaseUrl.startsWith('sqlite:'))
    folders.unshift(['database', path.dirname(path.resolve(databaseUrl.slice('sqlite:'.length)))]);
  const byDevice = new Map<number, { holds: DiskSpace['holds'][number][]; folder: string }>();
  for (const [content, wantedFolder] of folders) {
    const folder = await existing(wantedFolder);
    const { dev } = await stat(folder);
    const disk = byDevice.get(dev) ?? { holds: [], folder };
    disk.holds.push(content);
    byDevice.set(dev, disk);
  }
  return Promise.all([...byDevice.values()].map(({ holds, folder }) => spaceOf(holds, folder)));
}

/** The folder, or its nearest existing parent. */
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
