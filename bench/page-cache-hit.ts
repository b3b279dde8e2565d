import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createTestApp } from '#core/testing';
import { Note } from '../core/testing/fixtures/fx_door/addon.ts';
import { capture, compare, loadOptions, ratioTable, startPeer } from './harness.ts';

/**
 * A page out of the cache, asked for as a browser does, against a bare server that sends the same bytes and headers (ruling 30). The site is one
 * small addon, the page some 21 KB of a list: what is measured is the door, which knows nothing of either.
 */

/** As Firefox asks, but for `Accept-Encoding`: plain bytes on both sides. */
const headers = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language': 'en-US,en;q=0.5',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'none',
  Cookie: 'website_lang=en_US; consent=1',
};

/** In a process of its own; tells the parent its address. */
async function serve(): Promise<void> {
  const app = await createTestApp({ addons: ['fx_door'] });
  await app.write(async (ctx) => {
    const text = 'Été à la ferme, 12,00 € par personne, enfants 6,00 €';
    for (let number = 0; number < 300; number += 1) await ctx.model(Note).create({ name: `${text} ${number}` });
  });
  process.once('disconnect', () => void app.close().then(() => process.exit()));
  process.send?.(`${app.url}/door`);
}

async function measure(): Promise<void> {
  const site = fork(fileURLToPath(import.meta.url), ['serve']);
  const url = await new Promise<string>((resolve) => site.once('message', (address) => resolve(String(address))));
  await capture(url, headers);
  const peer = await startPeer(await capture(url, headers));
  try {
    const cases = [
      { name: 'bare node:http, same bytes', url: peer.url, pid: peer.pid, headers },
      { name: 'kept page', url, pid: site.pid ?? 0, headers },
      { name: 'kept page, fewest headers', url, pid: site.pid ?? 0 },
    ];
    console.log(ratioTable(await compare(cases, loadOptions())));
  } finally {
    site.disconnect();
    await peer.stop();
  }
}

if (process.argv[2] === 'serve') await serve();
else await measure();
