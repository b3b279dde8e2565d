import { notify, RpcError, ready, rpc, t } from '#core/browser';
import { errorDialog } from '../editor/browser/error-dialog.ts';

/** Publishes a record or takes it back, where it stands. Without JavaScript its form does the same. */
export default function publish(element: HTMLElement): () => void {
  const ended = new AbortController();
  const press = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (element.dataset.busy !== undefined) return;
    element.dataset.busy = '';
    const { id = '', object = '', controller = '/website/publish' } = element.dataset;
    try {
      show(element, Boolean(await rpc(controller, { id: Number(id), object })));
    } catch (error) {
      await ready;
      const known = error instanceof RpcError ? error : new RpcError(0, t('Something went wrong'), String(error));
      errorDialog({ title: known.title, message: known.message, model: object, id });
    } finally {
      delete element.dataset.busy;
    }
  };
  const form = element.querySelector('form');
  if (form) form.addEventListener('submit', (event) => void press(event), { signal: ended.signal });
  else
    element
      .querySelector('.js_publish_btn')
      ?.addEventListener('click', (event) => void press(event), { signal: ended.signal });
  return () => ended.abort();
}

/** Shows what the server answered: on the toggle, and on the part of the page it belongs to. */
function show(element: HTMLElement, isPublished: boolean): void {
  element.classList.toggle('css_published', isPublished);
  element.classList.toggle('css_unpublished', !isPublished);
  const field = element.querySelector<HTMLInputElement>('input[name=published]');
  if (field) field.value = String(!isPublished);
  const part =
    element.closest('[data-publish]') ?? element.parentElement?.parentElement?.querySelector(':scope > [data-publish]');
  part?.setAttribute('data-publish', isPublished ? 'on' : 'off');
  void ready.then(() => notify(isPublished ? t('Published.') : t('Not published any more.')));
}
