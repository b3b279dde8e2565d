import { Worker } from 'node:worker_threads';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Longer than the largest phone photo takes on a slow machine. */
const TIMEOUT_MS = 60_000;
/** Offset of the end of a PNG's first chunk: signature and header. */
const PNG_HEADER = 33;

export interface HeicJob {
  readonly content: Uint8Array;
  readonly maxPixels: number;
}
export interface HeicPixels {
  /** RGBA, one byte per channel. */
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/** Metadata from the image's container. */
interface HeicAbout {
  readonly hasAlpha: boolean;
  /** Colour profile, if any. */
  readonly icc?: Uint8Array;
}

/**
 * Decodes an iPhone photo, rotated upright, into an uncompressed PNG with its colour profile.
 *
 * @throws Error if it is damaged, has too many pixels, or takes too long
 */
export async function decodeHeic(
  content: Uint8Array,
  maxPixels: number,
  { hasAlpha, icc }: HeicAbout,
): Promise<Buffer> {
  const { data, width, height } = await pixelsOf({ content, maxPixels });
  const picture = sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width, height, channels: 4 },
    limitInputPixels: maxPixels,
  });
  const png = await (hasAlpha ? picture : picture.removeAlpha()).png({ compressionLevel: 0 }).toBuffer();
  return icc ? withProfile(png, icc) : png;
}

function pixelsOf(workerData: HeicJob): Promise<HeicPixels> {
  // The decoder prints errors of damaged files, which would fill the logs, so its output is discarded.
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), {
    workerData,
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const timer = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
  return new Promise<HeicPixels>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The HEIC decoder ended with ${code}.`)));
  }).finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
}

/** Adds a colour profile to a PNG; the image library can only convert to one. */
function withProfile(png: Buffer, icc: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(icc)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, PNG_HEADER), length, body, checksum, png.subarray(PNG_HEADER)]);
}
