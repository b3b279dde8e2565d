import { readTour, tutorialOf, withoutTutorial, writeTour } from '../islands/parts/tour/state.ts';
import { scrollTopOf } from '../snippets/browser/scroll-hash.ts';

/**
 * Runs on every page. Restores the scroll position after a reload (`#scrollTop=420`), or else focuses the result of a submitted form.
 * Starts the tour in the address (`#tutorial.<id>=true`) or resumes the current one, and loads the tour code only then. Closes menus and
 * popovers that lose the focus.
 */
export default function page(root: HTMLElement): () => void {
  const top = scrollTopOf(location.hash);
  if (top !== null) scrollTo({ top, behavior: 'instant' });
  else showAnswer();
  const checkTour = (): void => {
    const id = tutorialOf(location.hash);
    if (id !== null) {
      writeTour({ id, step: 0 });
      history.replaceState(history.state, '', location.pathname + location.search + withoutTutorial(location.hash));
    }
    if (id === null && readTour() === null) return;
    root.querySelector('[data-tour]')?.remove();
    document.body.insertAdjacentHTML('beforeend', '<div data-tour></div>');
  };
  const watched = new AbortController();
  addEventListener('hashchange', checkTour, { signal: watched.signal });
  for (const type of ['focusin', 'pointerdown']) root.addEventListener(type, closeLeft, { signal: watched.signal });
  root.addEventListener('keydown', closeMenu, { signal: watched.signal });
  checkTour();
  return () => watched.abort();
}

/**
 * Closes menus and popovers when the focus moves or the visitor clicks elsewhere, so they don't cover the focused element. Keeps a popover
 * open while the button that opens it has the focus.
 */
function closeLeft({ type, target }: Event): void {
  const at = target as Element;
  for (const opened of document.querySelectorAll<HTMLElement>('details.dropdown[open], [popover]:popover-open')) {
    // Closing a menu inside a drawer would move the pressed element away from under the finger.
    const room = opened.closest(':popover-open') ?? opened;
    // Pressing plain text inside it focuses its container.
    if (room.contains(at) || (type === 'focusin' && at.contains(opened))) continue;
    if (opened instanceof HTMLDetailsElement) opened.open = false;
    else if (type === 'focusin' && !at.closest(`[popovertarget="${opened.id}"]`)) opened.hidePopover();
  }
}

/** Closes the menu on Escape and keeps the drawer around it open. */
function closeMenu(event: KeyboardEvent): void {
  const menu = (event.target as Element).closest<HTMLDetailsElement>('details.dropdown[open]');
  if (event.key !== 'Escape' || !menu) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
  event.preventDefault();
}

/** Focuses the result of a submitted form: the first invalid field, or the error or success message. */
function showAnswer(): void {
  if (document.activeElement !== document.body) return;
  const invalid = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
  const message = document.querySelector<HTMLElement>(
    'main :is([role=alert]:not(:empty), .alert-success[role=status])',
  );
  // React complains about unknown attributes in its islands, so only the element to focus gets a tabindex.
  if (!invalid && message) message.tabIndex = -1;
  (invalid ?? message)?.focus();
}
