import { kept, waiting } from '../browser/kept-scores.ts';

/** Leads to the results that wait on this phone: opening one sends it. */
export default function keptScores(place: HTMLElement): undefined {
  const links = waiting().flatMap((mnbr) => {
    const address = `${location.pathname.replace(/results\/?$/, '')}${encodeURIComponent(mnbr)}/result`;
    const link = document.createElement('a');
    link.href = address;
    link.className = 'alert-link';
    link.textContent = kept(mnbr)?.title ?? mnbr;
    const item = document.createElement('li');
    item.append(link);
    return [item];
  });
  place.querySelector('ul')?.replaceChildren(...links);
  place.hidden = links.length === 0;
  return undefined;
}
