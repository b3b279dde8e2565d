import { ready, t } from '#core/browser';
import { forget, keep, kept } from '../browser/kept-scores.ts';

/** How long an answer may take before the result counts as not sent. */
const PATIENCE = 20_000;

/**
 * A result's form on a phone: large buttons count goals, and where there is no connection at the pitch what was typed is kept on the phone and sent
 * when there is one. Sending the same twice does no harm: the server knows that nothing changed.
 */
export default function score(form: HTMLElement): undefined | (() => void) {
  if (!(form instanceof HTMLFormElement)) return undefined;
  const listening = new AbortController();
  const on = { signal: listening.signal };
  for (const button of form.querySelectorAll<HTMLElement>('.js_less, .js_more')) button.hidden = false;
  form.addEventListener('click', count, on);
  form.addEventListener('submit', (event) => void send(form, event), on);
  addEventListener('online', () => sendKept(form), on);
  sendKept(form);
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

const match = (form: HTMLFormElement): string => form.dataset.mnbr ?? '';

async function send(form: HTMLFormElement, event: SubmitEvent): Promise<void> {
  event.preventDefault();
  if (form.ariaBusy === 'true') return;
  const fields = [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === 'string');
  const button = form.querySelector<HTMLButtonElement>('.club-save');
  form.ariaBusy = 'true';
  if (button) button.disabled = true;
  try {
    const body = new URLSearchParams(fields);
    const answer = await fetch(form.action, { method: 'POST', body, signal: AbortSignal.timeout(PATIENCE) });
    const wasTaken = await show(form, answer);
    if (wasTaken) forget(match(form));
    else await keepAndSay(form, fields, t('The result could not be sent. It is kept on this phone.'));
  } catch {
    await ready;
    const text = t('No connection. The result is kept on this phone and sent as soon as there is one.');
    await keepAndSay(form, fields, text);
  } finally {
    form.ariaBusy = 'false';
    if (button) button.disabled = false;
  }
}

async function keepAndSay(form: HTMLFormElement, fields: readonly [string, string][], text: string): Promise<void> {
  const title = form.closest('[data-slot="result"]')?.querySelector('h1')?.textContent ?? match(form);
  keep(match(form), { title, fields: fields.filter(([name]) => name !== 'csrf_token') });
  await ready;
  say(form, text);
}

/** Goes where the server leads, or shows in the page what is wrong with the result. False where the server never looked at it: one has to sign in first. */
async function show(form: HTMLFormElement, answer: Response): Promise<boolean> {
  const text = await answer.text();
  if (answer.redirected) {
    location.assign(answer.url);
    return new URL(answer.url).pathname.endsWith('/matchs/results');
  }
  const page = new DOMParser().parseFromString(text, 'text/html');
  const made = page.querySelector<HTMLElement>('[data-slot="result"]');
  if (!made) return false;
  form.closest('[data-slot="result"]')?.replaceWith(made);
  const wrong = made.querySelector<HTMLElement>('[role="alert"]');
  wrong?.setAttribute('tabindex', '-1');
  wrong?.focus();
  return true;
}

/** Sends what was kept, from the page of the match. The server says whether somebody else was faster. */
function sendKept(form: HTMLFormElement): void {
  const score = kept(match(form));
  if (!score || !navigator.onLine) return;
  for (const [name, value] of score.fields) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
  form.requestSubmit();
}

function say(form: HTMLFormElement, text: string): void {
  const place = form.querySelector<HTMLElement>('.js_score_status');
  if (!place) return;
  place.className = 'js_score_status alert alert-info mt-3';
  place.textContent = text;
}
