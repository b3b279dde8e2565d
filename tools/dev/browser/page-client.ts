/** Only in development: shows a saved change by loading the page again, where it was scrolled, and says what cannot be served, or failed. */
const source = new EventSource('/_dev/events');
let shown: string | null = null;
source.addEventListener('generation', ({ data }: MessageEvent<string>) => {
  if (shown !== null && data !== shown) location.reload();
  shown = data;
});
source.addEventListener('problems', ({ data }: MessageEvent<string>) => {
  console.warn(`What was saved cannot be served.\n${data}`);
  // A page of an error may say it itself.
  if (!document.querySelector('[data-developer]')?.textContent.includes(data)) showProblems(data);
});

// Said by what makes islands alive.
document.addEventListener('pergola:error', (event) => void showError((event as CustomEvent<unknown>).detail));
window.addEventListener('error', ({ error }) => void showError(error));

/** An error of an island, with the files that somebody wrote. */
async function showError(error: unknown): Promise<void> {
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const answer = await fetch('/_dev/source-places', { method: 'POST', body: stack }).catch(() => null);
  showProblems(answer?.ok ? await answer.text() : stack);
}

/** Over the page, which is the one from before. Styles are set one by one: the site's rules allow no style element. */
function showProblems(text: string): void {
  document.querySelector('[data-developer-problems]')?.remove();
  const box = document.createElement('aside');
  box.setAttribute('aria-label', 'What is wrong');
  box.dataset.developerProblems = '';
  box.style.cssText =
    'position:fixed;inset:auto 0 0;z-index:2147483647;max-height:60vh;overflow:auto;padding:1rem;background:#2b0d0d;color:#ffe3e3;border-top:4px solid #ff6b6b;color-scheme:dark';
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.style.cssText = 'float:right;font:inherit';
  close.addEventListener('click', () => box.remove());
  const said = document.createElement('pre');
  said.textContent = text;
  said.style.cssText = 'margin:0;white-space:pre-wrap;font:.875rem/1.5 ui-monospace,monospace';
  box.append(close, said);
  document.body.append(box);
}
