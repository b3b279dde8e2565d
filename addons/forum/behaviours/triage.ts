/** Works a queue of posts by keyboard (`[data-forum-triage]`): j and k move, v, r and o decide, Enter opens. */
export default function triage(queue: HTMLElement): () => void {
  for (const hint of document.querySelectorAll('[data-forum-keys]')) hint.classList.add('is-on');
  const items = (): HTMLElement[] => [...queue.querySelectorAll<HTMLElement>('[data-triage-item]')];
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const all = items();
    const at = all.findIndex((item) => item.contains(document.activeElement));
    const here = all[at];
    if (event.key === 'j' || event.key === 'k') {
      const next = all[event.key === 'j' ? Math.min(at + 1, all.length - 1) : Math.max(at - 1, 0)];
      next?.focus();
      next?.scrollIntoView({ block: 'nearest' });
    } else if (here && (event.key === 'v' || event.key === 'r' || event.key === 'o')) {
      here.querySelector<HTMLElement>(`[data-triage="${event.key}"]`)?.click();
    } else if (here && event.key === 'Enter' && event.target === here) {
      here.querySelector<HTMLElement>('[data-triage-open]')?.click();
    } else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', pressed);
  return () => document.removeEventListener('keydown', pressed);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
