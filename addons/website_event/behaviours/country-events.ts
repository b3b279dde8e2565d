/** Brings the list of the next events up to date: what the server answers takes its place, if there is anything. */
export default function countryEvents(area: HTMLElement): () => void {
  const stop = new AbortController();
  void refresh(area, stop.signal);
  return () => stop.abort();
}

async function refresh(area: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    const answer = await fetch(area.dataset.url ?? '/event/get_country_event_list', { method: 'POST', signal });
    const html = answer.ok ? (await answer.text()).trim() : '';
    const list = area.querySelector('.country_events_list');
    if (html === '' || !list || list.outerHTML.replace(/\s+/g, ' ') === html.replace(/\s+/g, ' ')) return;
    const fresh = new DOMParser().parseFromString(html, 'text/html').querySelector('.country_events_list');
    if (fresh && fresh.textContent !== list.textContent) list.replaceWith(fresh);
  } catch {
    // What the page came with stays.
  }
}
