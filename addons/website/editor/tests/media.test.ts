import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Attachment } from '@pergola/base';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import sharp from 'sharp';
import { mediaQuota } from '../media/store.ts';
import { WebsiteAttachment } from '../models/attachment.ts';
import { Piece } from './fixtures/fx_pieces/addon.ts';
import { roots } from './fixtures/roots.ts';

interface Attached {
  id: number;
  website_url: string;
  name: string;
  width: number;
  height: number;
  error?: string;
}

const picture = (width: number, height: number, colour = '#7a5') =>
  sharp({ create: { width, height, channels: 3, background: colour } });
const file = (content: Uint8Array | string, name: string, type: string) =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type });

someDatabase('pictures and files of the website', (database) => {
  let app: TestApp;
  let editor: Awaited<ReturnType<TestApp['as']>>;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_pieces'], roots, database, demo: true });
    editor = await app.as('editor');
  });
  afterAll(() => app?.close());

  const storedFiles = () => readdirSync(join(app.application.config.dataDir, 'files'), { recursive: true }).length;
  const attach = async (fields: Record<string, string | File>, client = editor, path = '/website/attach') => {
    const answer = await client.form(path, fields);
    return { ...answer.json<Attached>(), status: answer.status, type: answer.headers.get('content-type') };
  };
  const png = async (name: string, colour = '#7a5', width = 40, height = 30) =>
    file(await picture(width, height, colour).png().toBuffer(), name, 'image/png');
  const call = (method: string, args: unknown[], kwargs: object = {}, client: Pick<TestApp, 'rpc'> = editor) =>
    client.rpc('/web/dataset/call_kw', { model: 'ir.attachment', method, args, kwargs });

  describe('/website/attach', () => {
    it('keeps a picture and answers its id and address as JSON, without a script', async () => {
      const attached = await attach({ upload: await png('garden.png', '#101') });
      expect(attached).toMatchObject({
        status: 200,
        type: 'application/json; charset=utf-8',
        name: 'garden.png',
        width: 40,
        height: 30,
      });
      expect(attached.website_url).toMatch(
        new RegExp(`^/website/image/ir\\.attachment/${attached.id}_[0-9a-f]{7}/datas$`),
      );
      const row = await app.read((ctx) =>
        ctx
          .model(Attachment)
          .get(attached.id, { select: { res_model: true, res_id: true, public: true, mimetype: true } }),
      );
      expect(row).toMatchObject({ res_model: 'ir.ui.view', public: true, mimetype: 'image/png' });
      expect(row.res_id || 0).toBe(0);
    });

    it('serves it to everybody, for ever under the address of its content, and in smaller sizes', async () => {
      const { id, website_url: url } = await attach({ upload: await png('wide.png', '#202', 1000, 500) });
      const response = await app.visitor().get(url);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(response.headers.get('cache-control')).toContain('max-age=31536000');
      expect(response.headers.get('content-disposition')).toMatch(/^inline/);
      expect(response.headers.get('content-disposition')).toContain('wide.png');
      const asWebp = await fetch(`${app.url}${url}`, { headers: { accept: 'image/webp,*/*' } });
      expect([asWebp.headers.get('content-type'), asWebp.headers.get('vary')]).toEqual(['image/webp', 'Accept']);
      expect(asWebp.headers.get('content-disposition')).toContain('wide.webp');
      const small = await fetch(`${app.url}${url}/300x300`);
      const { width, height } = await sharp(Buffer.from(await small.arrayBuffer())).metadata();
      expect([width, height]).toEqual([320, 160]);
      const byId = await app.visitor().get(`/website/image/ir.attachment/${id}/datas`);
      expect(byId.headers.get('cache-control')).not.toContain('31536000');
      expect(
        (await app.visitor().get(`/website/image/ir.attachment/${id}_0000000/datas`)).headers.get('cache-control'),
      ).not.toContain('31536000');
      expect((await app.visitor().get('/website/image/ir.attachment/999999/datas')).status).toBe(404);
      expect((await app.visitor().get('/website/image/ir.attachment/x/datas')).status).toBe(404);
    });

    it('serves nothing that is private, and no file that is no picture', async () => {
      const secret = await app.write(async (ctx) =>
        ctx.model(Attachment).create({
          name: 'x',
          datas: await ctx.files.putImage(await picture(5, 5).png().toBuffer()),
          res_model: 'res.users',
          res_id: 1,
        }),
      );
      expect((await app.visitor().get(`/website/image/ir.attachment/${secret}/datas`)).status).toBe(404);
      const { id } = await attach({ upload: file('hello', 'a.txt', 'text/plain') }, editor, '/website/attach_file');
      expect((await app.visitor().get(`/website/image/ir.attachment/${id}/datas`)).status).toBe(404);
    });

    it('makes pictures anew: nothing of the camera stays, and none is wider than screens are', async () => {
      const jpeg = await picture(3000, 1000)
        .jpeg()
        .withExif({ IFD0: { Copyright: 'somewhere' }, IFD3: { GPSLatitude: '48/1 0/1 0/1' } })
        .toBuffer();
      expect((await sharp(jpeg).metadata()).exif).toBeDefined();
      const { website_url: url, width } = await attach({ upload: file(jpeg, 'p.jpg', 'image/jpeg') });
      expect(width).toBe(2560);
      const served = await fetch(`${app.url}${url}`);
      expect((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).exif).toBeUndefined();
      expect((await attach({ upload: file(jpeg, 'q.jpg', 'image/jpeg'), disable_optimization: '1' })).width).toBe(3000);
      expect((await attach({ upload: file(jpeg, 'r.jpg', 'image/jpeg'), disable_optimization: '600' })).width).toBe(
        600,
      );
    });

    it('answers what is there already for the same picture of the same name, and keeps it under another name too', async () => {
      const first = await attach({ upload: await png('one.png', '#303') });
      expect((await attach({ upload: await png('one.png', '#303') })).id).toBe(first.id);
      const second = await attach({ upload: await png('two.png', '#303') });
      expect(second.id).not.toBe(first.id);
      const attachmentIds = await app.read((ctx) => ctx.model(Attachment).search([['name', 'ilike', 'two.png']]));
      expect(attachmentIds).toEqual([second.id]);
    });

    it.each<[string, () => Promise<File> | File]>([
      ['a text', () => file('hello', 'x.png', 'image/png')],
      ['HTML', () => file('<script>alert(1)</script>', 'x.html', 'text/html')],
      [
        'SVG',
        () => file('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'x.svg', 'image/svg+xml'),
      ],
    ])('refuses %s with the text for the help area, and keeps nothing', async (_name, make) => {
      const initialCount = await app.read((ctx) => ctx.model(Attachment).count([]));
      expect(await attach({ upload: await make() })).toMatchObject({
        status: 200,
        error: 'Only image files can be uploaded',
      });
      expect(await app.read((ctx) => ctx.model(Attachment).count([]))).toBe(initialCount);
    });

    it.each<[string, () => Promise<File>, RegExp]>([
      [
        'a cut picture',
        async () => file((await picture(500, 500).png().toBuffer()).subarray(0, 300), 'x.png', 'image/png'),
        /damaged or incomplete/,
      ],
      [
        'TIFF',
        async () => file(await picture(5, 5).tiff().toBuffer(), 'x.tiff', 'image/tiff'),
        /^TIFF images can’t be shown on websites\. Save the image as JPEG or PNG and upload it again\.$/,
      ],
    ])('says what to do with %s, and keeps nothing', async (_name, make, error) => {
      const initialCount = await app.read((ctx) => ctx.model(Attachment).count([]));
      expect(await attach({ upload: await make() })).toMatchObject({
        status: 200,
        error: expect.stringMatching(error),
      });
      expect(await app.read((ctx) => ctx.model(Attachment).count([]))).toBe(initialCount);
    });

    it('refuses pictures of more than 52 million pixels', async () => {
      const huge = await sharp({ create: { width: 7300, height: 7200, channels: 3, background: '#fff' } })
        .png({ compressionLevel: 9 })
        .toBuffer();
      const { error } = await attach({ upload: file(huge, 'huge.png', 'image/png') });
      expect(error).toMatch(/52/);
    });

    it('refuses more than 20 MB', async () => {
      const answer = await editor.form('/website/attach', {
        upload: file(new Uint8Array(21 * 1024 * 1024), 'x.png', 'image/png'),
      });
      expect(answer.status).toBe(413);
    });

    it('takes the address of a picture of this site, and of no other', async () => {
      const coast = await attach({ url: '/website/static/pictures/coast.jpg' });
      expect(coast).toMatchObject({ website_url: '/website/static/pictures/coast.jpg', name: 'coast.jpg' });
      // Attaching it again returns the same attachment.
      expect(await attach({ url: '/website/static/pictures/coast.jpg' })).toEqual(coast);
      expect((await attach({ url: ' ' })).error).toBe('You must enter a Image URL to insert');
      for (const url of [
        'https://evil.example/x.png',
        '//evil.example/x.png',
        'javascript:alert(1)',
        'file:///etc/passwd',
        'http://127.0.0.1/x.png',
      ])
        expect((await attach({ url })).error).toMatch(/other sites/);
    });

    it('is for those who may keep files', async () => {
      const upload = await png('theirs.png', '#404');
      const visitor = await app.visitor().form('/website/attach', { upload });
      expect([302, 303, 401, 403]).toContain(visitor.status);
      const portal = await app.as('portal');
      const stored = storedFiles();
      for (const path of ['/website/attach', '/website/attach_file']) {
        const answer = await portal.form(path, { upload: file(randomBytes(100_000), 'theirs.bin', 'application/zip') });
        expect(answer.status).toBe(404);
      }
      expect(storedFiles()).toBe(stored);
    });

    it('stops at the space a user has', async () => {
      await app.write((ctx) => ctx.settings.set(mediaQuota, 1));
      const uploadPicture = (name: string) =>
        attach({ upload: file(new Uint8Array(700_000), name, 'application/zip') }, editor, '/website/attach_file');
      const answers = [await uploadPicture('a.zip'), await uploadPicture('b.zip')];
      const stored = storedFiles();
      // Rejected uploads aren't stored, or even read.
      const upload = file(randomBytes(700_000), 'c.zip', 'application/zip');
      expect((await attach({ upload }, editor, '/website/attach_file')).error).toMatch(/^Your uploads exceed/);
      expect(storedFiles()).toBe(stored);
      await app.write((ctx) => ctx.settings.set(mediaQuota, 500));
      expect(answers.map(({ error }) => error)).toEqual([
        undefined,
        'Your uploads exceed your 1 MB limit. Delete some you no longer use.',
      ]);
    });
  });

  describe('/website/attach_file', () => {
    const uploadFile = (content: string, name: string, more: Record<string, string> = {}) =>
      attach({ upload: file(content, name, 'application/octet-stream'), ...more }, editor, '/website/attach_file');

    it('keeps any file for downloads', async () => {
      const attached = await uploadFile('<script>alert(1)</script>', 'page.html');
      expect(attached).toMatchObject({ name: 'page.html', website_url: `/web/content/${attached.id}/page.html` });
      const answer = await app.visitor().get(attached.website_url);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.text).toContain('alert(1)');
    });

    it('gives a second one of the same name another, or replaces it when told to', async () => {
      const first = await uploadFile('one', 'plan.pdf');
      expect(await uploadFile('two', 'plan.pdf')).toMatchObject({ name: 'plan-2.pdf' });
      expect(await uploadFile('three', 'plan.pdf')).toMatchObject({ name: 'plan-3.pdf' });
      expect(await uploadFile('four', 'plan.pdf', { overwrite: '1' })).toMatchObject({
        id: first.id,
        name: 'plan.pdf',
      });
      expect((await app.visitor().get(first.website_url)).text).toBe('four');
    });

    it('wants a file', async () => {
      expect((await attach({ nothing: 'x' }, editor, '/website/attach_file')).error).toBe('Choose a file first.');
    });
  });

  describe('the pickers', () => {
    it('find pictures as clients of the original do, the newest first', async () => {
      const picture = await attach({ upload: await png('apple tree.png', '#501') });
      const two = await attach({ upload: await png('pear tree.png', '#502') });
      const domain = [
        ['res_model', '=', 'ir.ui.view'],
        '|',
        ['mimetype', '=', false],
        ['mimetype', '=like', 'image/%'],
        ['name', 'ilike', 'TREE'],
      ];
      const rows = await call('search_read', [], { domain, fields: ['name', 'website_url'], order: 'id desc' });
      expect(rows).toEqual([
        { id: two.id, name: 'pear tree.png', website_url: two.website_url },
        { id: picture.id, name: 'apple tree.png', website_url: picture.website_url },
      ]);
    });

    it('find files with how often they are used', async () => {
      const attached = await attach({ upload: file('abc', 'rules.txt', 'text/plain') }, editor, '/website/attach_file');
      await app.write((ctx) =>
        ctx.model(Piece).create({ name: 'Rules', story: `<p><a href="${attached.website_url}">x</a></p>` }),
      );
      const fields = ['name', 'write_date', 'datas_fname', 'website_file_url', 'website_file_count', 'file_size'];
      const rows = await call('search_read', [], {
        domain: [
          ['website_file', '=', true],
          ['datas_fname', '=', 'rules.txt'],
        ],
        fields,
      });
      expect(rows).toEqual([
        {
          id: attached.id,
          name: 'rules.txt',
          datas_fname: 'rules.txt',
          website_file_url: attached.website_url,
          website_file_count: 1,
          file_size: 3,
          write_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        },
      ]);
    });
  });

  describe('try_remove', () => {
    it('deletes what nothing uses, and answers an empty map', async () => {
      const { id, website_url: url } = await attach({ upload: await png('lonely.png', '#601') });
      expect(await call('try_remove', [[id]])).toEqual({});
      expect((await app.visitor().get(url)).status).toBe(404);
    });

    it('keeps what is still used, in any language and any model, and names the users', async () => {
      const used = await attach({ upload: await png('used.png', '#602') });
      const free = await attach({ upload: await png('free.png', '#603') });
      const inFrench = `<p>rien que <a href="${used.website_url}/480x960">cela</a></p>`;
      const piece = await app.write((ctx) =>
        ctx.model(Piece).create({ name: 'Garden', story: { en_US: '<p>none</p>', fr_FR: inFrench } }),
      );
      expect(await call('try_remove', [[used.id, free.id]])).toEqual({
        [used.id]: [{ id: piece, name: 'Garden', website_url: '' }],
      });
      expect(await app.read((ctx) => ctx.model(WebsiteAttachment).search([['id', 'in', [used.id, free.id]]]))).toEqual([
        used.id,
      ]);
      await app.write((ctx) =>
        ctx.model(Piece).write(piece, { story: { en_US: '<p>none</p>', fr_FR: '<p>nothing</p>' } }),
      );
      expect(await call('try_remove', [[used.id]])).toEqual({});
    });

    it('does not take one picture for another whose number begins alike', async () => {
      const attached = await attach({ upload: await png('first.png', '#604') });
      await app.write((ctx) =>
        ctx.model(Piece).create({
          name: 'Other',
          story: `<p><img src="/website/image/ir.attachment/${attached.id}7_abcdef0/datas"></p>`,
        }),
      );
      expect(await call('try_remove', [[attached.id]])).toEqual({});
    });

    it('of files leaves pictures alone', async () => {
      const picture = await attach({ upload: await png('stays.png', '#605') });
      expect(await call('try_remove_file', [[picture.id]])).toEqual({});
      expect(await app.read((ctx) => ctx.model(Attachment).count([['id', '=', picture.id]]))).toBe(1);
    });

    it('is refused to those who may not delete files', async () => {
      const picture = await attach({ upload: await png('guarded.png', '#606') });
      for (const client of [app.visitor(), await app.as('portal')])
        await expect(call('try_remove', [[picture.id]], {}, client)).rejects.toThrow();
      expect(await app.read((ctx) => ctx.model(Attachment).count([['id', '=', picture.id]]))).toBe(1);
    });
  });
});
