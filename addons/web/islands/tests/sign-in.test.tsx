/** @jest-environment jsdom */
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
    const email = screen.getByLabelText('E-mail address');
    expect(email.getAttribute('aria-invalid')).toBe('true');
    await user.type(email, 'nothing');
    expect(email.getAttribute('aria-invalid')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Create an account' }));
    expect(document.activeElement).toBe(email);
    const marked = [...document.querySelectorAll('[aria-invalid]')].map((field) => field.getAttribute('name'));
    expect(marked).toEqual(['email', 'password', 'confirm']);
    expect(screen.getAllByText('Please fill this in.')).toHaveLength(2);
  });
});
