/** @jest-environment jsdom */
import kanbanPager from '../../elements/kanban-pager.ts';
import { pagerWindow } from '../pager-window.ts';
import { find, serve, settle, show } from './dom-kit.ts';

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
      for (let wanted = -1; wanted < count + 2; wanted++) {
        const { page, first, last, previous, next } = pagerWindow(wanted, count, 5);
        expect([page >= first, page <= last, first >= 1, last <= count]).toEqual([true, true, true, true]);
        expect(previous).toBe(Math.max(1, page - 1));
        expect(next).toBe(Math.min(count, page + 1));
      }
    }
  });
});

const link = (number: number, active = false): string =>
  `<li class="page-item${active ? ' active' : ''}"><a href="/board?kanban=3-${number}" data-number data-column="3" data-page="${number}"${active ? ' aria-current="page"' : ''}>${number}</a></li>`;
const column = `<section class="js_kanban_col" data-domain='[["a","=",1]]' data-model="res.country" data-template="website.country_card" data-step="10" data-orderby="name" data-signature="sig" data-page="1" data-page-count="7" data-scope="5">
  <div class="js_kanban_cards">first page</div>
  <ul class="pagination"><li class="page-item disabled"><a data-step="previous" data-column="3" data-page="1" href="/board?kanban=3-1">‹</a></li>
  ${[1, 2, 3, 4, 5].map((number) => link(number, number === 1)).join('')}
  <li class="page-item"><a data-step="next" data-column="3" data-page="2" href="/board?kanban=3-2">›</a></li></ul></section>`;

async function press(selector: string): Promise<void> {
  find(selector).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  await settle();
}
const numbers = (): string[] =>
  [...document.querySelectorAll('[data-number]')].map(({ textContent }) => textContent ?? '');

describe('The pager of a kanban column', () => {
  it('sends back what the server described, with the page, and shows the cards', async () => {
    const calls = serve({ '/website/kanban': (body) => `cards of page ${(body as FormData).get('page')}` });
    kanbanPager(show(column));
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
    expect(find('.js_kanban_cards').innerHTML).toBe('cards of page 4');
  });

  it('slides its window; the page is marked, its neighbours are where prev and next lead', async () => {
    serve({ '/website/kanban': () => 'cards' });
    kanbanPager(show(column));
    await press('a[data-page="5"]');
    expect(numbers()).toEqual(['3', '4', '5', '6', '7']);
    expect(find('.active a').textContent).toBe('5');
    expect(find('[aria-current=page]').textContent).toBe('5');
    expect([find('[data-step=previous]').dataset.page, find('[data-step=next]').dataset.page]).toEqual(['4', '6']);
    expect(find<HTMLAnchorElement>('[data-step=next]').search).toBe('?kanban=3-6');
    await press('[data-step=next]');
    await press('[data-step=next]');
    expect(find('.active a').textContent).toBe('7');
    expect(find('[data-step=next]').dataset.page).toBe('7');
    expect(find('[data-step=next]').closest('li')?.className).toContain('disabled');
  });

  it('keeps its cards and says so when the page cannot be had', async () => {
    serve({});
    kanbanPager(show(column));
    await press('a[data-page="4"]');
    expect(find('.js_kanban_cards').innerHTML).toBe('first page');
    expect(find('.active a').textContent).toBe('1');
    expect(find('[role=alert]').textContent).toContain('could not be loaded');
  });
});
