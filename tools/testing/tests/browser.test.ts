import { createServer, type Server } from 'node:http';
import { expectAccessible, withBrowser } from '../browser.ts';

const pages: Record<string, string> = {
  '/good': '<h1>Pergola</h1><p id="colour">A page</p><script src="/good.js"></script>',
  '/good.js': `document.querySelector('p').textContent = navigator.language + ' ' + matchMedia('(prefers-color-scheme: dark)').matches;`,
  '/bad': '<p style="color:#bbb">Hard to read</p><img src="/missing.png"><script src="/bad.js"></script>',
  '/bad.js': `console.error('something is wrong'); setTimeout(() => { throw new Error('thrown later') });`,
  '/outside': '<h1>Outside</h1><img alt="" src="http://example.org/pixel.png">',
  '/shifts': '<div></div><p>moved</p><script src="/shifts.js"></script>',
  '/shifts.js': `setTimeout(() => { document.querySelector('div').style.height = '300px' }, 100);`,
};

let server: Server;
let baseUrl: string;
const browser = withBrowser();

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = pages[request.url ?? ''];
    const script = request.url?.endsWith('.js');
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': script ? 'text/javascript' : 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src * data:`,
    });
    const head =
      '<!doctype html><html lang="en"><head><title>Test</title><link rel="icon" href="data:,"></head><body><main>';
    response.end(script ? body : `${head}${body}</main></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test('A good page has no trouble and is accessible, under a strict content security policy', async () => {
  const { page, expectNoTrouble } = await browser.openPage({ baseUrl });
  await page.goto('/good');
  await expectNoTrouble();
  await expectAccessible(page);
});

test('A page shows in the language, colours and size asked for', async () => {
  const { page } = await browser.openPage({ baseUrl, width: 360, height: 740, dark: true, locale: 'fr-BE' });
  await page.goto('/good');
  expect(await page.textContent('p')).toBe('fr-BE true');
  expect(page.viewportSize()).toEqual({ width: 360, height: 740 });
});

test('A page can be looked at without JavaScript', async () => {
  const { page, expectNoTrouble } = await browser.openPage({ baseUrl, javaScript: false });
  await page.goto('/good');
  expect(await page.textContent('p')).toBe('A page');
  await expectNoTrouble();
  await expectAccessible(page);
  await page.reload();
  expect(await page.textContent('p')).toBe('A page');
});

test('Everything that goes wrong in a page is told at once', async () => {
  const { page, trouble, expectNoTrouble } = await browser.openPage({ baseUrl });
  await page.goto('/bad');
  await expect(expectNoTrouble()).rejects.toThrow(/console: something is wrong.*thrown later.*404 GET .*missing\.png/s);
  expect(trouble.consoleErrors).toEqual(['something is wrong']);
});

test('A page that calls another host fails at once', async () => {
  const { page, expectNoTrouble } = await browser.openPage({ baseUrl });
  await page.goto('/outside');
  await expect(expectNoTrouble()).rejects.toThrow(/ERR_NAME_NOT_RESOLVED GET http:\/\/example\.org/);
});

test('Content that jumps is measured and named', async () => {
  const { page, trouble, expectNoTrouble } = await browser.openPage({ baseUrl });
  await page.goto('/shifts');
  await page.waitForFunction(() => document.querySelector('div')?.clientHeight === 300);
  await expect(expectNoTrouble()).rejects.toThrow(/layout shift of 0\.\d+: <body/);
  expect(trouble.layoutShift).toBeGreaterThan(0.01);
});

test('What is not accessible is named with its place and what to do', async () => {
  const { page } = await browser.openPage({ baseUrl });
  await page.goto('/bad');
  await expect(expectAccessible(page)).rejects.toThrow(/color-contrast.*Hard to read.*image-alt/s);
  await expectAccessible(page, { exclude: ['p', 'img'] });
});
