import { csrfToken } from 'pergola/browser';

/** Form submitted without being displayed. */
export interface HiddenForm {
  /** Path on this site. */
  readonly action: string;
  readonly method?: 'get' | 'post';
  /** Window for the response, as in a link's `target`. By default the current window. */
  readonly target?: string;
  readonly params?: Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;
}

/**
 * Submits a hidden form: a download in a new window, or a page reached by POST. Restricted to this site, since it contains the CSRF token.
 *
 * @throws Error if the address has another host
 */
export function submitHiddenForm({ action, method = 'post', target = '', params = {} }: HiddenForm): void {
  const address = new URL(action, document.baseURI);
  if (address.origin !== location.origin)
    throw new Error(`A form is only sent to this site, not to ${address.origin}.`);
  const form = document.createElement('form');
  Object.assign(form, { action: address.href, method, target, hidden: true });
  const token = csrfToken();
  const values = method === 'post' && token !== '' ? { csrf_token: token, ...params } : params;
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value: String(item) }));
    }
  }
  document.body.append(form);
  // A field named "submit" would shadow the method.
  HTMLFormElement.prototype.submit.call(form);
  document.body.removeChild(form);
}
