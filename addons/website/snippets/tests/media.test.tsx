/** @jest-environment jsdom */
import { act, fireEvent, waitFor } from '@testing-library/react';
import gallery from '../../behaviours/gallery.ts';
import mediaVideo from '../../behaviours/media-video.ts';
import { find, settle, show, withBehaviours } from '../../islands/tests/dom-kit.ts';
import { isPicture } from '../is-picture.ts';
import { playerAddress } from '../players.ts';

const live = withBehaviours();

describe('A video', () => {
  it.each([
    [
      'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
      'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0',
    ],
    [
      'https://www.youtube.com/watch?t=3&v=aqz-KE-bpKQ',
      'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0',
    ],
    ['https://youtu.be/aqz-KE-bpKQ?t=3', 'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0'],
    [
      'https://www.youtube.com/embed/aqz-KE-bpKQ',
      'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0',
    ],
    ['https://vimeo.com/1084537', 'https://player.vimeo.com/video/1084537?autoplay=1&dnt=1'],
    ['https://player.vimeo.com/video/1084537', 'https://player.vimeo.com/video/1084537?autoplay=1&dnt=1'],
    ['https://www.dailymotion.com/video/x26ezrb', 'https://www.dailymotion.com/embed/video/x26ezrb?autoplay=1'],
    ['https://dai.ly/x26ezrb', 'https://www.dailymotion.com/embed/video/x26ezrb?autoplay=1'],
  ])('%s is played', (video, player) => {
    expect(playerAddress(video)).toBe(player);
  });

  it.each(['https://evil.example/youtube.com/embed/aqz-KE-bpKQ', 'javascript:alert(1)', 'https://vimeo.com/abc', ''])(
    '%s is none',
    (address) => {
      expect(playerAddress(address)).toBeNull();
    },
  );

  it('loads nothing until it is clicked, then plays in the place of its link', () => {
    show('<div><a class="s_media" href="https://vimeo.com/1084537"><img src="/p.jpg"> A film</a></div>');
    live(mediaVideo, find('a'));
    expect(document.querySelector('iframe')).toBeNull();
    find('a').click();
    const frame = find<HTMLIFrameElement>('div.s_media > iframe');
    expect(frame.src).toBe('https://player.vimeo.com/video/1084537?autoplay=1&dnt=1');
    expect(frame.title).toBe('A film');
    expect(document.querySelector('a')).toBeNull();
  });

  it('is called as its link says', () => {
    const map = 'https://www.openstreetmap.org/?mlat=48.8&mlon=2.2#map=15/48.8/2.2';
    show(`<div><a class="s_media" href="${map}" data-opened="Map: The house">Show the map</a></div>`);
    live(mediaVideo, find('a'));
    find('a').click();
    expect(find<HTMLIFrameElement>('iframe').title).toBe('Map: The house');
  });

  it('plays a film of this site as well, and leaves other files to the browser', () => {
    show('<div><a class="s_media" href="/web/content/7/open-day.webm"> Open day</a><a href="/a.pdf">A paper</a></div>');
    const [film, paper] = document.querySelectorAll('a');
    if (!film || !paper) throw new Error('There are two links.');
    expect(mediaVideo(paper)).toBeUndefined();
    live(mediaVideo, film);
    film.click();
    const video = find<HTMLVideoElement>('div.s_media > video');
    expect([video.getAttribute('src'), video.title, video.controls]).toEqual([
      `${location.origin}/web/content/7/open-day.webm`,
      'Open day',
      true,
    ]);
  });
});

describe('A gallery', () => {
  const base = 'https://site.example/page';
  it.each([
    '/a.png',
    '/a.jpg',
    '/a.JPEG',
    '/a.gif?x=1',
    'https://cdn.example/b.jpg',
    '/web/image/ir.attachment/3/datas',
    '/website/image/3',
  ])('takes %s for a picture', (address) => expect(isPicture(address, base)).toBe(true));
  it.each(['/a.pdf', '/a.webp.exe', '/shop', 'https://cdn.example/web/image/3', 'mailto:a@b.jpg.example'])(
    'does not take %s for one',
    (address) => expect(isPicture(address, base)).toBe(false),
  );

  const html = `<div class="s_gallery"><figure><a href="/1.jpg"><img src="/1s.jpg" alt="One"></a><figcaption>The first</figcaption></figure><a href="/2.png"><img src="/2.png" alt="Two"></a><a href="/paper.pdf"><img src="/p.png" alt="PDF"></a></div>`;
  const lightbox = (): Promise<HTMLDialogElement> =>
    waitFor(() => {
      const dialog = find<HTMLDialogElement>('dialog.lightbox');
      if (!dialog.open) throw new Error('It is not open yet.');
      return dialog;
    });
  const press = (selector: string): boolean => fireEvent.click(find(selector));
  async function open(): Promise<HTMLDialogElement> {
    live(gallery, show(html));
    find('img[alt="One"]').click();
    return await lightbox();
  }
  const currentSource = (): string | undefined =>
    find<HTMLImageElement>('.lightbox img').getAttribute('src')?.replace(/^.*\//, '/');

  it('opens a picture large, with its caption and its number', async () => {
    const dialog = await open();
    expect(dialog.open).toBe(true);
    expect(currentSource()).toBe('/1.jpg');
    expect(find('.lightbox figcaption').textContent).toBe('The first (1 of 2)');
    expect(dialog.style.getPropertyValue('--lightbox-time')).toBe('250ms');
    expect(dialog.style.getPropertyValue('--lightbox-gutter')).toBe('10px');
  });

  it('goes to the next and the previous picture, around the ends', async () => {
    const dialog = await open();
    press('.lightbox-next');
    expect(currentSource()).toBe('/2.png');
    press('.lightbox-next');
    expect(currentSource()).toBe('/1.jpg');
    fireEvent.keyDown(dialog, { key: 'ArrowLeft' });
    expect(currentSource()).toBe('/2.png');
  });

  it('follows a swipe of more than 50 pixels', async () => {
    const dialog = await open();
    const swipe = (from: number, to: number): void => {
      for (const [type, clientX] of [
        ['pointerdown', from],
        ['pointerup', to],
      ] as const)
        act(() => {
          dialog.dispatchEvent(Object.assign(new MouseEvent(type, { clientX, bubbles: true }), { isPrimary: true }));
        });
    };
    swipe(200, 150);
    expect(currentSource()).toBe('/1.jpg');
    swipe(200, 149);
    expect(currentSource()).toBe('/2.png');
    swipe(100, 160);
    expect(currentSource()).toBe('/1.jpg');
    // A mouse swipe ends with a click next to the image, which must not close the viewer.
    press('.lightbox figure');
    expect(dialog.open).toBe(true);
  });

  it('closes by its button and by a click beside the picture, not on it', async () => {
    await open();
    press('.lightbox img');
    expect(document.querySelector('dialog')).not.toBeNull();
    press('.lightbox figure');
    expect(document.querySelector('dialog')).toBeNull();
    expect(document.activeElement?.getAttribute('href')).toBe('/1.jpg');
    find('img[alt="Two"]').click();
    await lightbox();
    press('.lightbox-close');
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('leaves links to other files alone', async () => {
    live(gallery, show(html));
    find('.s_gallery').addEventListener('click', (event) => event.preventDefault());
    find('img[alt="PDF"]').click();
    await settle();
    expect(document.querySelector('dialog')).toBeNull();
  });
});
