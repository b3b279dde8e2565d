import { gzipSync } from 'node:zlib';
import { startBrowser, type TestBrowser } from '../tools/testing/browser.ts';
import { serveApp, startRole } from './app-process.ts';

/**
 * JavaScript that a visitor's browser loads, gzipped: on a page without islands (limit 5 KB), on one with small islands (limit 80 KB
 * including React), and on the site's own pages. Counts the files that Chromium requests until the page is idle.
 */
async function scriptsOf(browser: TestBrowser, url: string): Promise<{ files: number; bytes: number }> {
  const { page, close } = await browser.openPage();
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || response.status() !== 200) return;
    sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).byteLength));
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  const all = await Promise.all(sizes);
  await close();
  return { files: all.length, bytes: all.reduce((sum, size) => sum + size, 0) };
}

async function measure(): Promise<void> {
  const served = await startRole(import.meta.url, 'serve');
  const browser = await startBrowser();
  try {
    console.log('| page | scripts | gzipped | limit |');
    console.log('| --- | --- | --- | --- |');
    for (const [path, name, limit] of [
      ['/reference', 'without islands', '5 KB'],
      ['/fx_islands', 'with small islands', '80 KB'],
      ['/', 'home page', ''],
      ['/web/login', 'sign-in page', ''],
    ] as const) {
      const { files, bytes } = await scriptsOf(browser, new URL(path, served.url).href);
      console.log(`| ${name} (${path}) | ${files} | ${(bytes / 1024).toFixed(1)} KB | ${limit} |`);
    }
  } finally {
    await browser.close();
    await served.stop();
  }
}

if (process.argv[2] === 'serve') {
  await serveApp({ addons: ['website', 'fx_reference', 'fx_islands'], demo: true }, async () => '/');
} else await measure();
