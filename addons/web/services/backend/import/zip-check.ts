import { configure, TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';

configure({ useWebWorkers: false });

/** Thrown for a file whose content would exceed the memory limit. */
export class TooLargeUnpacked extends Error {
  override readonly name = 'TooLargeUnpacked';
}

const MAX_ENTRIES = 1_000;

/**
 * Checks a zip file before its content is read: its unpacked size is at most `maxBytes`, and its sizes and checksums are correct.
 *
 * @returns the text of `content.xml` in any letter case, which contains the sheets of OpenDocument files; empty for other files
 * @throws TooLargeUnpacked; an error of zip.js if the file is damaged
 */
export async function checkZip(zip: Uint8Array, maxBytes: number): Promise<string> {
  const entries = await new ZipReader(new Uint8ArrayReader(zip), { checkSignature: true }).getEntries();
  const size = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (entries.length > MAX_ENTRIES || size > maxBytes) throw new TooLargeUnpacked();
  let sheets = '';
  for (const entry of entries) {
    if (entry.directory) continue;
    const text = await entry.getData(new TextWriter());
    if (entry.filename.toLowerCase() === 'content.xml') sheets = text;
  }
  return sheets;
}
