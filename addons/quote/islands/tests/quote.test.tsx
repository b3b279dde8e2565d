import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Accept from '../accept.tsx';
import { changed, declining, signing } from '../parts/quote-state.ts';
import Pricing from '../pricing.tsx';
import Summary from '../summary.tsx';

const line = {
  id: 5,
  name: 'Garden bench',
  more: [],
  quantity: '2',
  least: false,
  unit: '',
  price: '100,00',
  discount: '',
  subtotal: '200.00',
  was: '',
  changeable: true,
  removable: false,
};
const pricing = {
  lines: [line],
  discounted: false,
  saved: '',
  sums: [{ key: 'total', label: 'Total', text: '200.00', note: 'incl. 33.33 VAT' }],
  total: 20000,
  totalText: '200.00',
  version: 'v1',
};
const about = {
  id: 3,
  token: 'abc',
  path: '/quote/3/abc',
  reference: 'Q3',
  version: 'v1',
  total: 20000,
  totalText: '200.00',
};

const made: { path: string; sent: Record<string, unknown> }[] = [];
/** Answers calls and forms by path. */
function serve(answers: Readonly<Record<string, () => unknown>>): void {
  made.length = 0;
  globalThis.fetch = (async (path: string, { body }: RequestInit = {}) => {
    const isCall = typeof body === 'string';
    made.push({
      path,
      sent: isCall
        ? JSON.parse(body, (key, value) => (key === 'context' ? undefined : value)).params
        : Object.fromEntries(body as FormData),
    });
    const result = answers[path]?.();
    return { ok: true, json: async () => (isCall ? { result } : { location: null, result }) };
  }) as unknown as typeof fetch;
}
function show() {
  render(
    <>
      <Summary totalText="200.00" acceptable path="/quote/3/abc">
        <p>Valid</p>
      </Summary>
      <Pricing id={3} token="abc" pricing={pricing} />
      <Accept {...about} />
    </>,
  );
  return userEvent.setup();
}

beforeAll(() => {
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  // jsdom draws nothing.
  const drawing = new Proxy({}, { get: () => () => undefined, set: () => true });
  HTMLCanvasElement.prototype.getContext = (() => drawing) as never;
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
});
afterEach(() => {
  cleanup();
  changed.set(null);
  signing.set(false);
  declining.set(false);
});

it('a quantity changes where it stands, and all sums of the page with it', async () => {
  const more = {
    ...pricing,
    lines: [{ ...line, quantity: '3' }],
    sums: [{ key: 'total', label: 'Total', text: '300.00', note: 'incl. 50.00 VAT' }],
    total: 30000,
    totalText: '300.00',
    version: 'v2',
  };
  serve({ '/quote/update_line/form': () => ['3', '300.00'], '/quote/pricing': () => more });
  const user = show();
  await user.click(screen.getByRole('button', { name: 'Increase quantity: Garden bench' }));
  await waitFor(() => expect(screen.getAllByText('300.00', { selector: '.js_total' })).toHaveLength(2));
  expect(screen.getByText(/accept this quotation for 300.00/)).toBeDefined();
  expect(made.find(({ path }) => path.endsWith('/form'))?.sent).toEqual({ order_id: '3', token: 'abc', line_id: '5' });
  // What is signed is what is seen.
  await user.click(screen.getByRole('button', { name: 'Accept and sign' }));
  expect(document.querySelector<HTMLInputElement>('form[hidden] input[name=version]')?.value).toBe('v2');
});

it('is told to be looked at, once', () => {
  serve({});
  show();
  expect(made).toEqual([{ path: '/quote/3/abc/viewed', sent: {} }]);
});

it('marks what is missing when it is signed, and no longer what was put right', async () => {
  serve({});
  const user = show();
  await user.click(screen.getByText('Accept and sign', { selector: 'a' }));
  const dialog = document.querySelector('dialog') as HTMLDialogElement;
  const wrong = () => dialog.querySelectorAll('.has-error').length;
  await user.click(dialog.querySelector('[type=submit]') as HTMLElement);
  expect(wrong()).toBe(2);
  await user.type(screen.getByLabelText('Your name'), 'Ada');
  expect(wrong()).toBe(1);
  await user.click(dialog.querySelector('[type=submit]') as HTMLElement);
  expect(document.activeElement?.id).toBe('sign');
  await user.click(screen.getAllByLabelText('Use my typed name as my signature').at(-1) as HTMLElement);
  expect(wrong()).toBe(0);
  await user.click(screen.getByText('Cancel'));
  expect(document.querySelector('dialog')).toBeNull();
});

it('the form to decline opens from the side', async () => {
  serve({});
  const user = show();
  await user.click(screen.getByText('Decline', { selector: 'a' }));
  expect((document.querySelector('#decline') as HTMLDetailsElement).open).toBe(true);
});
