/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Comment from '../comment.tsx';
import Confirm from '../confirm.tsx';
import Favourite from '../favourite.tsx';
import Flag from '../flag.tsx';
import Follow from '../follow.tsx';
import Gate from '../gate.tsx';
import { serve, toasts } from './kit.ts';

const post = '/forum/help-1/post/7';
const question = '/forum/help-1/question/7';
const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  document.body.replaceChildren();
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement, value = '') {
    this.open = false;
    this.returnValue = value;
    this.dispatchEvent(new Event('close'));
  };
});

test('A favourite is counted at once, and again when it is none any more', async () => {
  serve({ [`${question}/toggle_favourite`]: true });
  render(<Favourite base={question} isOn={false} count={1} />);
  const count = (): string | null | undefined => document.querySelector('[data-count]')?.textContent;
  await press('Favourite');
  await waitFor(() => expect(count()).toBe('2'));
  expect(screen.getByRole('button').getAttribute('aria-pressed')).toBe('true');
  serve({ [`${question}/toggle_favourite`]: false });
  await press('Favourite');
  await waitFor(() => expect(count()).toBe('1'));
});

test('Following sends the state there was, and says the one there is', async () => {
  const asked = serve({ '/website_mail/follow': true });
  render(<Follow id={7} object="forum.post" isFollowed={false} path="/forum/help-1" />);
  expect(Object.fromEntries(new FormData(document.forms[0]))).toEqual({
    id: '7',
    object: 'forum.post',
    redirect: '/forum/help-1',
  });
  await userEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-pressed')).toBe('true'));
  expect(asked[0]?.params).toEqual({ id: 7, object: 'forum.post', message_is_follower: 'off' });
  expect(toasts()).toEqual(['You’re now following this.']);
});

test('What was flagged cannot be flagged again', async () => {
  serve({ [`${post}/flag`]: { success: 'post_flagged_non_moderator' } });
  render(<Flag base={post} needs={null} />);
  await press('Flag');
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  expect(toasts()).toEqual(['Thanks. A moderator will review it.']);
});

test.each([
  ['post_already_flagged', 'This post has already been flagged.'],
  ['post_non_flaggable', 'This post can’t be flagged.'],
])('A flag that is refused as %s says so', async (error, text) => {
  serve({ [`${post}/flag`]: { error } });
  render(<Flag base={post} needs={null} />);
  await press('Flag');
  await waitFor(() => expect(toasts()).toEqual([text]));
});

test('A comment is deleted once that was confirmed', async () => {
  const asked = serve({ [`${post}/comment/3/delete`]: true });
  render(
    <Comment base={post} id={3}>
      <p>What I say</p>
    </Comment>,
  );
  await press('Delete');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel', hidden: true }));
  expect(asked).toEqual([]);
  await press('Delete');
  await userEvent.click(screen.getAllByRole('button', { name: 'Delete', hidden: true }).at(-1) as HTMLElement);
  await waitFor(() => expect(screen.queryByText('What I say')).toBeNull());
  expect(asked).toEqual([{ path: `${post}/comment/3/delete`, params: {} }]);
});

test('A form is sent once that was confirmed', async () => {
  const submit = jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(() => {});
  render(
    <Confirm question="Delete this answer for good?" yes="Delete">
      <form>
        <button type="submit">Away</button>
      </form>
    </Confirm>,
  );
  await press('Away');
  expect(screen.getByText('Delete this answer for good?')).toBeDefined();
  expect(submit).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Delete', hidden: true }));
  await waitFor(() => expect(submit).toHaveBeenCalledTimes(1));
});

test('What takes more karma does nothing but say so', async () => {
  const pressed = jest.fn();
  render(
    <Gate needs={3}>
      <button type="button" onClick={pressed}>
        Ask
      </button>
    </Gate>,
  );
  await press('Ask');
  expect(pressed).not.toHaveBeenCalled();
  expect(toasts()[0]).toContain('3 karma is required');
});
