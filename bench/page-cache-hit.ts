import { Note } from '../tools/testing/fixtures/fx_door/addon.ts';
import { serveApp, startRole } from './app-process.ts';
import { capture, compare, loadOptions, ratioTable, startPeer } from './harness.ts';

/**
 * A cached page, requested as a browser would, compared with a bare server that sends the same bytes and headers. The site is one small
 * addon, the page a 21 KB list: only the cache's front end is measured, which depends on neither.
 */

/** Firefox's headers except `Accept-Encoding`, so that both sides send plain bytes. */
const headers = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-US,en;q=0.5',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'none',
  Cookie: 'website_lang=en_US; consent=1',
};

async function measure(): Promise<void> {
  const site = await startRole(import.meta.url, 'serve');
  await capture(site.url, headers);
  const peer = await startPeer(await capture(site.url, headers));
  try {
    const cases = [
      { name: 'bare node:http, same bytes', url: peer.url, pid: peer.pid, headers },
      { name: 'kept page', url: site.url, pid: site.pid, headers },
      { name: 'kept page, fewest headers', url: site.url, pid: site.pid },
    ];
    console.log(ratioTable(await compare(cases, loadOptions())));
  } finally {
    await Promise.all([site.stop(), peer.stop()]);
  }
}

if (process.argv[2] === 'serve') {
  await serveApp({ addons: ['fx_door'] }, async (app) => {
    const text = 'Été à la ferme, 12,00 € par personne, enfants 6,00 €';
    await app.write(async (ctx) => {
      for (let number = 0; number < 300; number += 1) await ctx.model(Note).create({ name: `${text} ${number}` });
    });
    return '/door';
  });
} else await measure();
