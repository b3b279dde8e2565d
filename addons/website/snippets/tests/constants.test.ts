import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FADES_AFTER, DURATION as RISE, SHOWN_AFTER } from '../../behaviours/back-to-top.ts';
import { OFFSET_MIN, OFFSET_RATIO, THROTTLE } from '../../behaviours/scroll-animation.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const source = (file: string): string => readFileSync(path.join(root, file), 'utf8');
/** A number as a file writes it: behaviours that need a browser to be loaded are read. */
const written = (file: string, pattern: RegExp): number => Number(pattern.exec(source(file))?.[1]?.replaceAll('_', ''));

/**
 * Every constant of the specification's common runtime that belongs to snippets, behaviours, kanban and tours, by the words of its section 9 (and
 * 4 and 5). What is not used is listed with the reason.
 */
describe('The constants of the common runtime', () => {
  it.each([
    [
      'Carousel interval 10000 ms',
      written('addons/website/islands/parts/slider-controls.tsx', /INTERVAL = ([\d_]+)/),
      10_000,
    ],
    ['Share popup 600 wide', written('addons/website/islands/share.tsx', /POPUP = .*width: (\d+)/), 600],
    ['Share popup 550 high', written('addons/website/islands/share.tsx', /POPUP = .*height: (\d+)/), 550],
    ['Back-to-top after 300 px', SHOWN_AFTER, 300],
    ['Back-to-top fades after 1200 px', FADES_AFTER, 1_200],
    ['Back-to-top scrolls in 700 ms', RISE, 700],
    ['Lightbox animation 250 ms', written('addons/website/islands/parts/lightbox.tsx', /ANIMATION = (\d+)/), 250],
    ['Lightbox swipe threshold 50 px', written('addons/website/islands/parts/lightbox.tsx', /SWIPE = (\d+)/), 50],
    ['Lightbox gutter 10', written('addons/website/islands/parts/lightbox.tsx', /GUTTER = (\d+)/), 10],
    ['Animation scroll throttle 100 ms', THROTTLE, 100],
    ['Animation offset ratio 0.3', OFFSET_RATIO, 0.3],
    ['Animation minimum offset 10', OFFSET_MIN, 10],
    ['Transition of modals 300 ms', written('core/styles/_components.scss', /pg-rise (\d+)ms/), 300],
    [
      'Transition of collapses 350 ms',
      1_000 * written('core/styles/_tokens.scss', /\$transition-collapse: height ([\d.]+)s/),
      350,
    ],
    [
      'Transition of fades 150 ms',
      1_000 * written('core/styles/_tokens.scss', /\$transition-fade: opacity ([\d.]+)s/),
      150,
    ],
    ['Kanban: 10 cards a page', written('addons/website/snippets/kanban/kanban.ts', /step = (\d+)/), 10],
    ['Kanban: 5 page links', written('addons/website/snippets/kanban/kanban.ts', /scope = (\d+)/), 5],
  ])('%s', (_, value, expected) => expect(value).toBe(expected));

  it('Lightbox image types: png, jpg, jpeg, gif', () => {
    expect(/TYPES = \[(.*)\]/.exec(source('addons/website/snippets/is-picture.ts'))?.[1]).toBe(
      "'png', 'jpg', 'jpeg', 'gif'",
    );
  });

  it('Parallax ratio 1 means a fixed background', () => {
    // picture's top in the window = section's top × (1 − ratio): see behaviours.test.tsx
    expect(source('addons/website/behaviours/parallax.ts')).toContain("section's top × (1 − ratio)");
  });

  // Not used, and why:
  // - "24-hour, French" of the weather, and the calendar's French labels: French pages have them word for word, English ones speak English.
  // - The third-party editor's "Image uploads are not supported in this browser, use Chrome, Firefox, or Safari instead.", its tooltip delay of 400 ms, font
  //   sizes 1 to 6 and palette of 216 colours: another editor took its place, which uploads in every browser and has none of these. Failures of
  //   uploads are said in the dialog, which stays open, so that what was chosen is not lost.
  // - The prompt dialog (`PromptDialog` of `#addons/web/kit`) and the hidden form (`#addons/website/browser`) are for addons: no page of those that are
  //   shipped shows them.

  it('Bootstrap 5 replaces 3.2.0, and no library the carousel: slides are scrolled by the browser', () => {
    // So "scroll 500 ms" and "auto timeout 2500 ms", the defaults of the carousel library, are not used: the interval is 10000 ms everywhere.
    const { dependencies } = JSON.parse(source('package.json')) as { dependencies: Record<string, string> };
    expect(dependencies.bootstrap).toMatch(/^5\./);
    expect(Object.keys(dependencies).filter((name) => /carousel|caroufredsel|swiper|slick|jquery/i.test(name))).toEqual(
      [],
    );
  });
});
