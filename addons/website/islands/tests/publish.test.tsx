/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Publish from '../publish.tsx';
import { find, mendDialogs } from './dom-kit.ts';

const sent = jest.fn<typeof fetch>();
beforeEach(() => {
  mendDialogs();
  sent.mockReset();
  globalThis.fetch = sent;
});
afterEach(cleanup);
const answer = (status: number, body: object): void =>
  void sent.mockResolvedValueOnce({ ok: status < 400, status, json: async () => body } as unknown as Response);
const start = () =>
  render(
    <article data-publish="off">
      <Publish id={7} model="website.page" published={false} />
    </article>,
  );

describe('The publish toggle', () => {
  it('publishes, and shows so on itself and on the part of the page that the record is', async () => {
    answer(200, { result: true });
    start();
    await userEvent.click(screen.getByRole('button'));
    await waitFor(() => expect(find('.js_publish_management').className).toContain('css_published'));
    expect(find('article').dataset.publish).toBe('on');
    expect(find('.toast-note').textContent).toBe('Published.');
    const [address, init] = sent.mock.calls[0] ?? [];
    expect(address).toBe('/website/publish');
    expect(JSON.parse(String(init?.body))).toMatchObject({
      params: { id: 7, object: 'website.page', published: true, context: { lang: 'en_US' } },
    });
    expect(find<HTMLInputElement>('input[name=published]').value).toBe('false');
  });

  it('asks the path that its addon names, and the one that the page has by then', async () => {
    render(<Publish id={7} model="my.model" published={false} controller="/my/publish" />);
    expect(find<HTMLFormElement>('form').getAttribute('action')).toBe('/my/publish/form');
    answer(200, { result: 1 });
    await userEvent.click(screen.getByRole('button'));
    await waitFor(() => expect(find('.js_publish_management').className).toContain('css_published'));
    find('.js_publish_management').dataset.controller = '/my/own/publish';
    answer(200, { result: false });
    await userEvent.click(screen.getByRole('button'));
    await waitFor(() => expect(find('.js_publish_management').className).toContain('css_unpublished'));
    expect(sent.mock.calls.map(([address]) => address)).toEqual(['/my/publish', '/my/own/publish']);
  });

  it('says in a dialog why it was refused, with the way to the record in the backend', async () => {
    const data = { arguments: ['Access denied', 'You may not.'] };
    answer(200, { error: { code: 200, message: 'Odoo Server Error', data } });
    start();
    await userEvent.click(screen.getByRole('button', { name: /publish/i }));
    const dialog = await screen.findByRole('dialog', { name: 'Access denied' });
    expect(dialog.textContent).toContain('You may not.');
    expect(find<HTMLAnchorElement>('dialog a').getAttribute('href')).toBe(
      '/web#return_label=Website&model=website.page&id=7',
    );
    await userEvent.click(find('dialog .btn-primary'));
    expect(document.querySelector('dialog')).toBeNull();
    expect(find('article').dataset.publish).toBe('off');
  });
});
