import { emit, rpc } from '#core/browser';

interface Status {
  readonly state: string;
  readonly message: string;
  readonly validation: string | null;
}

/** Milliseconds between two questions, and how many are asked after the first. */
const EVERY = 1000;
const MORE = 5;
const looks: Readonly<Record<string, string>> = {
  done: 'success',
  pending: 'info',
  error: 'danger',
  cancel: 'warning',
};

/**
 * How the payment of an order stands: asked for at once, and while it is pending and confirmed by itself each second again, at most five more times.
 * Tells other parts of the page what was bought, once.
 *
 * When the money has come, what addons show of the order (tickets) is fetched anew.
 */
export default function status(root: HTMLElement): () => void {
  const state = { ended: false, timer: 0 };
  const order = root.dataset.orderId ?? '';
  const ask = async (left: number): Promise<void> => {
    const answer = await rpc<Status>(`/shop/payment/get_status/${order}`).catch(() => null);
    if (state.ended || !answer) return;
    const isPaid = root.dataset.state !== 'done' && answer.state === 'done';
    show(root, answer);
    if (isPaid) void renewParts();
    if (answer.state !== 'pending' || answer.validation !== 'automatic' || left === 0) return;
    state.timer = window.setTimeout(() => void ask(left - 1), EVERY);
  };
  void ask(MORE);
  void rpc('/shop/tracking_last_order/')
    .then((bought) => emit('website_sale.bought', bought))
    .catch(() => undefined);
  return () => {
    state.ended = true;
    clearTimeout(state.timer);
  };
}

/** The parts of the page that other addons filled, as they are now. */
async function renewParts(): Promise<void> {
  const part = '[data-slot="order-after-lines"]';
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector(part);
  if (fresh) document.querySelector(part)?.replaceWith(document.adoptNode(fresh));
}

function show(root: HTMLElement, { state, message, validation }: Status): void {
  if (root.dataset.state === state && root.dataset.shown !== undefined) return;
  const isNews = root.dataset.state !== state;
  root.dataset.state = state;
  root.dataset.shown = '';
  root.dataset.validation = validation ?? '';
  if (!isNews) return;
  root.classList.remove(...Object.values(looks).map((look) => `alert-${look}`));
  root.classList.add(`alert-${looks[state] ?? 'info'}`);
  // The server made it of its own texts and of what editors wrote, which it sanitised.
  root.replaceChildren(document.createRange().createContextualFragment(message));
}
