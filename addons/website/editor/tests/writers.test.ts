import { randomBytes } from 'node:crypto';
import { Attachment, Group, Partner, User } from '@pergola/base';
import { type Client, createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import sharp from 'sharp';
import { mediaQuota } from '../media/store.ts';
import { roots } from './fixtures/roots.ts';

interface Attached {
  readonly id?: number;
  readonly name?: string;
  readonly website_url?: string;
  readonly error?: string;
}

/** Unique image of about 300 KB. */
const noise = () =>
  sharp(randomBytes(320 * 320 * 3), { raw: { width: 320, height: 320, channels: 3 } })
    .png()
    .toBuffer();

eachDatabase('People who may put pictures into their texts', (database) => {
  let app: TestApp;
  let writer: Client;
  let writerId: number;
  beforeAll(async () => {
    app = await createTestApp({ addons: ['fx_pieces'], roots, database });
    writerId = await app.write(async (ctx) => {
      const codes = ['base.group_portal', 'fx_pieces.writer'];
      const group_ids = await ctx.model(Group).search([['code', 'in', codes]]);
      const partner_id = await ctx.model(Partner).create({ name: 'Writer', email: 'writer@example.com' });
      return ctx.model(User).create({ login: 'writer', partner_id, group_ids });
    });
    writer = await app.as('writer');
  });
  afterAll(() => app?.close());

  const attach = async (content: Uint8Array, name: string, more: Record<string, string> = {}): Promise<Attached> => {
    const upload = new File([new Uint8Array(content)], name, { type: 'image/png' });
    const answer = await writer.form('/website/attach', { upload, ...more });
    expect(answer.status).toBe(200);
    return answer.json<Attached>();
  };
  const storedPictures = () =>
    app.read((ctx) =>
      ctx.model(Attachment).find([['create_uid', '=', writerId]], {
        select: { name: true, file_size: true, public: true, res_model: true, res_id: true, type: true },
      }),
    );

  it('keep pictures of their own, and nothing else', async () => {
    const previousIds = (await storedPictures()).map((picture) => picture.id);
    const { id } = await attach(await noise(), 'a.png', {
      res_model: 'res.users',
      res_id: '1',
      public: '',
      id: '1',
      type: 'url',
      create_uid: '1',
    });
    expect((await storedPictures()).filter((picture) => !previousIds.includes(picture.id))).toEqual([
      expect.objectContaining({ id, res_model: 'ir.ui.view', res_id: null, public: true, type: 'binary' }),
    ]);
    const file = new File([new Uint8Array(await noise())], 'a.png');
    expect(await writer.form('/website/attach_file', { upload: file })).toMatchObject({ status: 404 });
    expect((await writer.form('/website/attach', { url: '/favicon.ico' })).json()).toMatchObject({
      error: expect.any(String),
    });
    for (const method of ['unlink', 'write', 'read', 'try_remove'])
      await expect(
        writer.rpc('/web/dataset/call_kw', { model: 'ir.attachment', method, args: [[id], { name: 'x' }], kwargs: {} }),
      ).rejects.toThrow();
    expect(await storedPictures()).toHaveLength(previousIds.length + 1);
  });

  it.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['HTML that begins like a GIF', Buffer.from('GIF89a/*<script>alert(1)</script>*/=1')],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj<</JS(app.alert(1))>>endobj')],
    ['a picture that is cut', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['nothing', Buffer.alloc(0)],
  ])('are refused %s', async (_name, content) => {
    const previousCount = (await storedPictures()).length;
    expect(await attach(content, 'x.png')).toMatchObject({ error: expect.any(String) });
    expect(await storedPictures()).toHaveLength(previousCount);
  });

  it('keep of a picture nothing but the picture', async () => {
    const content = Buffer.concat([await noise(), Buffer.from('<script>alert(1)</script>')]);
    const { website_url: url = '' } = await attach(content, 'x.html');
    const served = await fetch(`${app.url}${url}`);
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await served.arrayBuffer()).includes('alert(1)')).toBe(false);
  });

  it.each([
    ['a path', '../../etc/passwd'],
    ['another line', 'a\r\nSet-Cookie: x=1.png'],
    ['letters from right to left', '\u202egnp.exe'],
    ['markup', '<img src=x onerror=alert(1)>.png'],
    ['5000 letters', `${'x'.repeat(5000)}.png`],
  ])('can name a picture by %s without harm', async (_what, name) => {
    const answer = await attach(await noise(), name);
    expect(answer.name).not.toMatch(/[\r\n/\\<>\u202e]/);
    expect(answer.name?.length).toBeLessThanOrEqual(200);
    const served = await fetch(`${app.url}${answer.website_url}`);
    expect([served.status, served.headers.get('set-cookie')]).toEqual([200, null]);
  });

  it('have no more space with several uploads at once', async () => {
    const used = (await storedPictures()).reduce((sum, { file_size }) => sum + (file_size ?? 0), 0);
    const space = Math.ceil(used / 1_000_000) + 1;
    const quota = await app.read((ctx) => ctx.settings.get(mediaQuota));
    await app.write((ctx) => ctx.settings.set(mediaQuota, space));
    const pictures = await Promise.all(Array.from({ length: 12 }, noise));
    const answers = await Promise.all(pictures.map((content, index) => attach(content, `n${index}.png`)));
    const sizes = (await storedPictures()).map(({ file_size }) => file_size ?? 0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(space * 1_000_000);
    const errors = answers.flatMap(({ error }) => error ?? []);
    expect(errors.length).toBeGreaterThan(0);
    expect(new Set(errors)).toEqual(
      new Set([
        `Your images would exceed your ${space} MB limit. Upload smaller ones, or ask the site’s administrators.`,
      ]),
    );
    await app.write((ctx) => ctx.settings.set(mediaQuota, quota));
  });
});
