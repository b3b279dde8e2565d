import { notify, RpcError, rpc } from '#core/browser';

/** How long to wait after a letter before names are asked for, and how many letters there are at least. */
const TYPING = 200;
const LETTERS = 2;

interface Suggestion {
  readonly id: number;
  readonly name: string;
}

/**
 * The page of matches without loading it anew: weeks turn, the searches answer as they are chosen, and players are suggested while somebody types. The
 * address follows, so that going back and sharing work as without scripts.
 */
export default function matches(root: HTMLElement): () => void {
  const listening = new AbortController();
  const on = { signal: listening.signal };
  root.addEventListener('click', (event) => turnWeek(root, event), on);
  root.addEventListener('submit', (event) => search(root, event), on);
  root.addEventListener(
    'change',
    (event) => {
      const field = event.target;
      if (field instanceof HTMLSelectElement) field.form?.requestSubmit();
    },
    on,
  );
  suggest(root, on);
  addEventListener('popstate', () => void show(root, location.href), on);
  return () => listening.abort();
}

function turnWeek(root: HTMLElement, event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.js_week') : null;
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { turn = '' } = link.dataset;
  // The way to the present week is gone once it is shown.
  void go(root, link.href).then(() => {
    const same = root.querySelector<HTMLElement>(`[data-turn="${turn}"]`);
    (same ?? root.querySelector<HTMLElement>('[data-turn]'))?.focus();
  });
}

function search(root: HTMLElement, event: SubmitEvent): void {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method !== 'get') return;
  event.preventDefault();
  const address = new URL(form.action);
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value !== '') address.searchParams.set(name, value);
  }
  const chosen = chosenPlayer(root);
  if (chosen) address.searchParams.set('player', chosen);
  void go(root, address.href);
}

async function go(root: HTMLElement, address: string): Promise<void> {
  if (await show(root, address)) history.pushState(null, '', address);
}

/** Shows what is at an address of this page; tells whether that worked. */
async function show(root: HTMLElement, address: string): Promise<boolean> {
  const asked = new URL(address).searchParams;
  const [player, categ, name] = [asked.get('player'), asked.get('categ'), asked.get('name') ?? ''];
  // Whom a name without a number means is worked out by the page.
  if (name !== '' && !player) return leave(address);
  const path = player ? '/search/player/matchs/week' : categ ? '/search/categ/matchs/week' : '/matchs/week';
  root.setAttribute('aria-busy', 'true');
  try {
    const { html } = await rpc<{ html: string }>(path, {
      week: asked.get('week') ?? 0,
      team_id: asked.get('team') ?? false,
      ...(player || categ ? { player: player ?? false, categ: categ ?? false } : {}),
      name,
      markup: true,
    });
    put(root, html, asked);
    return true;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return leave(address);
  } finally {
    root.removeAttribute('aria-busy');
  }
}

/** What cannot be shown here is shown by loading it. */
function leave(address: string): false {
  location.assign(address);
  return false;
}

/** Puts what the server made in its places; the form says what is asked for, whichever way that was chosen. */
function put(root: HTMLElement, html: string, asked: URLSearchParams): void {
  const made = document.createRange().createContextualFragment(html);
  const week = made.querySelector<HTMLElement>('[data-week]')?.dataset.week ?? '0';
  for (const part of made.querySelectorAll<HTMLElement>('[data-slot="week-nav"], [data-slot="week-matches"]')) {
    root.querySelector(`[data-slot="${part.dataset.slot}"]`)?.replaceChildren(...part.childNodes);
  }
  for (const field of root.querySelectorAll<HTMLInputElement | HTMLSelectElement>('form [name]')) {
    field.value = field.name === 'week' ? week : (asked.get(field.name) ?? '');
  }
  const clear = root.querySelector<HTMLAnchorElement>('a.js_clear');
  if (!clear) return;
  clear.hidden = !['team', 'categ', 'player', 'name'].some((name) => asked.get(name));
  clear.search = `?week=${week}`;
}

const known = (root: HTMLElement): HTMLDataListElement | null => root.querySelector('#club-player-names');

function suggest(root: HTMLElement, on: { readonly signal: AbortSignal }): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const typed = (field: unknown): void => {
    if (!(field instanceof HTMLInputElement) || !field.matches('.js_player')) return;
    clearTimeout(timer);
    if (chosenPlayer(root)) return void field.form?.requestSubmit();
    if (field.value.trim().length < LETTERS) return;
    timer = setTimeout(() => void fill(root, field.value), TYPING);
  };
  root.addEventListener('input', (event) => typed(event.target), on);
  // Somebody may have been quicker than this script.
  if (root.contains(document.activeElement)) typed(document.activeElement);
  on.signal.addEventListener('abort', () => clearTimeout(timer));
}

async function fill(root: HTMLElement, keyword: string): Promise<void> {
  try {
    const found = await rpc<Suggestion[]>('/matchs/search/conv', { keyword });
    const options = found.map(({ id, name }) => {
      const option = document.createElement('option');
      option.value = name;
      option.dataset.id = String(id);
      return option;
    });
    known(root)?.replaceChildren(...options);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    notify(error.message, 'alert');
  }
}

/** The player whose name stands in the field, where exactly one suggestion is called that. */
function chosenPlayer(root: HTMLElement): string | null {
  const name = root.querySelector<HTMLInputElement>('.js_player')?.value.trim();
  const same = Array.from(known(root)?.options ?? []).filter(({ value }) => value === name);
  return name && same.length === 1 ? (same[0]?.dataset.id ?? null) : null;
}
