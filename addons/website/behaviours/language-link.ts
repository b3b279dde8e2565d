import { listen } from '../snippets/browser/behaviour.ts';

/** A link that changes the language comes back to the same place of the page: the hash goes along. */
export default function languageLink(link: HTMLAnchorElement): () => void {
  const address = link.getAttribute('href') ?? '';
  const follow = (): void => link.setAttribute('href', address + encodeURIComponent(location.hash));
  return listen(link, ['click'], follow);
}
