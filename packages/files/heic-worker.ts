import { parentPort, workerData } from 'node:worker_threads';
import type { HeicJob, HeicPixels } from './heic.ts';

/*
 * Decodes one HEIC image in a worker thread that ends afterwards: the decoder is WebAssembly, whose memory only ever grows. Memory beyond
 * the limit is refused, so a malicious file fails instead of exhausting the server.
 */
const MAX_MEMORY = 768 * 1024 * 1024;
const PAGE = 65_536;
const { grow } = WebAssembly.Memory.prototype;
function growWithinBound(this: WebAssembly.Memory, pages: number): number {
  if (this.buffer.byteLength + pages * PAGE > MAX_MEMORY) throw new RangeError('The picture needs too much memory.');
  return grow.call(this, pages);
}
WebAssembly.Memory.prototype.grow = growWithinBound;

const { default: libheif } = await import('libheif-js/wasm-bundle.js');
const { content, maxPixels } = workerData as HeicJob;
const images = new libheif.HeifDecoder().decode(content);
const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
if (!image) throw new Error('There is no picture in the file.');
const [width, height] = [image.get_width(), image.get_height()];
if (!(width > 0 && height > 0 && width * height <= maxPixels)) throw new Error('The picture has too many pixels.');
const data = new Uint8ClampedArray(width * height * 4);
await new Promise<void>((resolve, reject) =>
  image.display({ data, width, height }, (decoded) =>
    decoded ? resolve() : reject(new Error('The picture is damaged.')),
  ),
);
parentPort?.postMessage({ data, width, height } satisfies HeicPixels, [data.buffer]);
