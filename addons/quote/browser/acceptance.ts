import type SignaturePad from 'signature_pad';
import { ready, rpc } from '#core/browser';
import { isStroke, STROKE_MOVE } from './stroke.ts';

/** Opens the dialog in which a quotation is signed. The pad is loaded with it: most who read a quotation do not sign. */
export async function openAcceptance(page: HTMLElement): Promise<void> {
  const dialog = page.querySelector<HTMLDialogElement>('#modelaccept');
  const form = dialog?.querySelector<HTMLFormElement>('form');
  const canvas = dialog?.querySelector<HTMLCanvasElement>('#sign');
  if (!dialog || !form || !canvas || dialog.open) return;
  dialog.showModal();
  const { default: Pad } = await import('signature_pad');
  sharpen(canvas);
  const pad = new Pad(canvas, {
    penColor: '#10233f',
    backgroundColor: '#ffffff',
    minWidth: 0.8,
    maxWidth: 2.6,
    minDistance: STROKE_MOVE,
  });
  keepStrokes(pad);
  const ended = new AbortController();
  const { signal } = ended;
  const submit = (event: Event): void => {
    event.preventDefault();
    void send(page, form, pad);
  };
  form.addEventListener('submit', submit, { signal });
  // What was put right is no longer marked.
  form.addEventListener('input', ({ target }) => mended(form, target), { signal });
  pad.addEventListener('beginStroke', () => markPanel(form, false), { signal });
  dialog.querySelector('#sign_clean')?.addEventListener('click', () => pad.clear(), { signal });
  dialog.querySelector('[data-close]')?.addEventListener('click', () => dialog.close(), { signal });
  dialog.addEventListener(
    'close',
    () => {
      ended.abort();
      pad.off();
    },
    { once: true },
  );
}

function mended(form: HTMLFormElement, target: EventTarget | null): void {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.name === 'signer' && target.value.trim() !== '') markField(target, false);
  if (target.name === 'typed' && target.checked) markPanel(form, false);
}

/** As many dots as the screen has, so that the line is as fine as it looks. */
function sharpen(canvas: HTMLCanvasElement): void {
  const scale = Math.min(2, Math.max(1, devicePixelRatio));
  const { width, height } = canvas.getBoundingClientRect();
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.scale(scale, scale);
}

/** A touch that hardly moves is no stroke: it is taken away as soon as it ends. */
function keepStrokes(pad: SignaturePad): void {
  pad.addEventListener('endStroke', () => {
    const strokes = pad.toData();
    const kept = strokes.filter(({ points }) => isStroke(points));
    if (kept.length < strokes.length) pad.fromData(kept);
  });
}

async function send(page: HTMLElement, form: HTMLFormElement, pad: SignaturePad): Promise<void> {
  const field = form.querySelector<HTMLInputElement>('[name=signer]');
  const typed = form.querySelector<HTMLInputElement>('[name=typed]')?.checked ?? false;
  const signer = field?.value.trim() ?? '';
  markField(field, signer === '');
  markPanel(form, pad.isEmpty() && !typed);
  if (signer === '') field?.focus();
  if (signer === '' || (pad.isEmpty() && !typed)) return;
  await ready;
  busy(form, true);
  const { orderId, token, version, total } = page.dataset;
  const about = { order_id: Number(orderId), token, signer, version, total: Number(total) };
  if (typed && pad.isEmpty()) {
    sendTyped(form, about);
    return;
  }
  const sign = pad.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
  const accepted = await rpc<boolean>('/quote/accept', { ...about, sign }).catch(() => false);
  location.assign(`${page.dataset.path}?message=${accepted ? 3 : 4}`);
}

/** The same form as without scripts: it answers with the page. */
function sendTyped(form: HTMLFormElement, about: Readonly<Record<string, unknown>>): void {
  const plain = document.createElement('form');
  plain.method = 'post';
  plain.action = '/quote/accept/form';
  const token = document.querySelector<HTMLInputElement>('.o_website_quote input[name=csrf_token]')?.value;
  for (const [name, value] of Object.entries({ ...about, typed: 'on', ...(token ? { csrf_token: token } : {}) })) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = String(value);
    plain.append(input);
  }
  form.after(plain);
  plain.submit();
}

function markField(field: HTMLInputElement | null, wrong: boolean): void {
  field?.classList.toggle('is-invalid', wrong);
  field?.setAttribute('aria-invalid', String(wrong));
  field?.closest('[data-slot=quote-signer]')?.classList.toggle('has-error', wrong);
}

function markPanel(form: HTMLFormElement, wrong: boolean): void {
  const panel = form.querySelector('#drawsign');
  panel?.classList.toggle('has-error', wrong);
  panel?.classList.toggle('panel-danger', wrong);
  const text = panel?.querySelector<HTMLElement>('.quote-panel-error');
  if (text) text.hidden = !wrong;
}

function busy(form: HTMLFormElement, on: boolean): void {
  const button = form.querySelector<HTMLButtonElement>('[data-submit]');
  if (button) button.disabled = on;
  const spinner = button?.querySelector<HTMLElement>('.spinner-border');
  if (spinner) spinner.hidden = !on;
}
