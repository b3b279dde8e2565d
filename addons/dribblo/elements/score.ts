import { ready, t } from '#core/browser';

/**
 * A result's form on a phone: large buttons count goals, and where there is no connection at the pitch what was typed is kept on the phone and sent
 * when there is one.
 */
export default function score(form: HTMLElement): undefined | (() => void) {
  if (!(form instanceof HTMLFormElement)) return undefined;
  const listening = new AbortController();
  const on = { signal: listening.signal };
  for (const button of form.querySelectorAll<HTMLElement>('.js_less, .js_more')) button.hidden = false;
  form.addEventListener('click', count, on);
  form.addEventListener('submit', (event) => void send(form, event), on);
  addEventListener('online', () => void sendKept(form), on);
  void sendKept(form);
  return () => listening.abort();
}

function count(event: MouseEvent): void {
  const button = event.target instanceof Element ? event.target.closest('.js_less, .js_more') : null;
  const input = button?.parentElement?.querySelector('input');
  if (!button || !input) return;
  const now = input.value === '' ? (button.matches('.js_more') ? 0 : 1) : Number(input.value);
  const next = now + (button.matches('.js_more') ? 1 : -1);
  input.value = String(Math.min(99, Math.max(0, next)));
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

const keyOf = (form: HTMLFormElement): string => `club-score-${form.dataset.mnbr}`;

async function send(form: HTMLFormElement, event: SubmitEvent): Promise<void> {
  if (navigator.onLine) return;
  event.preventDefault();
  const fields = [...new FormData(form)].filter(([name]) => name !== 'csrf_token');
  localStorage.setItem(keyOf(form), JSON.stringify(fields));
  await ready;
  say(form, t('No connection. The result is kept on this phone and sent as soon as there is one.'));
}

/** Sends what was kept, from the page of the match. The server says whether somebody else was faster. */
async function sendKept(form: HTMLFormElement): Promise<void> {
  const kept = localStorage.getItem(keyOf(form));
  if (kept === null || !navigator.onLine) return;
  for (const [name, value] of JSON.parse(kept) as [string, string][]) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
  localStorage.removeItem(keyOf(form));
  form.requestSubmit();
}

function say(form: HTMLFormElement, text: string): void {
  const place = form.querySelector<HTMLElement>('.js_score_status');
  if (place) place.textContent = text;
}
