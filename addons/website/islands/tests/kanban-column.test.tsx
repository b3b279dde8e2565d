/** @jest-environment jsdom */
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { pagerWindow } from '../../snippets/pager-window.ts';
import KanbanColumn from '../kanban-column.tsx';
import { find, serve } from './dom-kit.ts';

afterEach(cleanup);

describe('The window of page links', () => {
  it.each([
    [1, 10, 5, [1, 5]],
    [3, 10, 5, [1, 5]],
    [4, 10, 5, [2, 6]],
    [8, 10, 5, [6, 10]],
    [10, 10, 5, [6, 10]],
    [1, 1, 5, [1, 1]],
    [2, 3, 5, [1, 3]],
    [5, 9, 4, [4, 7]],
  ])('of page %i of %i, %i wide, is %j', (page, count, scope, [first, last]) => {
    expect(pagerWindow(page, count, scope)).toMatchObject({ page, first, last });
  });

  it('slides so that the page stays in it; neighbours are clamped to 1 and the last page', () => {
    for (let count = 1; count < 12; count++) {
      for (let requestedPage = -1; requestedPage < count + 2; requestedPage++) {
        const { page, first, last, previous, next } = pagerWindow(requestedPage, count, 5);
        expect([page >= first, page <= last, first >= 1, last <= count]).toEqual([true, true, true, true]);
        expect(previous).toBe(Math.max(1, page - 1));
        expect(next).toBe(Math.min(count, page + 1));
      }
    }
  });
});

const column = {
  id: 3,
  name: 'Euro',
  count: 64,
  domain: '[["a","=",1]]',
  model: 'res.country',
  template: 'website.country_card',
  step: '10',
  orderby: 'name',
  signature: 'sig',
  scope: 5,
  page: 1,
  page_count: 7,
  address: '/board?q=a&kanban=2-4,3-1',
};
const show = () => render(<KanbanColumn {...column}>first page</KanbanColumn>);

async function press(selector: string): Promise<void> {
  await act(async () => void fireEvent.click(find(selector)));
}
const numbers = (): string[] =>
  [...document.querySelectorAll('[data-number]')].map(({ textContent }) => textContent ?? '');

describe('The pager of a kanban column', () => {
  it('sends back what the server described, with the page, and shows the cards', async () => {
    const calls = serve({ '/website/kanban': (body) => `cards of page ${(body as FormData).get('page')}` });
    show();
    await press('a[data-page="4"]');
    expect(Object.fromEntries(calls[0]?.body as FormData)).toEqual({
      domain: '[["a","=",1]]',
      model: 'res.country',
      template: 'website.country_card',
      step: '10',
      orderby: 'name',
      signature: 'sig',
      page: '4',
    });
    expect(find('.js_kanban_cards').textContent).toBe('cards of page 4');
  });

  it('slides its window; the page is marked, its neighbours are where prev and next lead', async () => {
    serve({ '/website/kanban': () => 'cards' });
    show();
    await press('a[data-page="5"]');
    expect(numbers()).toEqual(['3', '4', '5', '6', '7']);
    expect(find('.active a').textContent).toBe('5');
    expect(find('[aria-current=page]').textContent).toBe('5');
    expect([find('[data-step=previous]').dataset.page, find('[data-step=next]').dataset.page]).toEqual(['4', '6']);
    expect(find<HTMLAnchorElement>('[data-step=next]').search).toBe('?q=a&kanban=2-4,3-6');
    await press('[data-step=next]');
    await press('[data-step=next]');
    expect(find('.active a').textContent).toBe('7');
    expect(find('[data-step=next]').dataset.page).toBe('7');
    expect(find('[data-step=next]').closest('li')?.className).toContain('disabled');
  });

  it('lets links alone that are opened in another tab', async () => {
    const calls = serve({});
    show();
    expect(fireEvent.click(find('a[data-page="4"]'), { ctrlKey: true })).toBe(true);
    expect(calls).toEqual([]);
  });

  it('keeps its cards and says so when the page cannot be had', async () => {
    serve({});
    show();
    await press('a[data-page="4"]');
    expect(find('.js_kanban_cards').innerHTML).toBe('first page');
    expect(find('.active a').textContent).toBe('1');
    expect(find('[role=alert]').textContent).toBe('Couldn’t load this page. Try again.');
  });
});
