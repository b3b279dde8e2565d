/** Puts what the server made in the place of what is there. */
export function replaceWith(element: HTMLElement, html: string): void {
  const made = document.createRange().createContextualFragment(html).querySelector<HTMLElement>('[data-slot]');
  if (made && made.dataset.slot === element.dataset.slot) element.replaceWith(made);
}
