import { crc32, inflateRawSync } from 'node:zlib';

/** What a spreadsheet's files take once they are unpacked is more than allowed. */
export class TooLargeUnpacked extends Error {
  override readonly name = 'TooLargeUnpacked';
}

interface Entry {
  readonly name: Buffer;
  readonly content: Buffer;
}

const DIRECTORY_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const END_MARK = 0x06054b50;
const MOST_ENTRIES = 1_000;

/**
 * A zip file with the same XML files, unpacked. They are counted while they are unpacked, whatever the file says of itself, so a small file that holds
 * gigabytes is given up at the limit; and what reads the result finds what was counted, and nothing else.
 *
 * @throws TooLargeUnpacked, RangeError for what is no whole zip file.
 */
export function unpacked(zip: Buffer, mostBytes: number): Buffer {
  const entries: Entry[] = [];
  let left = mostBytes;
  for (const { name, method, packed } of packedFiles(zip)) {
    if (!/\.xml(\.rels)?$/.test(name.toString('utf8'))) continue;
    const content = method === 0 ? packed : inflated(packed, left);
    left -= content.length;
    if (left < 0) throw new TooLargeUnpacked();
    entries.push({ name, content });
  }
  return stored(entries);
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
function* packedFiles(zip: Buffer): Iterable<{ name: Buffer; method: number; packed: Buffer }> {
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
      name: zip.subarray(at + 46, at + 46 + nameLength),
      method: zip.readUInt16LE(at + 10),
      packed: zip.subarray(from, from + zip.readUInt32LE(at + 20)),
    };
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

/** A zip file of what is not packed. */
function stored(entries: readonly Entry[]): Buffer {
  const [files, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { name, content } of entries) {
    // From the version needed to the lengths, the same in both places.
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt32LE(crc32(content), 10);
    about.writeUInt32LE(content.length, 14);
    about.writeUInt32LE(content.length, 18);
    about.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    files.push(marked(LOCAL_MARK), about, name, content);
    directory.push(marked(DIRECTORY_MARK), Buffer.from([20, 0]), about, place, name);
    at += 30 + name.length + content.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    8,
  );
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, ...directory, marked(END_MARK), end]);
}

function marked(mark: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(mark);
  return bytes;
}
