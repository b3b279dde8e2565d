/** The time left until a moment (`.s_countdown`), by the second; at its end the text for it is shown. */
export default function countdown(element: HTMLElement): () => void {
  const figures = element.querySelectorAll('.s_units strong');
  const done = element.querySelector<HTMLElement>('[role=status]');
  const until = Date.parse(element.dataset.until ?? '');
  const tick = (): void => {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
    const values = [left / 86_400, (left / 3600) % 24, (left / 60) % 60, left % 60];
    for (const [at, figure] of figures.entries()) figure.textContent = String(Math.floor(values[at] ?? 0));
    if (left > 0) return;
    clearInterval(timer);
    if (done) done.hidden = false;
  };
  const timer = setInterval(tick, 1000);
  tick();
  return () => clearInterval(timer);
}
