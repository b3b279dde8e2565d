import { crc32, inflateRawSync } from 'node:zlib';

/** What a spreadsheet's files take once they are unpacked is more than allowed. */
export class TooLargeUnpacked extends Error {
  override readonly name = 'TooLargeUnpacked';
}

const DIRECTORY_MARK = 0x02014b50;
const END_MARK = 0x06054b50;
const MOST_ENTRIES = 1_000;

/**
 * The XML files in a zip file by path, in lower case and with slashes. Their size is counted while they are unpacked, whatever the file claims, so a small file
 * that expands to gigabytes is given up at the limit.
 *
 * @throws TooLargeUnpacked, RangeError for a broken zip file.
 */
export function unpacked(zip: Buffer, mostBytes: number): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let left = mostBytes;
  for (const { name, method, packed, checksum } of packedFiles(zip)) {
    if (!/\.xml(\.rels)?$/i.test(name)) continue;
    const content = method === 0 ? packed : inflated(packed, left);
    left -= content.length;
    if (left < 0) throw new TooLargeUnpacked();
    if (crc32(content) !== checksum) throw new RangeError('a damaged file');
    files.set(name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase(), content);
  }
  return files;
}

function inflated(packed: Buffer, most: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) });
  } catch (error) {
    if (Error.isError(error) && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw new TooLargeUnpacked();
    throw error;
  }
}

/** What the list of contents at the end names. */
function* packedFiles(zip: Buffer): Iterable<{ name: string; method: number; packed: Buffer; checksum: number }> {
  const end = zip.lastIndexOf(marked(END_MARK));
  if (end < 0) throw new RangeError('no list of contents');
  const count = zip.readUInt16LE(end + 10);
  if (count > MOST_ENTRIES) throw new TooLargeUnpacked();
  let at = zip.readUInt32LE(end + 16);
  for (let number = 0; number < count; number += 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_MARK) throw new RangeError('a broken list of contents');
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    yield {
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      method: zip.readUInt16LE(at + 10),
      checksum: zip.readUInt32LE(at + 16),
      packed: zip.subarray(from, from + zip.readUInt32LE(at + 20)),
    };
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

function marked(mark: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(mark);
  return bytes;
}
