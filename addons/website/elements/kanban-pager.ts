import { notify, postForm, ready, t } from '#core/browser';
import { pagerWindow } from '../snippets/pager-window.ts';

/**
 * A column of a kanban (`.js_kanban_col`): its page links fetch that page's cards and put them in place. The description of what the column
 * shows is the server's and signed; it is sent back as it came. Without it the links lead to the same page with `?kanban=`.
 */
export default function kanbanPager(column: HTMLElement): undefined | (() => void) {
  const cards = column.querySelector<HTMLElement>('.js_kanban_cards');
  const pager = column.querySelector<HTMLElement>('.pagination');
  if (!cards || !pager) return undefined;
  const turn = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-page]') : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void show(column, cards, pager, Number(link.dataset.page));
  };
  pager.addEventListener('click', turn);
  return () => pager.removeEventListener('click', turn);
}

async function show(column: HTMLElement, cards: HTMLElement, pager: HTMLElement, wanted: number): Promise<void> {
  const { domain = '', model = '', template = '', step = '', orderby = '', signature = '' } = column.dataset;
  const { pageCount = '1', scope = '5' } = column.dataset;
  const { page } = pagerWindow(wanted, Number(pageCount), Number(scope));
  cards.setAttribute('aria-busy', 'true');
  try {
    const answer = await postForm('/website/kanban', { domain, model, template, step, orderby, signature, page });
    if (!answer.ok) throw new Error(answer.statusText);
    cards.innerHTML = await answer.text();
    column.dataset.page = String(page);
    drawPager(pager, page, Number(pageCount), Number(scope));
  } catch {
    await ready;
    notify(t('This page could not be loaded. Try again.'), 'alert');
  } finally {
    cards.removeAttribute('aria-busy');
  }
}

/** Numbers the links anew; there are as many as before. */
export function drawPager(pager: HTMLElement, wanted: number, count: number, scope: number): void {
  const { page, first, previous, next } = pagerWindow(wanted, count, scope);
  for (const [index, link] of pager.querySelectorAll<HTMLAnchorElement>('a[data-number]').entries()) {
    const number = first + index;
    retarget(link, number);
    link.textContent = String(number);
    link.closest('.page-item')?.classList.toggle('active', number === page);
    if (number === page) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  for (const [name, number] of [['previous', previous] as const, ['next', next] as const]) {
    const link = pager.querySelector<HTMLAnchorElement>(`a[data-step="${name}"]`);
    if (!link) continue;
    retarget(link, number);
    link.closest('.page-item')?.classList.toggle('disabled', number === page);
  }
}

/** The same link to another page: `?kanban=3-2` names column and page. */
function retarget(link: HTMLAnchorElement, number: number): void {
  const { column = '' } = link.dataset;
  link.dataset.page = String(number);
  const address = new URL(link.href);
  const others = (address.searchParams.get('kanban') ?? '')
    .split(',')
    .filter((part) => part && !part.startsWith(`${column}-`));
  address.searchParams.set('kanban', [...others, `${column}-${number}`].join(','));
  link.href = address.href;
}
