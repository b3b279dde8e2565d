/** A menu of `<details>` closes when somebody looks elsewhere: a click or the focus outside, Escape. */
export default function dropdown(details: HTMLDetailsElement): () => void {
  const elsewhere = (event: Event): void => {
    if (details.open && event.target instanceof Node && !details.contains(event.target)) details.open = false;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !details.open) return;
    details.open = false;
    details.querySelector('summary')?.focus();
    event.stopPropagation();
    // What it lies in, a drawer, stays open.
    event.preventDefault();
  };
  const watched = new AbortController();
  document.addEventListener('pointerdown', elsewhere, { signal: watched.signal });
  document.addEventListener('focusin', elsewhere, { signal: watched.signal });
  details.addEventListener('keydown', onKey, { signal: watched.signal });
  return () => watched.abort();
}
