/** Only in development: shows a saved change by loading the page again, where it was scrolled. */
const source = new EventSource('/_dev/events');
let generation: string | null = null;
source.addEventListener('generation', (event) => {
  const { data } = event as MessageEvent<string>;
  if (generation !== null && data !== generation) location.reload();
  generation = data;
});
source.addEventListener('problems', (event) => console.warn((event as MessageEvent<string>).data));
