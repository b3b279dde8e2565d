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
  };
  document.addEventListener('pointerdown', elsewhere);
  document.addEventListener('focusin', elsewhere);
  details.addEventListener('keydown', onKey);
  return () => {
    document.removeEventListener('pointerdown', elsewhere);
    document.removeEventListener('focusin', elsewhere);
    details.removeEventListener('keydown', onKey);
  };
}
