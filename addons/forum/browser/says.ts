import { notify, RpcError, ready, t } from '#core/browser';

/** Says in the corner what was refused. */
export async function refuse(text: () => string): Promise<void> {
  await ready;
  notify(text(), 'alert');
}

/** The refusal of somebody with too little karma, in the words of the specification. */
export function karmaText(n: number | string): string {
  return t(
    '{n} karma is required to perform this action. You can earn karma by having your answers upvoted by the community.',
    { n },
  );
}

/** What went wrong with a call, as people read it. */
export function failureText(error: unknown): string {
  return error instanceof RpcError ? error.message : t('The server was not reached. Try again.');
}

/** The form an event is about. */
export function formOf(event: Event): HTMLFormElement | null {
  return event.target instanceof HTMLFormElement ? event.target : null;
}

/** Presses or releases a button that is on or off. */
export function press(button: Element | null, on: boolean): void {
  button?.setAttribute('aria-pressed', String(on));
  button?.classList.toggle('is-on', on);
}

/** Marks a form while its call is under way, so that it is sent once. Answers what the call answered. */
export async function once<T>(form: HTMLElement, work: () => Promise<T>): Promise<T | null> {
  if (form.getAttribute('aria-busy') === 'true') return null;
  form.setAttribute('aria-busy', 'true');
  try {
    return await work();
  } catch (error) {
    await refuse(() => failureText(error));
    return null;
  } finally {
    form.removeAttribute('aria-busy');
  }
}
