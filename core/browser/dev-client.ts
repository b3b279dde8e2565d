/** Only in development: shows a saved change by loading the page again, where it was scrolled. */
const source = new EventSource('/_dev/events');
let shown: string | null = null;
source.addEventListener('generation', ({ data }: MessageEvent<string>) => {
  if (shown !== null && data !== shown) location.reload();
  shown = data;
});
source.addEventListener('problems', ({ data }: MessageEvent<string>) =>
  console.warn(`What was saved cannot be served.\n${data}`),
);
