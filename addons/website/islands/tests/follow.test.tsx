/** @jest-environment jsdom */
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import Follow from '../follow.tsx';
import { find, serve } from './dom-kit.ts';

afterEach(cleanup);

interface Told {
  is_follower: boolean;
  is_user: boolean;
  email: string | false;
}

/** `answer` is the server's response to a change, or `refused` for an error. */
async function start(props: Told, answer: boolean | 'refused' = true) {
  const calls = serve({
    '/website_mail/is_follower': () => props,
    '/website_mail/follow': () => (answer === 'refused' ? undefined : answer),
  });
  await act(async () => {
    render(
      <Follow model="forum.post" id={7} following={false}>
        The outbox
      </Follow>,
    );
  });
  const element = find<HTMLFormElement>('.js_follow');
  const press = (): Promise<void> => act(async () => void fireEvent.submit(element));
  return { element, press, sent: () => calls.filter(({ path }) => path === '/website_mail/follow'), calls };
}
const write = (address: string): boolean => fireEvent.change(email(), { target: { value: address } });
const visitor: Told = { is_follower: false, is_user: false, email: false };
const email = (): HTMLInputElement => find<HTMLInputElement>('.js_follow_email');
const isShown = (selector: string): boolean => !find(selector).hidden;

describe('Following', () => {
  it('asks whether one follows already, and shows it', async () => {
    const { element, calls } = await start({ is_follower: true, is_user: true, email: 'ada@example.org' });
    expect(calls[0]).toEqual({ path: '/website_mail/is_follower', body: { model: 'forum.post', id: 7 } });
    expect(element.dataset.follow).toBe('on');
    expect([isShown('.js_follow_btn'), isShown('.js_unfollow_btn')]).toEqual([false, true]);
    expect([email().value, email().disabled]).toEqual(['ada@example.org', true]);
  });

  it('sends the state there was, and shows the one there is', async () => {
    const { element, press, sent } = await start(visitor);
    write('ada@example.org');
    await press();
    expect(sent()).toEqual([
      {
        path: '/website_mail/follow',
        body: { id: 7, object: 'forum.post', message_is_follower: 'off', email: 'ada@example.org' },
      },
    ]);
    expect(element.dataset.follow).toBe('on');
    expect(email().disabled).toBe(true);
    expect(find('[role=status]').textContent).toContain('You’ll get an email');
    expect(document.activeElement).toBe(find('.js_unfollow_btn'));
    expect(isShown('[data-outbox]')).toBe(true);
  });

  it('goes back', async () => {
    const { element, press, sent } = await start({ is_follower: true, is_user: true, email: 'ada@example.org' }, false);
    await press();
    expect(sent()[0]?.body).toMatchObject({ message_is_follower: 'on' });
    expect(element.dataset.follow).toBe('off');
    expect(isShown('.js_follow_btn')).toBe(true);
  });

  it.each(['', 'ada', '@', 'ada@', '@example.org'])(
    'marks the form in error for the address “%s” and sends nothing',
    async (address) => {
      const { element, press, sent } = await start(visitor);
      write(address);
      await press();
      expect(element.classList.contains('has-error')).toBe(true);
      expect(email().getAttribute('aria-invalid')).toBe('true');
      expect(sent()).toEqual([]);
    },
  );

  it('takes the mark away when the address is right', async () => {
    const { element, press } = await start(visitor);
    await press();
    write('a@b');
    await press();
    expect(element.classList.contains('has-error')).toBe(false);
  });

  it('needs no address of somebody who is signed in, and takes none', async () => {
    const { press, sent } = await start({ is_follower: false, is_user: true, email: false });
    expect(email().disabled).toBe(true);
    await press();
    expect(sent()[0]?.body).toMatchObject({ message_is_follower: 'off', email: false });
    expect(find('[role=status]').textContent).toBe('You’re now following this.');
  });

  it('lets visitors stop whose address only a confirmed mail has shown', async () => {
    const { element, press, sent } = await start({ is_follower: true, is_user: false, email: '' }, false);
    await press();
    expect(sent()[0]?.body).toMatchObject({ message_is_follower: 'on', email: false });
    expect(element.dataset.follow).toBe('off');
    expect(email().disabled).toBe(false);
  });

  it('says why when it is refused, and stays as it was', async () => {
    const { element, press } = await start(visitor, 'refused');
    write('ada@example.org');
    await press();
    expect(element.dataset.follow).toBe('off');
    expect(find('.toast-note[role=alert]').textContent).not.toBe('');
  });
});
