/** A menu of `<details>` closes when somebody looks elsewhere: a click or the focus outside, Escape. */
export default function dropdown(details: HTMLDetailsElement): () => void {
  const elsewhere = ({ type, target: it }: Event): void => {
    // A press on plain text in it brings the focus to what it lies in.
    if (!details.contains(it as Node) && !(type === 'focusin' && (it as Node).contains(details))) details.open = false;
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
