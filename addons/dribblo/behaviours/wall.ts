import { fieldError } from '#addons/website/browser';
import { confirmDialog, notify, RpcError, ready, rpc, t } from '#core/browser';
import { cropOf, pictureText } from '../browser/picture.ts';

interface Posted {
  readonly waiting: boolean;
  readonly html: string;
}
interface More {
  readonly posts: readonly { readonly id: number; readonly html: string }[];
  readonly total: number;
}

/**
 * A wall without loading it anew: posts are written, deleted and loaded in place. Without scripts the same forms and links do it page by page.
 */
export default function wall(root: HTMLElement): () => void {
  const listening = new AbortController();
  const on = { signal: listening.signal };
  root.addEventListener(
    'submit',
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement)) return;
      if (form.matches('.js_new_post')) void post(root, form, event);
      else if (form.matches('.js_delete_post')) void remove(root, form, event);
    },
    on,
  );
  root.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.js_more') : null;
      if (link && event.button === 0 && !event.ctrlKey && !event.metaKey) void more(root, link, event);
    },
    on,
  );
  return () => listening.abort();
}

const posts = (root: HTMLElement): HTMLElement | null => root.querySelector('[data-slot="wall-posts"]');

/** Ids of the posts in the list. */
function displayed(root: HTMLElement): number[] {
  return Array.from(posts(root)?.querySelectorAll<HTMLElement>('[data-post-id]') ?? [], (one) =>
    Number(one.dataset.postId),
  );
}

async function post(root: HTMLElement, form: HTMLFormElement, event: SubmitEvent): Promise<void> {
  event.preventDefault();
  await ready;
  const fields = new FormData(form);
  const name = String(fields.get('name') ?? '').trim();
  const title = form.querySelector<HTMLInputElement>('[name="name"]');
  // The words of the specification; in English they are translated.
  if (title && name === '') fieldError(title, t('Le titre est obligatoire!'));
  const wrong = form.querySelector<HTMLInputElement>('[name]:invalid');
  if (wrong?.validationMessage) return void wrong.focus();
  form.setAttribute('aria-busy', 'true');
  const button = form.querySelector<HTMLButtonElement>('[type="submit"]');
  if (button) button.disabled = true;
  try {
    const photo = fields.get('image');
    const image = photo instanceof File && photo.size > 0 ? await pictureText(photo) : false;
    const posted = await rpc<Posted>('/dribblo/wall/new', {
      name,
      wall_id: Number(fields.get('wall_id')),
      descr: String(fields.get('descr') ?? ''),
      image,
      ...(image ? cropOf(fields) : {}),
    });
    form.reset();
    say(
      form,
      posted.waiting ? t('Thank you. Your post is shown once it has been approved.') : t('Your post is on the wall.'),
    );
    if (!posted.waiting) put(root, [posted.html], 'afterbegin', 1);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const picture = form.querySelector<HTMLInputElement>('[name="image"]');
    if (picture && error.fields.image) fieldError(picture, error.fields.image);
    else say(form, error.message, 'alert');
  } finally {
    form.removeAttribute('aria-busy');
    if (button) button.disabled = false;
  }
}

async function remove(root: HTMLElement, form: HTMLFormElement, event: SubmitEvent): Promise<void> {
  event.preventDefault();
  await ready;
  const question = t('Voulez vous vraiment supprimer ce post ?');
  if (!(await confirmDialog(question, { yes: t('Delete') }))) return;
  const article = form.closest<HTMLElement>('[data-post-id]');
  try {
    await rpc('/dribblo/post/delete', { post_id: Number(article?.dataset.postId) });
    const isListed = posts(root)?.contains(article) ?? false;
    article?.remove();
    if (isListed) root.dataset.total = String(Number(root.dataset.total) - 1);
    hideMore(root);
    notify(t('The post is deleted.'));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    notify(error.message, 'alert');
  }
}

async function more(root: HTMLElement, link: HTMLElement, event: Event): Promise<void> {
  event.preventDefault();
  if (link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  try {
    const answer = await rpc<More>('/dribblo/wall', {
      displayed: displayed(root),
      wall_id: Number(root.dataset.wallId),
    });
    root.dataset.total = String(answer.total);
    put(
      root,
      answer.posts.map(({ html }) => html),
      'beforeend',
      0,
    );
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    notify(error.message, 'alert');
  } finally {
    link.ariaBusy = 'false';
  }
}

function put(root: HTMLElement, html: readonly string[], where: InsertPosition, added: number): void {
  const list = posts(root);
  list?.querySelector('.club-empty')?.remove();
  // What the server rendered and sanitised, as in the page itself.
  for (const one of html) list?.insertAdjacentHTML(where, one);
  root.dataset.total = String(Number(root.dataset.total) + added);
  hideMore(root);
}

/** There is no more to load once everything is displayed. */
function hideMore(root: HTMLElement): void {
  const place = root.querySelector<HTMLElement>('[data-slot="more"]');
  if (place) place.hidden = displayed(root).length >= Number(root.dataset.total);
}

/** Tells whoever posts what came of it; what went wrong is an alert. */
function say(form: HTMLFormElement, text: string, role: 'status' | 'alert' = 'status'): void {
  const place = form.querySelector<HTMLElement>('.js_post_status');
  if (!place) return;
  place.setAttribute('role', role);
  place.className = `js_post_status alert ${role === 'alert' ? 'alert-warning' : 'alert-success'}`;
  place.textContent = text;
}
