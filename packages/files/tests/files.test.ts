import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import sharp from 'sharp';
import { loadConfig } from '../../../core/base/config.ts';
import { closeDataFolder } from '../../../core/base/private-folder.ts';
import { type BlobStore, openBlobStore } from '../blob-store.ts';
import { HashedFileStore, plainName } from '../file-store.ts';
import { filesPart } from '../part.ts';
import { heic } from './heic-pictures.ts';

let folder: string;
let blobs: BlobStore;
let files: HashedFileStore;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'files-'));
  blobs = openBlobStore(loadConfig({ DATA_DIR: folder, SESSION_SECRET: 'a secret of the tests' }, [filesPart]));
  files = new HashedFileStore(blobs);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#1f6b4a' } }).withExif({
    IFD3: { GPSLatitude: '48/1 51/1 24/1' },
  });
const noise = () =>
  sharp({
    create: {
      width: 100,
      height: 100,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  });
const whole = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
const noteOf = (hash: string, box: typeof whole) =>
  `derived/${hash.slice(0, 2)}/${hash}${box === whole ? '' : `-${box.width}x${box.height}`}-webp.json`;
const kept = () =>
  readdirSync(path.join(folder, 'files'), { recursive: true }).filter((name) =>
    statSync(path.join(folder, 'files', String(name))).isFile(),
  );

/** What is made in the background, once it was. */
async function settled<T extends { readonly isPending: boolean }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (!answer.isPending) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('The filestore', () => {
  it('keeps the same content once, under its hash', async () => {
    const one = await files.put(Buffer.from('hello'), { name: 'a.txt' });
    const other = await files.put(Buffer.from('hello'), { name: 'b.txt' });
    expect(one).toMatchObject({ hash: other.hash, size: 5, mimetype: 'text/plain', name: 'a.txt' });
    expect(kept()).toHaveLength(1);
    expect(Buffer.from((await files.get(one.hash)) ?? []).toString()).toBe('hello');
  });

  it('takes only so much from one user that no record names', async () => {
    const [ann, ben] = [files.of(1), files.of(2)];
    const megabytes = (count: number) => Buffer.concat([randomBytes(16), Buffer.alloc(count * 2 ** 20)]);
    const first = await ann.put(megabytes(90));
    const stored = kept().length;
    await expect(ann.put(megabytes(90))).rejects.toMatchObject({ status: 422, code: 'core.unused_uploads' });
    await expect(ann.putImage(megabytes(90))).rejects.toMatchObject({ code: 'core.unused_uploads' });
    expect(kept()).toHaveLength(stored);
    await ben.put(megabytes(90));
    await files.put(megabytes(90));
    // Who has no account is counted by their network.
    await files.of('203.0.113.9').put(megabytes(90));
    await expect(files.of('203.0.113.9').put(megabytes(90))).rejects.toMatchObject({ code: 'core.unused_uploads' });
    await files.of('203.0.113.10').put(megabytes(90));
    ann.used(first.hash);
    await ann.put(megabytes(90));
    // What was refused for another reason, or is there already, takes nothing.
    for (let again = 0; again < 3; again += 1) await expect(ann.putImage(megabytes(50))).rejects.toThrow('Only image');
    for (let again = 0; again < 3; again += 1) await files.of(3).put(megabytes(0).fill(1));
  });

  it('lets one person have eight large pictures read at a time, and others go on', async () => {
    const large = await picture(1600, 1300).png().toBuffer();
    const small = await picture(40, 30).png().toBuffer();
    const [ann, ben] = [files.of(1), files.of(2)];
    const many = await Promise.allSettled([
      ...Array.from({ length: 40 }, () => ann.putImage(large)),
      ...Array.from({ length: 12 }, () => ann.putImage(small)),
      ben.putImage(large),
    ]);
    const refused = many.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    // How many find a place depends on how soon the first ones are done.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(32);
    expect(refused.every(({ code, status }) => code === 'core.images_busy' && status === 503)).toBe(true);
    expect(many.slice(40).map(({ status }) => status)).toEqual(Array(13).fill('fulfilled'));
    await ann.putImage(large);
  });

  it('gives parts of a file to who reads them', async () => {
    const { hash } = await files.put(Buffer.from('0123456789'));
    const opened = await files.open(hash);
    expect(opened?.size).toBe(10);
    const read = async (start: number, end: number) => (await opened?.read(start, end).toArray())?.join('');
    expect([await read(0, 9), await read(3, 5), await read(0, 0)]).toEqual(['0123456789', '345', '0']);
    expect(await files.open('0'.repeat(64))).toBeNull();
    expect(await files.open('../../session-secret')).toBeNull();
  });

  it('may be read by its owner only, also where it was open before', async () => {
    await files.put(Buffer.from('hello'));
    const modes = () =>
      ['', ...readdirSync(folder, { recursive: true }).map(String)].map((name) => {
        const about = statSync(path.join(folder, name));
        return about.mode & (about.isFile() ? 0o177 : 0o077);
      });
    chmodSync(folder, 0o755);
    chmodSync(path.join(folder, 'files'), 0o755);
    await closeDataFolder(folder);
    expect(new Set(modes())).toEqual(new Set([0]));
  });

  it('goes by the content, not by the sender, to find the type', async () => {
    const png = await picture(4, 4).png().toBuffer();
    expect((await files.put(png, { name: 'report.pdf', mimetype: 'text/html' })).mimetype).toBe('image/png');
  });

  it('answers null for what is not there or no hash at all', async () => {
    expect(await files.get('0'.repeat(64))).toBeNull();
    expect(await files.get('../../session-secret')).toBeNull();
  });

  it('encodes pictures anew, without where they were taken', async () => {
    const original = await picture(40, 30).jpeg().toBuffer();
    expect((await sharp(original).metadata()).exif).toBeDefined();
    const file = await files.putImage(original, { name: 'photo.jpg' });
    expect(file).toMatchObject({ mimetype: 'image/jpeg', width: 40, height: 30 });
    expect((await sharp(Buffer.from((await files.get(file.hash)) ?? [])).metadata()).exif).toBeUndefined();
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<html><body>hello</body></html>')],
    ['nothing', Buffer.alloc(0)],
    ['a PDF', Buffer.from('%PDF-1.4\n')],
    ['what only begins like a PNG', Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1')],
  ])('refuses %s as a picture', async (_, content) => {
    await expect(files.putImage(content)).rejects.toThrow('Only image files can be uploaded');
  });

  it.each([
    [
      'a JPEG cut off in its header',
      () => Buffer.concat([Buffer.from('\xff\xd8\xff\xe1\xff\xff', 'latin1'), Buffer.alloc(900)]),
    ],
    ['a PNG cut off', async () => (await noise().png().toBuffer()).subarray(0, 2000)],
    ['a JPEG cut off', async () => (await noise().jpeg().toBuffer()).subarray(0, 2000)],
    ['a HEIC cut off', () => heic.plain.subarray(0, heic.plain.length - 100)],
  ])('says that %s is damaged', async (_, make) => {
    await expect(files.putImage(await make())).rejects.toMatchObject({ code: 'core.image_damaged', status: 422 });
  });

  it.each([
    ['TIFF', () => picture(4, 4).tiff().toBuffer()],
    ['BMP', () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)])],
  ])('says that %s has to be saved in another format', async (format, make) => {
    await expect(files.putImage(await make())).rejects.toMatchObject({ code: 'core.image_format', params: { format } });
  });

  const colourIn = async (hash: string, left: number) => {
    const kept = sharp(Buffer.from((await files.get(hash)) ?? []));
    const { data } = await kept
      .extract({ left, top: 10, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [...data].map((value) => Math.round(value / 64));
  };

  it('takes photos of iPhones, in the colours of the web', async () => {
    const plain = await files.putImage(heic.plain);
    expect(plain).toMatchObject({ width: 64, height: 48 });
    expect([await colourIn(plain.hash, 8), await colourIn(plain.hash, 56)]).toEqual([
      [3, 1, 1],
      [1, 1, 3],
    ]);
    const wide = await files.putImage(heic.displayP3);
    expect(wide).toMatchObject({ mimetype: 'image/jpeg' });
    expect(await colourIn(wide.hash, 8)).toEqual([0, 4, 0]);
    const part = await files.putImage(heic.plain, { crop: { left: 40, top: 0, width: 20, height: 20 } });
    expect(part).toMatchObject({ width: 20, height: 20 });
    expect(await colourIn(part.hash, 5)).toEqual([1, 1, 3]);
  });

  it('takes the primary one of several pictures in a file', async () => {
    for (const content of [heic.severalAvif, heic.several]) {
      const file = await files.putImage(content);
      expect(file).toMatchObject({ width: 64, height: 48 });
      expect(await colourIn(file.hash, 8)).toEqual([4, 0, 0]);
    }
  });

  it('takes pictures of 50 megapixels', async () => {
    const file = await files.putImage(await picture(8192, 6144).jpeg().toBuffer());
    expect(file).toMatchObject({ width: 8192, height: 6144, mimetype: 'image/jpeg' });
  });

  it('refuses pictures with too many pixels or a side too long before it decodes them', async () => {
    const long = await picture(1, 16_385).png().toBuffer();
    await expect(files.putImage(long)).rejects.toThrow('This image is too large');
    await expect(files.putImage(await picture(100, 100).png().toBuffer(), { maxPixels: 9_999 })).rejects.toThrow(
      'This image is too large',
    );
  });

  it.each([
    ['a part', { left: 10, top: 5, width: 20, height: 10 }, [20, 10]],
    ['what lies in the picture', { left: 30, top: 20, width: 100, height: 100 }, [10, 10]],
    [
      'what of it lies in the picture, in its shape',
      { left: -5, top: 0, width: 9_999, height: 9_999, aspect: 5 / 3 },
      [40, 24],
    ],
    ['a tall part in its shape', { left: 0, top: 0, width: 20, height: 30, aspect: 5 / 3 }, [20, 12]],
    ['a part of that shape as it is', { left: 5, top: 5, width: 25, height: 15, aspect: 5 / 3 }, [25, 15]],
    ['less of what begins outside', { left: -5, top: -5, width: 20, height: 10 }, [15, 5]],
    ['nothing for a zero size', { left: 10, top: 10, width: 0, height: 10 }, [40, 30]],
    ['nothing for numbers that are none', { left: Number.NaN, top: 0, width: 10, height: 10 }, [40, 30]],
    ['nothing for a negative size', { left: 0, top: 0, width: -5, height: 10 }, [40, 30]],
  ])('cuts %s', async (_, crop, [width, height]) => {
    const file = await files.putImage(await picture(40, 30).png().toBuffer(), { crop });
    expect([file.width, file.height]).toEqual([width, height]);
  });

  it('makes smaller versions once, and never larger ones', async () => {
    const file = await files.putImage(await picture(400, 200).png().toBuffer());
    const small = await files.resized(file, { width: 100, height: 100 });
    expect([small.width, small.height]).toEqual([100, 50]);
    const before = kept().length;
    expect(await files.resized(file, { width: 100, height: 100 })).toEqual(small);
    expect(kept()).toHaveLength(before);
    expect(await files.resized(small, { width: 1000, height: 1000 })).toBe(small);
  });

  it('serves PNG and JPEG as WebP, in any size, made once', async () => {
    const noise = await sharp({
      create: {
        width: 400,
        height: 200,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 90 },
      },
    })
      .blur(4)
      .png()
      .toBuffer();
    for (const type of ['png', 'jpeg'] as const) {
      const file = await files.putImage(await sharp(noise).toFormat(type).toBuffer(), { name: 'a' });
      for (const box of [{ width: 100, height: 100 }, whole]) {
        const made = await files.resized(file, box, 'webp');
        expect(made).toMatchObject({ mimetype: 'image/webp', name: 'a' });
        expect([made.width, made.height]).toEqual(box === whole ? [400, 200] : [100, 50]);
        expect(made.size).toBeLessThan(file.size);
        const { format } = await sharp((await files.get(made.hash)) ?? undefined).metadata();
        expect(format).toBe('webp');
        const read = jest.spyOn(blobs, 'get');
        const again = await Promise.all([files.resized(file, box, 'webp'), files.resized(file, box, 'webp')]);
        expect(again).toEqual([made, made]);
        expect(read.mock.calls.map(([name]) => name)).toEqual([noteOf, noteOf].map((of) => of(file.hash, box)));
        read.mockRestore();
      }
      expect(await files.resized(file, { width: 100, height: 100 })).toMatchObject({ mimetype: `image/${type}` });
      expect(await files.resized(file, whole)).toBe(file);
    }
  });

  it('serves AVIF once it was made, and WebP until then', async () => {
    const background = { r: 40, g: 90, b: 60 };
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const drawn = sharp({ create: { width: 400, height: 200, channels: 3, background, noise } }).blur(5);
    const file = await files.putImage(await drawn.png().toBuffer(), { name: 'a' });
    const box = { width: 200, height: 200 };
    const first = await Promise.all([files.smallest(file, box), files.smallest(file, box)]);
    expect(first.map(({ file: { mimetype }, isPending }) => [mimetype, isPending])).toEqual([
      ['image/webp', true],
      ['image/webp', true],
    ]);
    const made = await settled(() => files.smallest(file, box));
    expect([made.file.mimetype, made.file.width, made.file.height]).toEqual(['image/avif', 200, 100]);
    expect(made.file.size).toBeLessThan(first[0]?.file.size ?? 0);
    const { compression } = await sharp((await files.get(made.file.hash)) ?? undefined).metadata();
    expect(compression).toBe('av1');
  });

  it('stays with WebP where AVIF is no smaller, and makes none of what is large or moves', async () => {
    const plain = await files.putImage(await picture(20, 10).png().toBuffer());
    expect((await settled(() => files.smallest(plain, { width: 10, height: 10 }))).file.mimetype).toBe('image/webp');
    const large = await files.putImage(await picture(2000, 1200).jpeg().toBuffer());
    expect((await files.smallest(large, whole)).isPending).toBe(false);
    const gif = await files.putImage(await picture(40, 30).gif().toBuffer());
    expect(await files.smallest(gif, whole)).toEqual({ file: gif, isPending: false });
  });

  it('converts a picture once for all who ask for it at the same time', async () => {
    const file = await files.putImage(await picture(400, 200).png().toBuffer());
    const read = jest.spyOn(blobs, 'get');
    await Promise.all([1, 2, 3, 4].map(() => files.resized(file, { width: 100, height: 100 }, 'webp')));
    // Two are worked on at once.
    expect(read.mock.calls.filter(([name]) => name.startsWith('files/')).length).toBeLessThanOrEqual(2);
    read.mockRestore();
  });

  it('keeps what is see-through when it makes WebP of a picture', async () => {
    const clear = sharp({ create: { width: 90, height: 60, channels: 4, background: '#c8202000' } });
    const file = await files.putImage(await clear.png().toBuffer());
    const made = await files.resized(file, { width: 45, height: 45 }, 'webp');
    const { data, info } = await sharp((await files.get(made.hash)) ?? undefined)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([made.mimetype, info.channels, data[3]]).toEqual(['image/webp', 4, 0]);
  });

  it('leaves pictures as they are where WebP would be no gain, or none at all', async () => {
    const gif = await files.putImage(await picture(40, 30).gif().toBuffer());
    expect(await files.resized(gif, { width: 20, height: 20 }, 'webp')).toMatchObject({ mimetype: 'image/gif' });
    const webp = await files.putImage(await picture(40, 30).webp().toBuffer());
    expect(await files.resized(webp, whole, 'webp')).toBe(webp);
    const longest = await files.putImage(await picture(16_384, 1).png().toBuffer());
    expect(await files.resized(longest, whole, 'webp')).toBe(longest);
    expect(await files.resized(longest, { width: 8192, height: 8192 }, 'webp')).toMatchObject({
      mimetype: 'image/webp',
    });
    const huge = { ...(await files.putImage(await picture(40, 30).png().toBuffer())), width: 4000, height: 2001 };
    expect(await files.resized(huge, whole, 'webp')).toBe(huge);
    const squares = Buffer.from(Array.from({ length: 64 * 64 }, (_, at) => (at % 2 ? 255 : 0)));
    const pattern = await sharp(squares, { raw: { width: 64, height: 64, channels: 1 } })
      .png({ palette: true })
      .toBuffer();
    const small = await files.putImage(pattern);
    expect(await files.resized(small, whole, 'webp')).toEqual(small);
  });

  it('says when it cannot delete', async () => {
    const { hash } = await files.put(Buffer.from('x'));
    const [name = ''] = await Array.fromAsync(blobs.list('files'), (blob) => blob.name);
    expect(name).toContain(hash);
    await blobs.remove(name);
    expect(await blobs.has(name)).toBe(false);
    await blobs.remove(name);
    await expect(blobs.remove('files')).rejects.toThrow();
  });

  it('leaves no half file when a write fails', async () => {
    await expect(blobs.put(`files/${'x'.repeat(300)}`, Buffer.from('a'))).rejects.toThrow();
    expect(readdirSync(path.join(folder, 'files'))).toEqual([]);
  });

  it('lists what it keeps with the time and the size of each', async () => {
    const { hash } = await files.put(Buffer.from('old'));
    const name = `files/${hash.slice(0, 2)}/${hash}`;
    utimesSync(path.join(folder, name), new Date(0), new Date(86_400_000));
    const listed = [];
    for await (const entry of blobs.list('files')) listed.push(entry);
    expect(listed).toEqual([{ name, at: new Date(86_400_000), size: 3 }]);
  });
});

describe('A file name', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\photo.jpg', 'photo.jpg'],
    ['a\u202Egpj.exe', 'agpj.exe'],
    ['line\r\nbreak.txt', 'linebreak.txt'],
    ['.htaccess', 'htaccess'],
    ['', 'file'],
    [`${'n'.repeat(400)}.pdf`, `${'n'.repeat(196)}.pdf`],
  ])('%j is shown as %j', (given, shown) => {
    expect(plainName(given)).toBe(shown);
  });
});
