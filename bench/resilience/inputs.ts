import { deflateSync } from 'node:zlib';
import type { Client } from '../../tools/testing/client.ts';
import { residentMemory } from '../processes.ts';
import { type Check, finding, openSite, quantile, signedIn, watchPage } from './site.ts';

/** A PNG with these declared dimensions and a text chunk of this size. */
function png(width: number, height: number, textBytes = 0): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(textBytes > 0 ? [chunk('tEXt', Buffer.alloc(textBytes, 'a'))] : []),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const svg = (inside: string): Buffer => Buffer.from(`<?xml version="1.0"?>${inside}`);
const bombs: Readonly<Record<string, Buffer>> = {
  'large.png': png(30_000, 30_000),
  'thin.png': png(1, 65_535),
  'text.png': png(100, 100, 15_000_000),
  'cut.jpg': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
  'use.svg': svg(
    `<svg xmlns="http://www.w3.org/2000/svg"><g id="a">${'<use href="#b"/>'.repeat(50)}</g><g id="b">${'<use href="#a"/>'.repeat(50)}</g></svg>`,
  ),
  'xxe.svg': svg(
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
  ),
  'script.gif': Buffer.concat([Buffer.from('GIF89a'), Buffer.from('<script>alert(1)</script>')]),
};

async function upload(client: Client, name: string, bytes: Buffer): Promise<string> {
  const token = await client.csrfToken();
  const form = new FormData();
  form.set('csrf_token', token);
  form.set('upload', new Blob([new Uint8Array(bytes)]), name);
  const response = await client.request('/website/attach', {
    method: 'POST',
    body: form,
    headers: { Origin: originOf(client) },
  });
  return `${response.status} ${response.text}`;
}

const origins = new WeakMap<Client, string>();
const originOf = (client: Client): string => origins.get(client) ?? '';

const pictures: Check = {
  id: 'C23',
  title: 'Images crafted to exhaust memory or time, or to read files',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node();
    const editor = await signedIn(node.url, 'editor');
    origins.set(editor, node.url);
    const memoryBefore = residentMemory(node.pid);
    const page = watchPage(node.url);
    const [accepted, slow, leaks]: [string[], string[], string[]] = [[], [], []];
    for (const [name, bytes] of Object.entries(bombs)) {
      const startedAt = performance.now();
      const reply = await upload(editor, name, bytes);
      if (performance.now() - startedAt > 1000) slow.push(name);
      if (!reply.includes('"error"') && !reply.startsWith('4')) accepted.push(`${name}: ${reply.slice(0, 60)}`);
      if (/root:x|^5/.test(reply)) leaks.push(name);
    }
    const p95 = quantile((await page.stop()).times, 0.95);
    const growth = (residentMemory(node.pid) - memoryBefore) / 2 ** 20;
    return [
      finding('accepted by mistake', accepted.join('; ') || 'none', 'none', accepted.length === 0),
      finding('slower than 1 s', slow.join(', ') || 'none', 'none', slow.length === 0),
      finding('failed or leaked data', leaks.join(', ') || 'none', 'none', leaks.length === 0),
      finding('memory', `+${growth.toFixed(0)} MB`, '150 MB', growth < 150),
      finding('p95 of a page during the check', `${p95.toFixed(0)} ms`, '500 ms', p95 < 500),
    ];
  },
};

/** Area under the ROC curve: how well response times tell known from unknown accounts; 0.5 means not at all. */
function areaUnderCurve(knownTimes: readonly number[], unknown: readonly number[]): number {
  const all = [...knownTimes.map((ms) => ({ ms, is: true })), ...unknown.map((ms) => ({ ms, is: false }))].toSorted(
    (a, b) => a.ms - b.ms,
  );
  const ranks = all.reduce((sum, { is }, rank) => (is ? sum + rank + 1 : sum), 0);
  return (ranks - (knownTimes.length * (knownTimes.length + 1)) / 2) / (knownTimes.length * unknown.length);
}

const timing: Check = {
  id: 'C33',
  title: 'Whether responses or their timing reveal who has an account',
  async run() {
    await using site = await openSite('sqlite');
    const node = await site.node();
    const pairs = Number(process.env.TIMING_PAIRS ?? 300);
    const reset = async (login: string): Promise<{ ms: number; text: string }> => {
      const body = new URLSearchParams({ login });
      const startedAt = performance.now();
      const response = await fetch(`${node.url}/web/reset_password`, {
        method: 'POST',
        body,
        headers: { Origin: node.url },
        redirect: 'manual',
      });
      const text = `${response.status} ${response.headers.get('location') ?? ''} ${(await response.text()).replaceAll(login, '').replace(/[0-9a-f]{12,}|\d+/g, '')}`;
      return { ms: performance.now() - startedAt, text };
    };
    const [knownTimes, unknown]: [number[], number[]] = [[], []];
    const texts = new Set<string>();
    for (let pair = 0; pair < pairs; pair++) {
      // Alternates the order, so that neither gets the warmer server.
      const first = await reset(pair % 2 ? 'portal' : 'nobody');
      const second = await reset(pair % 2 ? 'nobody' : 'portal');
      const [knownReply, unknownReply] = pair % 2 ? [first, second] : [second, first];
      knownTimes.push(knownReply.ms);
      unknown.push(unknownReply.ms);
      texts.add(knownReply.text).add(unknownReply.text);
    }
    const area = areaUnderCurve(knownTimes.slice(20), unknown.slice(20));
    return [
      finding('different responses', texts.size, '2 (including the rate limit)', texts.size <= 2),
      finding('area under the curve', area.toFixed(3), '0.45 to 0.55', area > 0.45 && area < 0.55),
    ];
  },
};

export const inputChecks: readonly Check[] = [pictures, timing];
