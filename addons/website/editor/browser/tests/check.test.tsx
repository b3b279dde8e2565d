import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { countFaults, type Fault, findFaults } from '../faults.ts';
import { CheckDialog } from '../ui/check-dialog.tsx';
import { fillGaps } from './kit.ts';

beforeAll(() => {
  fillGaps();
  performance.getEntriesByName ??= () => [];
});
afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

const show = (html: string): HTMLElement => {
  const main = document.createElement('main');
  main.innerHTML = html.includes('<h1') || html === '' ? html : `<h1>Roses</h1>${html}`;
  document.body.append(main);
  return main;
};
const issuesIn = async (html: string) =>
  (await findFaults(show(html))).map(({ rule, text }) => `${rule}: ${text}`).sort();

describe('what stands in a visitor’s way', () => {
  beforeEach(() => {
    globalThis.fetch = jest.fn<typeof fetch>(async (path) => ({ status: path === '/gone' ? 404 : 200 }) as Response);
  });

  it('is what axe says, in words', async () => {
    expect(await issuesIn('<h1>A</h1><h4>B</h4><img src="/a.png"><a href="/there"></a>')).toEqual([
      'alt: This image has no alternative text.',
      'headings: This heading skips a level.',
      'names: This element has no accessible name.',
    ]);
  });

  it('is a page that has no name of its own', async () => {
    expect(await issuesIn('')).toEqual(['headings: The page has no main heading (level 1).']);
    document.body.innerHTML = '<main><h2>It may be this one</h2></main>';
    const [fault] = await findFaults(document.body);
    expect(fault?.element?.textContent).toBe('It may be this one');
  });

  it('is a picture that says nothing, unless it is mere decoration', async () => {
    const html =
      '<img src="/a.png" alt=""><img src="/b.png" alt="" role="presentation"><div data-block="x.y"><img src="/c.png" alt=""></div>';
    expect(await issuesIn(html)).toEqual(['alt: Add alternative text, or mark the image as decorative.']);
  });

  it('is a picture of many bytes, seen or not', async () => {
    const measured = performance.getEntriesByName;
    let isLoaded = false;
    performance.getEntriesByName = () =>
      isLoaded ? [{ encodedBodySize: 900_000 } as unknown as PerformanceEntry] : [];
    const decode = jest.spyOn(HTMLImageElement.prototype, 'decode').mockImplementation(async function load(
      this: HTMLImageElement,
    ) {
      isLoaded = this.loading === 'eager';
    });
    expect(await issuesIn('<img src="/a.png" alt="A" loading="lazy">')).toEqual([
      'pictures: This image is large: 900 KB.',
    ]);
    // The change isn't saved with the page.
    expect(document.querySelector('img')?.loading).toBe('lazy');
    performance.getEntriesByName = measured;
    decode.mockRestore();
  });

  it('is a link that leads nowhere, to a page or a place of this one', async () => {
    const html =
      '<p id="here"><a href="/gone">a</a><a href="/there">b</a><a href="#here">c</a><a href="#away">d</a></p>';
    expect(await issuesIn(html)).toEqual([
      `links: Broken link: ${location.pathname}#away`,
      'links: Broken link: /gone',
    ]);
    expect(globalThis.fetch).toHaveBeenCalledWith('/gone', { method: 'HEAD', credentials: 'omit' });
  });

  it('is shown by kind, with a way to its place, and may be published all the same', async () => {
    const main = show('<img src="/rose.png" alt=""><img src="/website/image/3/datas" alt="A tulip">');
    const issues = await findFaults(main);
    expect(countFaults(issues)).toEqual([{ rule: 'alt', count: 1 }]);
    const heavy: Fault = { rule: 'pictures', text: 'heavy', element: main.querySelectorAll('img')[1] ?? null };
    const faults = [...issues, heavy];
    const [onPublish, onClose] = [jest.fn(), jest.fn()];
    render(<CheckDialog faults={faults} onPublish={onPublish} onClose={onClose} />);
    expect(screen.getByText('rose.png')).toBeDefined();
    expect(screen.getByText('A tulip')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Publish anyway', hidden: true }));
    expect(onPublish).toHaveBeenCalled();
    await userEvent.click(screen.getAllByRole('button', { name: 'Show', hidden: true })[0] as HTMLElement);
    expect(onClose).toHaveBeenCalled();
    expect(main.querySelector('img')?.hasAttribute('data-ed-shown')).toBe(true);
  });
});
