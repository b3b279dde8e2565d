/**
 * Whoever follows `/web#model=…` without a session signs in first. The hash stays in the browser and never reaches the server, so it is put behind
 * the address that the form leads to, and behind the one of the link to an account.
 */
export default function signInHash(form: HTMLFormElement): void {
  const wanted = form.querySelector<HTMLInputElement>('input[name=redirect]');
  if (!wanted || location.hash.length < 2 || wanted.value === '' || wanted.value.includes('#')) return;
  wanted.value += location.hash;
  const signup = document.querySelector<HTMLAnchorElement>('[data-slot=login-links] a[href*="redirect="]');
  if (!signup) return;
  const address = new URL(signup.href);
  address.searchParams.set('redirect', wanted.value);
  signup.href = address.pathname + address.search;
}
