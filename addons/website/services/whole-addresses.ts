/**
 * Makes paths in sanitised HTML absolute, for readers outside the site such as mail programs and feed readers.
 *
 * @param origin `https://club.example`
 * @param address page of the HTML, for its internal links (`#answer-4`); without it they stay unchanged
 */
export function wholeAddresses(html: string, origin: string, address = ''): string {
  const absolute = (link: string): string =>
    /^\/(?!\/)/.test(link) ? origin + link : /^[#?]/.test(link) ? address + link : link;
  return html
    .replace(/(\s(?:href|src|poster)=")([^"]*)/gi, (_all, start: string, link: string) => start + absolute(link))
    .replace(
      /(\ssrcset=")([^"]*)/gi,
      (_all, start: string, links: string) => start + links.split(/,\s+/).map(absolute).join(', '),
    );
}
