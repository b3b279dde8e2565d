import { csrfToken } from 'pergola/browser';

/** A form that is posted without being shown. */
export interface HiddenForm {
  /** A path of this site. */
  readonly action: string;
  readonly method?: 'get' | 'post';
  /** Where the answer is shown, as a link's `target`. Default this window. */
  readonly target?: string;
  readonly params?: Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;
}

/**
 * Sends a form that nobody sees: a download in a new window, a page that is reached by POST. Only to this site, since the values and the
 * form's token are its own.
 *
 * @throws Error for an address of another host
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
    for (const one of Array.isArray(value) ? value : [value]) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value: String(one) }));
    }
  }
  document.body.append(form);
  // A value may be named "submit", which would stand in the method's place.
  HTMLFormElement.prototype.submit.call(form);
  document.body.removeChild(form);
}
