/** @jest-environment jsdom */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
// On the server islands get the same names; `AsyncLocalStorage` is there in jsdom too.
import * as serverFace from '../../islands/server-face.ts';
import * as face from '../browser.ts';

const sent = jest.fn<typeof fetch>();

beforeEach(() => {
  document.body.replaceChildren();
  globalThis.fetch = sent;
});
afterEach(() => {
  sent.mockReset();
});

function answer(body: unknown): void {
  sent.mockResolvedValueOnce({ ok: true, statusText: 'OK', json: async () => body } as unknown as Response);
}

test('Islands find every name of the face on the server too', () => {
  const names = Object.keys(face).sort();
  expect(
    Object.keys(serverFace)
      .filter((name) => names.includes(name))
      .sort(),
  ).toEqual(names);
  expect(() => serverFace.rpc()).toThrow(/only there in the browser/);
});

test('rpc wraps parameters with the context of the page, and answers the result', async () => {
  document.documentElement.lang = 'fr-FR';
  document.documentElement.dataset.websiteId = '2';
  answer({ jsonrpc: '2.0', id: 1, result: { tags: ['a'] } });
  expect(await face.rpc('/forum/get_tags', { q: 'a' })).toEqual({ tags: ['a'] });
  const [path, init] = sent.mock.calls[0] ?? [];
  expect(path).toBe('/forum/get_tags');
  expect(JSON.parse(String(init?.body))).toEqual({
    jsonrpc: '2.0',
    method: 'call',
    params: { q: 'a', context: { lang: 'fr_FR', website_id: 2 } },
    id: 1,
  });
  document.documentElement.removeAttribute('lang');
  document.documentElement.removeAttribute('data-website-id');
});

test('rpc throws what the server refused, for people and with its reference', async () => {
  answer({
    error: {
      code: 200,
      message: 'Odoo Server Error',
      data: { message: 'no', arguments: ['Not allowed', 'You may not.'], reference: 'r1' },
    },
  });
  const error = await face.rpc('/x').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(face.RpcError);
  expect(error).toMatchObject({ code: 200, title: 'Not allowed', message: 'You may not.', reference: 'r1' });
});

test('rpc says that the server was not reached, or answered something else', async () => {
  sent.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(face.rpc('/x')).rejects.toMatchObject({ code: 0, title: 'No connection' });
  sent.mockResolvedValueOnce({
    ok: false,
    status: 503,
    statusText: 'Service Unavailable',
    json: () => Promise.reject(new SyntaxError('<')),
  } as unknown as Response);
  await expect(face.rpc('/x')).rejects.toMatchObject({ code: 503, title: 'Service Unavailable' });
});

test('postForm sends the token that the page carries, and none where it has none', async () => {
  answer({});
  await face.postForm('/x', { a: 1 });
  const headersOf = (call: number) => Object.fromEntries(sent.mock.calls[call]?.[1]?.headers as Headers);
  expect(headersOf(0)).toEqual({ 'x-page-context': 'lang=en_US' });
  document.body.innerHTML = '<form><input name="csrf_token" value="t1"></form>';
  answer({});
  await face.postForm('/x', { a: 1, file: new Blob(['b']) });
  const { body } = sent.mock.calls[1]?.[1] ?? {};
  expect(headersOf(1)).toEqual({ 'x-csrf-token': 't1', 'x-page-context': 'lang=en_US' });
  if (!(body instanceof FormData)) throw new Error('A form is sent as a form.');
  expect(body.get('a')).toBe('1');
  expect(body.get('file')).toBeInstanceOf(Blob);
});

test('t fills its places, and leaves those without a value', () => {
  expect(face.t('{n} of {m}', { n: 1 })).toBe('1 of {m}');
});

test('pageLanguage is what the page says', () => {
  document.documentElement.lang = 'fr-FR';
  expect(face.pageLanguage()).toBe('fr-FR');
});

test('emit is heard by whoever listens, until they stop', () => {
  const heard = jest.fn();
  const stop = face.on('fx.cart', heard);
  face.emit('fx.cart', { quantity: 3 });
  stop();
  face.emit('fx.cart', { quantity: 4 });
  expect(heard.mock.calls).toEqual([[{ quantity: 3 }]]);
});

test('notify says something for a few seconds once it is seen, to screen readers too, and once when it is said again', () => {
  jest.useFakeTimers();
  const frames: FrameRequestCallback[] = [];
  const frame = jest.spyOn(window, 'requestAnimationFrame').mockImplementation((draw) => frames.push(draw));
  face.notify('Saved');
  face.notify('Saved');
  expect(document.querySelectorAll('.toast-note')).toHaveLength(1);
  expect(document.querySelector('.toasts[aria-live=polite] [role=status]')?.textContent).toBe('Saved');
  // Nothing is drawn meanwhile: the page is busy, or its tab is hidden.
  jest.advanceTimersByTime(60_000);
  expect(document.querySelector('.toast-note')).not.toBeNull();
  for (const draw of frames) draw(0);
  jest.advanceTimersByTime(5_000);
  expect(document.querySelector('.toast-note')).toBeNull();
  frame.mockRestore();
  jest.useRealTimers();
});

test('confirmDialog answers yes, and no when it is closed', async () => {
  // jsdom knows the element, not how to open it
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close(value?: string) {
    this.returnValue = value ?? '';
    this.dispatchEvent(new Event('close'));
  };
  for (const [label, expected] of [
    ['OK', true],
    ['Cancel', false],
  ] as const) {
    const asked = face.confirmDialog('Delete it?');
    expect(document.querySelector('dialog')?.textContent).toContain('Delete it?');
    [...document.querySelectorAll('button')].find((button) => button.textContent === label)?.click();
    expect(await asked).toBe(expected);
    expect(document.querySelector('dialog')).toBeNull();
  }
});
