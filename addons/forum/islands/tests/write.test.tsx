/** @jest-environment jsdom */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Answer from '../answer.tsx';
import Ask from '../ask.tsx';
import { serve, toasts } from './kit.ts';

const props: Parameters<typeof Ask>[0] = {
  action: '/forum/help-1/question/new',
  back: '/forum/help-1',
  draft: 'forum.1.ask',
  kind: 'question',
  forum: 1,
  title: '',
  titleSize: 200,
  similar: '/forum/help-1/similar',
  tags: [],
  tagNeeds: null,
  mayUseTools: true,
  errors: {},
};
const ask = (about: Partial<Parameters<typeof Ask>[0]> = {}) => (
  <Ask {...props} {...about}>
    <textarea name="content" aria-label="Details" />
  </Ask>
);
const tagsOf = (): string => (document.querySelector('input[name=question_tags]') as HTMLInputElement).value;
const kept = (): { values: object; sent?: boolean } | null =>
  JSON.parse(localStorage.getItem('forum.draft.forum.1.ask') ?? 'null');

beforeEach(() => {
  localStorage.clear();
  for (const note of document.querySelectorAll('.toasts')) note.remove();
});

test('A file that is pasted together with its name is left to the editor', () => {
  serve({ '/forum/help-1/similar': [], '/forum/get_tags': [] });
  const { unmount } = render(
    <Ask {...props}>
      {/* biome-ignore lint/a11y/useSemanticElements: as the rich text editor draws it */}
      <div contentEditable role="textbox" tabIndex={0} aria-label="Details" />
    </Ask>,
  );
  const files = [new File(['x'], 'plan.md')];
  const clipboardData = { types: ['text/plain'], files, getData: () => '# A plan\n\n- **one**\n- two' };
  expect(fireEvent.paste(screen.getByLabelText('Details'), { clipboardData })).toBe(true);
  unmount();
});

test('What is typed is kept, and comes back', async () => {
  serve({ '/forum/help-1/similar': [], '/forum/get_tags': [] });
  const { unmount } = render(ask());
  await userEvent.type(screen.getByLabelText('Title'), 'Which rose');
  await userEvent.type(screen.getByLabelText('Details'), 'North side');
  await userEvent.type(screen.getByRole('combobox'), 'roses,');
  await screen.findByText('Draft saved in this browser.');
  await waitFor(() =>
    expect(kept()?.values).toEqual({ question_name: 'Which rose', content: 'North side', question_tags: 'roses' }),
  );
  unmount();
  render(ask());
  await screen.findByText('Draft restored.');
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe('Which rose');
  expect((screen.getByLabelText('Details') as HTMLTextAreaElement).value).toBe('North side');
  expect(tagsOf()).toBe('roses');
  fireEvent.submit(document.forms[0] as HTMLFormElement);
  expect(kept()?.sent).toBe(true);
});

test('A draft does not come back into a form that begins with something else', () => {
  serve({ '/forum/help-1/similar': [] });
  const base = { question_name: '', content: '', question_tags: '' };
  const values = { ...base, question_name: 'Old' };
  localStorage.setItem('forum.draft.forum.1.ask', JSON.stringify({ at: Date.now(), base, values }));
  render(ask({ title: 'New' }));
  expect((screen.getByLabelText('Title') as HTMLInputElement).value).toBe('New');
});

test('Questions like it are shown while the title is typed', async () => {
  const asked = serve({
    '/forum/help-1/similar': [{ id: 1, name: 'Which rose climbs', url: '/forum/q-1', answers: 1, solved: true }],
  });
  render(ask());
  await userEvent.type(screen.getByLabelText('Title'), 'A rose');
  const link = await screen.findByRole('link', { name: 'Which rose climbs' });
  expect(link.getAttribute('href')).toBe('/forum/q-1');
  expect(screen.getByText(/solved/)).toBeDefined();
  expect(asked.map(({ path }) => path)).toEqual(['/forum/help-1/similar?q=A+rose']);
});

test('Tags are suggested, end with a comma, space or underscore, and are bounded', async () => {
  const asked = serve({ '/forum/get_tags': [{ id: 1, name: 'rosemary' }] });
  render(ask({ tags: ['a1', 'b1'] }));
  const typing = screen.getByRole('combobox');
  expect(typing.id).toBe('question-tags-typing');
  await userEvent.type(typing, 'rose');
  await userEvent.click(await screen.findByRole('option', { name: 'rosemary' }));
  await waitFor(() => expect(tagsOf()).toBe('a1,b1,rosemary'));
  expect(asked[0]?.path).toBe('/forum/get_tags?q=rose&t=select2&l=50&forum=1');
  await userEvent.type(typing, 'x_');
  await waitFor(() => expect(toasts()).toEqual(['Tags must be 2 to 35 characters long.']));
  await userEvent.type(typing, 'dd_ee ');
  await waitFor(() => expect(tagsOf()).toBe('a1,b1,rosemary,dd,ee'));
  expect((typing as HTMLInputElement).disabled).toBe(true);
});

test('New tags take karma', async () => {
  serve({ '/forum/get_tags': [{ id: 1, name: 'rosemary' }] });
  render(ask({ tagNeeds: 75 }));
  await userEvent.type(screen.getByRole('combobox'), 'unheard,');
  await waitFor(() => expect(toasts()[0]).toContain('75 karma is required'));
  await userEvent.type(screen.getByRole('combobox'), 'rosemary,');
  await waitFor(() => expect(tagsOf()).toBe('rosemary'));
});

test('What is wrong stands beside its field', () => {
  serve({ '/forum/help-1/similar': [] });
  render(ask({ errors: { title: 'Enter a title for your question.', tags: 'Use up to 5 tags.' } }));
  expect(screen.getByText('Enter a title for your question.').id).toBe('question-name-error');
  expect(screen.getByText('Use up to 5 tags.')).toBeDefined();
});

test('Links and pictures are for those with the karma for them, and so is answering', async () => {
  serve({});
  render(
    <Answer action="/forum/help-1/post/7/new" draft="forum.answer.7" mayUseTools={false} needs={3}>
      <textarea name="content" aria-label="Your answer" />
    </Answer>,
  );
  const tool = new CustomEvent('richtext:tool', { bubbles: true, cancelable: true });
  screen.getByLabelText('Your answer').dispatchEvent(tool);
  expect(tool.defaultPrevented).toBe(true);
  expect(toasts()).toEqual(['Sorry you need more than 30 Karma.']);
  await userEvent.click(screen.getByRole('button', { name: 'Post your answer' }));
  expect(toasts()[1]).toContain('3 karma is required');
});
