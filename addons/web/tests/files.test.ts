import { randomBytes } from 'node:crypto';
import { Attachment, Company, Partner, User } from '@pergola/base';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { makeUser } from './kit.ts';

/** Stores an image of this size on the user's contact. */
async function givePicture(app: TestApp, userId: number): Promise<{ partner: number; hash: string }> {
  const { default: sharp } = await import('sharp');
  const png = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#8a5a2b' } })
    .png()
    .toBuffer();
  return app.write(async (ctx) => {
    const image = await ctx.files.putImage(png);
    const { partner_id } = await ctx.model(User).get(userId, { select: { partner_id: true } });
    await ctx.model(Partner).write(partner_id, { image });
    return { partner: partner_id, hash: image.hash };
  });
}

async function sizeOf(bytes: ArrayBuffer): Promise<[number | undefined, number | undefined]> {
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(new Uint8Array(bytes)).metadata();
  return [width, height];
}

const raw = async (app: TestApp, path: string, cookie = '') => {
  const answer = await fetch(new URL(path, app.url), { headers: { cookie } });
  return { status: answer.status, headers: answer.headers, bytes: await answer.arrayBuffer() };
};

someDatabase('Pictures', (database) => {
  it('are served in the sizes Odoo’s fields name, and in boxes', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { partner } = await givePicture(app, await makeUser(app, 'ada'));
    const { cookieHeader } = await app.as('ada');
    const size = async (path: string) => sizeOf((await raw(app, path, cookieHeader)).bytes);
    const base = `/web/binary/image?model=res.partner&id=${partner}&field=`;
    expect(await size(`${base}image`)).toEqual([600, 300]);
    expect(await size(`${base}image_small`)).toEqual([64, 32]);
    expect(await size(`${base}image_medium`)).toEqual([128, 64]);
    expect(await size(`${base}image_big`)).toEqual([600, 300]);
    expect(await size(`${base}image&resize=100,100`)).toEqual([96, 48]);
    expect(await size(`${base}image&resize=5000,5000`)).toEqual([500, 250]);
    expect(await size(`${base}image&width=90`)).toEqual([96, 48]);
    const sides = [16, 24, 32, 48, 64, 96, 128, 192, 256, 320, 384, 500];
    for (const side of sides) expect((await size(`${base}image&width=${side}`))?.[0]).toBe(side);
    expect(await size(`/web/image/res.partner/${partner}/image/60x60`)).toEqual([64, 32]);
    expect(await size(`/web/image/res.partner/${partner}/image`)).toEqual([600, 300]);
    expect(await size(`/web/binary/image?model=res.partner&field=image_small&id=[${partner}]`)).toEqual([64, 32]);
  });

  it('have an ETag, and are not sent again', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { partner, hash } = await givePicture(app, await makeUser(app, 'ada'));
    const ada = await app.as('ada');
    const path = `/web/binary/image?model=res.partner&id=${partner}&field=image`;
    const first = await ada.get(path);
    expect(first.headers.get('etag')).toBe(`"${hash}"`);
    expect(first.headers.get('content-type')).toBe('image/png');
    expect(first.headers.get('content-disposition')).toMatch(/^inline/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const again = await ada.get(path, { headers: { 'If-None-Match': `"${hash}"` } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await ada.get(`${path}&unique=${hash.slice(0, 12)}`)).headers.get('cache-control')).toContain(
      'max-age=31536000',
    );
  });

  it('are WebP to whoever names it, and what they are to everybody else', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { partner, hash } = await givePicture(app, await makeUser(app, 'ada'));
    const { cookieHeader: cookie } = await app.as('ada');
    const image = `/web/binary/image?model=res.partner&id=${partner}&field=image`;
    const ask = async (path: string, headers: Record<string, string>) =>
      fetch(new URL(path, app.url), { headers: { cookie, ...headers } });
    const chromium = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
    for (const [accept, type] of [
      ['image/webp,image/*', 'webp'],
      ['image/avif;q=0,image/webp', 'webp'],
      ['image/webp;q=0.5', 'webp'],
      ['image/webp;q=0, */*', 'png'],
      ['image/*', 'png'],
      ['*/*', 'png'],
      ['', 'png'],
    ] as const) {
      for (const path of [image, `${image}&width=90&height=90`, `/web/image/res.partner/${partner}/image/60x60`]) {
        const answer = await ask(path, { accept });
        expect([accept, answer.status, answer.headers.get('content-type')]).toEqual([accept, 200, `image/${type}`]);
        expect(answer.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
        expect(answer.headers.get('content-disposition')).toMatch(/^inline/);
        await answer.arrayBuffer();
      }
    }
    const first = await ask(image, { accept: 'image/webp,*/*' });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).not.toBe(`"${hash}"`);
    const again = await ask(image, { accept: chromium, 'if-none-match': etag });
    expect([again.status, again.headers.get('vary')]).toEqual([304, 'Accept']);
    expect((await ask(image, { accept: '*/*', 'if-none-match': etag })).status).toBe(200);
    // The WebP variant is protected like the original.
    const shown = await Promise.all(
      ['*/*', chromium].map((accept) => ask(image, { accept, cookie: '' }).then((answer) => answer.arrayBuffer())),
    );
    expect(await sizeOf(shown[1] as ArrayBuffer)).toEqual(await sizeOf(shown[0] as ArrayBuffer));
    expect(await sizeOf(shown[1] as ArrayBuffer)).not.toEqual([600, 300]);
  });

  it('are one and the same placeholder for whatever is missing, hidden, no picture, or no question', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { partner } = await givePicture(app, await makeUser(app, 'ada'));
    const questions = [
      `model=res.partner&id=${partner}&field=image`,
      `model=res.partner&id=${partner}&field=image_small&unique=abc`,
      'model=res.partner&id=99999&field=image',
      `model=res.partner&id=${partner}&field=name`,
      `model=res.partner&id=${partner}&field=company_id`,
      'model=res.users&id=1&field=password_hash',
      'model=res.nothing&id=1&field=image',
      'model=__proto__&id=1&field=constructor',
      'model=res.partner&id=abc&field=image',
      'model=res.partner&id=-1&field=image&resize=a,b&width=NaN',
      '',
    ];
    const answers = await Promise.all(questions.map((question) => raw(app, `/web/binary/image?${question}`)));
    const [first] = answers;
    expect(first?.headers.get('content-type')).toBe('image/png');
    for (const { status, bytes, headers } of answers) {
      expect(status).toBe(200);
      expect(Buffer.from(bytes).equals(Buffer.from(first?.bytes ?? new ArrayBuffer()))).toBe(true);
      expect(headers.get('etag')).toBe(first?.headers.get('etag'));
      expect(headers.get('cache-control')).toBe('private, no-cache');
    }
    const etag = first?.headers.get('etag') ?? '';
    expect((await app.get('/web/binary/image', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await raw(app, `/web/image/res.partner/${partner}/image/10x10`)).status).toBe(200);
  });

  it('are the company’s logo, or one of the product', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const without = await raw(app, '/web/binary/company_logo');
    expect([without.status, without.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { default: sharp } = await import('sharp');
    const png = await sharp({ create: { width: 900, height: 90, channels: 3, background: '#1f6b4a' } })
      .png()
      .toBuffer();
    await app.write(async (ctx) =>
      ctx.model(Company).write(await ctx.ref('base.main_company'), { logo: await ctx.files.putImage(png) }),
    );
    expect(await sizeOf((await raw(app, '/web/binary/company_logo')).bytes)).toEqual([500, 50]);
  });
});

someDatabase('Files', (database) => {
  async function keep(app: TestApp, name: string, content: string, more: object = {}): Promise<number> {
    return app.write(async (ctx) =>
      ctx
        .model(Attachment)
        .create({ name, datas: await ctx.files.put(Buffer.from(content), { name }), public: true, ...more }),
    );
  }

  it.each([
    ['page.html', '<!doctype html><script>alert(1)</script>'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['script.js', 'alert(1)'],
    ['picture.png', '\u0089PNG\r\n<script>alert(1)</script>'],
    ['note.txt', 'hello'],
  ])('are downloads that no browser opens: %s', async (name, content) => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await keep(app, name, content);
    const { status, headers } = await app.get(`/web/content/${id}/${name}`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(`attachment; filename=${name}`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).not.toMatch(/html|svg|javascript/);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  it('are still served after visitors have left in the middle of one', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const id = await keep(app, 'large.txt', 'x'.repeat(8_000_000));
    const url = new URL(`/web/content/${id}`, app.url);
    for (let visit = 0; visit < 6; visit += 1) {
      const leaving = new AbortController();
      expect((await fetch(url, { signal: leaving.signal })).status).toBe(200);
      leaving.abort();
    }
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(8_000_000);
  });

  it('that are pictures encoded anew are shown in place', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { default: sharp } = await import('sharp');
    const png = await sharp({ create: { width: 10, height: 10, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    const id = await app.write(async (ctx) =>
      ctx
        .model(Attachment)
        .create({ name: 'dot.png', datas: await ctx.files.putImage(png, { name: 'dot.png' }), public: true }),
    );
    expect((await app.get(`/web/content/${id}`)).headers.get('content-disposition')).toBe('inline; filename=dot.png');
  });

  it('of records one may not read are not there, in the same words as those that are gone', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'customer');
    const hidden = await keep(app, 'secret.txt', 'secret', { public: false, res_model: 'res.partner', res_id: 1 });
    const address = await app.write((ctx) =>
      ctx.model(Attachment).create({ name: 'x', type: 'url', url: 'https://evil.example', public: true }),
    );
    const customer = await app.as('customer');
    const pages = await Promise.all([hidden, 99_999, address].map((id) => customer.get(`/web/content/${id}`)));
    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(pages[1]?.text).toBe(pages[0]?.text);
    const saveAs = `/web/binary/saveas?model=ir.attachment&field=datas&filename_field=datas_fname&id=`;
    expect((await customer.get(`${saveAs}${hidden}`)).status).toBe(404);
    const admin = await app.as('admin');
    const { status, text, headers } = await admin.get(`${saveAs}${hidden}`);
    expect([status, text, headers.get('content-disposition')]).toEqual([
      200,
      'secret',
      'attachment; filename=secret.txt',
    ]);
    for (const query of [
      'model=res.users&field=password_hash&id=1',
      'model=res.partner&field=name&id=1',
      'model=x&field=y&id=1',
    ]) {
      expect((await admin.get(`/web/binary/saveas?${query}`)).status).toBe(404);
    }
  });
});

someDatabase('Date formats of languages', (database) => {
  it('are scripts in the shape Odoo’s clients load, for any language there is', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { status, headers, text } = await app.get('/web/static/lib/datejs/globalization/fr-FR.js');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=604800');
    const library: { CultureInfo?: Record<string, unknown> } = {};
    new Function('Date', text)(library);
    expect(library.CultureInfo).toMatchObject({
      name: 'fr-FR',
      englishName: 'French (France)',
      dayNames: ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'],
      monthNames: expect.arrayContaining(['janvier', 'août', 'décembre']),
      firstDayOfWeek: 1,
      dateElementOrder: 'dmy',
      formatPatterns: { shortDate: 'dd/MM/yyyy', sortableDateTime: 'yyyy-MM-ddTHH:mm:ss' },
    });
    const { jan, sun } = (library.CultureInfo?.regexPatterns ?? {}) as Record<string, RegExp>;
    expect([jan?.test('Janv. 3'), sun?.test('lundi'), sun?.test('Dimanche')]).toEqual([true, false, true]);
    for (const lang of ['en-US', 'en', 'fr_FR', 'ar', 'ja', 'zh-Hant-TW', 'pt-BR', 'he']) {
      const answer = await app.get(`/web/static/lib/datejs/globalization/${lang}.js`);
      expect(answer.status).toBe(200);
      new Function('Date', answer.text)({});
    }
  });

  it.each([
    'xx-YY.js',
    'fr-FR',
    'fr-FR.css',
    '..%2f..%2fetc%2fpasswd.js',
    '....js',
    '%00.js',
    `${'a'.repeat(80)}.js`,
    '<script>.js',
    '.js',
  ])('are not there for %s', async (file) => {
    await using app = await createTestApp({ addons: ['web'], database });
    const { status, text } = await app.get(`/web/static/lib/datejs/globalization/${file}`);
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('CultureInfo');
  });
});

someDatabase('Room for files', (database) => {
  it('is what the settings say: what goes beyond is refused with 413, and nothing of it is kept', async () => {
    await using app = await createTestApp({ addons: ['web'], database });
    await makeUser(app, 'root', { groups: ['base.group_system'] });
    const root = await app.as('root');
    const put = (megabytes: number, seed: string) =>
      root.rpc<number>('/web/dataset/call_kw', {
        model: 'ir.attachment',
        method: 'create',
        args: [{ name: 'a.txt', datas: Buffer.alloc(megabytes * 1e6, seed).toString('base64') }],
        kwargs: {},
      });
    const used = async () => (await root.rpc<{ files: { used: number } }>('/web/backend/health', {})).files.used;
    await put(1, 'a');
    expect(await used()).toBe(1e6);
    await root.rpc('/web/backend/settings/change', { values: { 'base.upload_space': 4, 'base.upload_size': 2 } });
    const tooLarge = { data: { code: 'core.upload_too_large', message: 'This file is too large. The limit is 2 MB.' } };
    await expect(put(3, 'b')).rejects.toMatchObject(tooLarge);
    const { default: sharp } = await import('sharp');
    const noise = randomBytes(3 * 900 * 900);
    const picture = await sharp(noise, { raw: { width: 900, height: 900, channels: 3 } })
      .png()
      .toBuffer();
    const sent = await root.form('/web/account', { name: 'Root', picture: new Blob([picture], { type: 'image/png' }) });
    expect([sent.status, sent.text]).toEqual([413, expect.stringMatching(/The limit is 2 MB/)]);
    await put(2, 'c');
    const refused = put(2, 'd');
    await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(/limit is 4 MB/) });
    expect(await used()).toBe(3e6);
    // An existing file takes no additional space.
    await put(1, 'a');
    expect(await used()).toBe(3e6);
  });
});
