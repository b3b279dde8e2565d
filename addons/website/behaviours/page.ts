import { readTour, tutorialOf, withoutTutorial, writeTour } from '../islands/parts/tour/state.ts';
import { scrollTopOf } from '../snippets/browser/scroll-hash.ts';

/**
 * On every page: goes back to where the page was scrolled when it was loaded again (`#scrollTop=420`), or to what is said about what was
 * sent, and takes up a tour, one that the address asks for (`#tutorial.<id>=true`) or one that is under way. What guides is loaded only then.
 * What lies over the page closes when somebody looks elsewhere.
 */
export default function page(root: HTMLElement): () => void {
  const top = scrollTopOf(location.hash);
  if (top !== null) scrollTo({ top, behavior: 'instant' });
  else showAnswer();
  const look = (): void => {
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
  addEventListener('hashchange', look, { signal: watched.signal });
  for (const type of ['focusin', 'pointerdown']) root.addEventListener(type, closeLeft, { signal: watched.signal });
  root.addEventListener('keydown', closeMenu, { signal: watched.signal });
  look();
  return () => watched.abort();
}

/** Closes menus and popovers that the focus or a press has left, so that they do not cover where it is; a popover not on the button that opens it. */
function closeLeft({ type, target }: Event): void {
  const at = target as Element;
  for (const it of document.querySelectorAll<HTMLElement>('details.dropdown[open], [popover]:popover-open')) {
    // In a drawer a menu that closes would move what is being pressed from under the finger.
    const room = it.closest(':popover-open') ?? it;
    // A press on plain text in it brings the focus to what it lies in.
    if (room.contains(at) || (type === 'focusin' && at.contains(it))) continue;
    if (it instanceof HTMLDetailsElement) it.open = false;
    else if (type === 'focusin' && !at.closest(`[popovertarget="${it.id}"]`)) it.hidePopover();
  }
}

/** Escape closes a menu; what it lies in, a drawer, stays open. */
function closeMenu(event: KeyboardEvent): void {
  const menu = (event.target as Element).closest<HTMLDetailsElement>('details.dropdown[open]');
  if (event.key !== 'Escape' || !menu) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
  event.preventDefault();
}

/** An answer to a form begins at what it says: the first field that is wrong, else what is said about all of them, or that it is done. */
function showAnswer(): void {
  if (document.activeElement !== document.body) return;
  const invalid = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
  const message = document.querySelector<HTMLElement>(
    'main :is([role=alert]:not(:empty), .alert-success[role=status])',
  );
  // React complains about attributes that its islands don't have, so only what gets the focus is made ready for it.
  if (!invalid && message) message.tabIndex = -1;
  (invalid ?? message)?.focus();
}
