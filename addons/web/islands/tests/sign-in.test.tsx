/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import RedirectField from '../redirect-field.tsx';
import SignUp from '../sign-up.tsx';
import SignUpLink from '../sign-up-link.tsx';

afterEach(() => {
  cleanup();
  location.hash = '';
});

function show(redirect: string): { field: string | undefined; link: string | null } {
  const { container } = render(
    <>
      <RedirectField redirect={redirect} />
      <SignUpLink redirect={redirect} />
    </>,
  );
  const field = container.querySelector<HTMLInputElement>('input[name=redirect]')?.value;
  return { field, link: screen.getByRole('link', { name: 'Create an account' }).getAttribute('href') };
}

describe('Where somebody goes on after signing in', () => {
  it('has the hash of the address behind it, which the server never saw', () => {
    location.hash = '#model=res.users&id=3';
    expect(show('/web')).toEqual({
      field: '/web#model=res.users&id=3',
      link: '/web/signup?redirect=%2Fweb%23model%3Dres.users%26id%3D3',
    });
  });

  it.each([
    ['', '', '/web/signup'],
    ['/web#menu', '/web#menu', '/web/signup?redirect=%2Fweb%23menu'],
  ])('stays “%s” where there is nothing to add to', (redirect, field, link) => {
    location.hash = '#model=res.users';
    expect(show(redirect)).toEqual({ field, link });
  });
});

describe('The form for an account', () => {
  it('marks what is missing beside each field, goes to the first, and sends nothing', async () => {
    const user = userEvent.setup();
    render(<SignUp redirect="/shop" values={{ name: 'Ada' }} errors={{ email: 'Taken amiss.' }} />);
    const email = screen.getByLabelText('Email address');
    expect(email.getAttribute('aria-invalid')).toBe('true');
    await user.type(email, 'nothing');
    expect(email.getAttribute('aria-invalid')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Create an account' }));
    expect(document.activeElement).toBe(email);
    const marked = [...document.querySelectorAll('[aria-invalid]')].map((field) => field.getAttribute('name'));
    expect(marked).toEqual(['email', 'password', 'confirm']);
    expect(screen.getAllByText('Fill in this field.')).toHaveLength(2);
  });

  it('says of passwords what is wrong before they are sent, since they do not come back', async () => {
    const user = userEvent.setup();
    const sent = jest.fn((event: Event) => event.preventDefault());
    const { container } = render(<SignUp redirect="" values={{ name: 'Ada', email: 'ada@example.com' }} errors={{}} />);
    container.addEventListener('submit', (event) => event.defaultPrevented || sent(event));
    const [password, confirm] = [screen.getByLabelText('Password'), screen.getByLabelText('Confirm password')];
    const press = () => user.click(screen.getByRole('button', { name: 'Create an account' }));
    await user.type(password, 'four words make one');
    await user.type(confirm, 'four words make two');
    await press();
    expect(screen.getByText('The passwords don’t match.')).toBeTruthy();
    expect([document.activeElement, sent.mock.calls.length]).toEqual([confirm, 0]);
    await user.clear(confirm);
    await user.type(confirm, 'four words make one');
    await press();
    expect(sent).toHaveBeenCalledTimes(1);
    // jsdom doesn't calculate this.
    Object.assign(password, { checkValidity: () => false });
    Object.defineProperty(password, 'validity', { value: { tooShort: true } });
    await press();
    expect(screen.getByText('Use at least 8 characters.')).toBeTruthy();
  });
});
