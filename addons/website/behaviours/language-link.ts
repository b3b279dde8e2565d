import { listen } from '../snippets/browser/behaviour.ts';

/** Keeps the hash when the visitor switches the language, so the page stays at the same position. */
export default function languageLink(link: HTMLAnchorElement): () => void {
  const address = link.getAttribute('href') ?? '';
  const follow = (): void => link.setAttribute('href', address + encodeURIComponent(location.hash));
  return listen(link, ['click'], follow);
}
