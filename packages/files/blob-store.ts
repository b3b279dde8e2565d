import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type Config, ownFile, ownFolder, Unavailable } from '@pergola/core';
import { AwsClient } from 'aws4fetch';
import type { StoredFile } from './types.ts';

/** Named pieces of bytes; names are made by the filestore (`files/ab/abcd…`), never by visitors. */
export interface BlobStore {
  put(name: string, content: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array | null>;
  open(name: string): Promise<StoredFile | null>;
  has(name: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Names below a folder with the time each was put, and its bytes. */
  list(folder: string): AsyncIterable<{ name: string; at: Date; size: number }>;
}

/** Where the configuration says: a bucket when there is one, else the data folder. */
export function openBlobStore(config: Config): BlobStore {
  return config.s3 ? new BucketStore(config.s3) : new DiskStore(config.dataDir);
}

/** How much of a file is in memory for each visitor who reads it. */
const pieceBytes = 32 * 1024;
/** How long a bucket may take to answer; how long a whole content takes is its reader's matter where it is read in pieces. */
const answerMs = 30_000;

class DiskStore implements BlobStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Written beside its place and moved there when it is whole and on disk: a crash leaves no half file. */
  async put(name: string, content: Uint8Array): Promise<void> {
    const target = path.join(this.#root, name);
    await mkdir(path.dirname(target), { recursive: true, mode: ownFolder });
    const draft = `${target}.${randomBytes(6).toString('hex')}.part`;
    let handle: FileHandle | null = null;
    try {
      handle = await open(draft, 'wx', ownFile);
      await handle.writeFile(content);
      await handle.sync();
      await handle.close();
      handle = null;
      await rename(draft, target);
    } catch (error) {
      await handle?.close();
      await rm(draft, { force: true });
      throw error;
    }
  }

  async get(name: string): Promise<Uint8Array | null> {
    return readFile(path.join(this.#root, name)).catch(missingIsNull);
  }

  async open(name: string): Promise<StoredFile | null> {
    const file = path.join(this.#root, name);
    const about = await stat(file).catch(missingIsNull);
    if (about === null) return null;
    return {
      size: about.size,
      read: (start, end) => createReadStream(file, { start, end, highWaterMark: pieceBytes }),
    };
  }

  async has(name: string): Promise<boolean> {
    return (await stat(path.join(this.#root, name)).catch(missingIsNull)) !== null;
  }

  async remove(name: string): Promise<void> {
    await rm(path.join(this.#root, name), { force: true });
  }

  async *list(folder: string): AsyncIterable<{ name: string; at: Date; size: number }> {
    const entries = await readdir(path.join(this.#root, folder), { recursive: true, withFileTypes: true }).catch(
      missingIsNull,
    );
    for (const entry of entries ?? []) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const about = await stat(file).catch(missingIsNull);
      if (about) {
        const name = path.relative(this.#root, file).split(path.sep).join('/');
        yield { name, at: about.mtime, size: about.size };
      }
    }
  }
}

function missingIsNull(error: unknown): null {
  if (Error.isError(error) && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

/** A bucket of any service that speaks S3. */
class BucketStore implements BlobStore {
  readonly #client: AwsClient;
  readonly #url: string;

  constructor(s3: NonNullable<Config['s3']>) {
    const { url, region, accessKey, secretKey } = s3;
    this.#url = url.replace(/\/+$/, '');
    this.#client = new AwsClient({
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      region,
      service: 's3',
      retries: 3,
    });
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    await this.#ask(name, { method: 'PUT', body: Buffer.from(content) });
  }

  async get(name: string): Promise<Uint8Array | null> {
    const answer = await this.#ask(name, { method: 'GET' });
    return answer && new Uint8Array(await answer.arrayBuffer());
  }

  async open(name: string): Promise<StoredFile | null> {
    const answer = await this.#ask(name, { method: 'HEAD' });
    if (answer === null) return null;
    const size = Number(answer.headers.get('content-length'));
    return { size, read: (start, end) => Readable.from(this.#pieces(name, start, end), { objectMode: false }) };
  }

  async has(name: string): Promise<boolean> {
    return (await this.#ask(name, { method: 'HEAD' })) !== null;
  }

  async remove(name: string): Promise<void> {
    await this.#ask(name, { method: 'DELETE' });
  }

  async *list(folder: string): AsyncIterable<{ name: string; at: Date; size: number }> {
    let token = '';
    do {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: `${folder}/`,
        ...(token && { 'continuation-token': token }),
      });
      const answer = await this.#ask(`?${query}`, { method: 'GET' });
      const xml = answer ? await answer.text() : '';
      for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const at = new Date(textOf(entry, 'LastModified'));
        yield { name: textOf(entry, 'Key'), at, size: Number(textOf(entry, 'Size')) };
      }
      token = textOf(xml, 'NextContinuationToken');
    } while (token);
  }

  async *#pieces(name: string, start: number, end: number): AsyncIterable<Uint8Array> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMs);
    const headers = { range: `bytes=${start}-${end}` };
    const answer = await this.#ask(name, { method: 'GET', headers, signal: late.signal }).finally(() =>
      clearTimeout(timer),
    );
    if (!answer?.body) throw new Unavailable('The file storage no longer has the file.', { code: 'core.file_gone' });
    // All of it instead of a part would be sent as if it were that part.
    if (answer.status !== 206)
      throw new Unavailable('The file storage gives no parts of files.', { code: 'core.file_storage_refused' });
    yield* answer.body;
  }

  /** null for what is not there. */
  async #ask(name: string, init: RequestInit): Promise<Response | null> {
    const answer = await this.#client
      .fetch(`${this.#url}/${name}`, { signal: AbortSignal.timeout(answerMs), ...init })
      .catch((cause: unknown) => {
        throw new Unavailable('The file storage does not answer.', { code: 'core.file_storage_away', cause });
      });
    if (answer.ok) return answer;
    if (answer.status === 404) return null;
    throw new Unavailable(`The file storage answered ${answer.status}.`, { code: 'core.file_storage_refused' });
  }
}

function textOf(xml: string, tag: string): string {
  return new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? '';
}
