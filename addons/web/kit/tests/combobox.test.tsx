/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ComponentProps, useState } from 'react';
import { Combobox } from '../combobox.tsx';

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

interface Player {
  readonly id: number;
  readonly name: string;
}

function Players({
  suggest,
  onSelect,
  none,
}: Pick<ComponentProps<typeof Combobox<Player>>, 'suggest' | 'onSelect' | 'none'>) {
  const [name, setName] = useState('');
  return (
    <Combobox
      value={name}
      onChange={setName}
      delay={100}
      label="Suggestions"
      aria-label="Player"
      suggest={suggest}
      none={none}
      textOf={(player) => player.name}
      onSelect={onSelect}
    />
  );
}

test('two of the same name are offered apart, and the one that was pressed is chosen', async () => {
  const wrong = jest.spyOn(console, 'error').mockImplementation(() => {});
  const chosen = jest.fn();
  const namesakes = [1, 2].map((id) => ({ id, name: 'Jo Martin' }));
  render(<Players suggest={async () => namesakes} onSelect={chosen} />);
  await userEvent.type(screen.getByRole('combobox', { name: 'Player' }), 'jo');
  const [, second] = await screen.findAllByRole('option');
  if (second) await userEvent.click(second);
  expect(chosen.mock.calls).toEqual([[{ id: 2, name: 'Jo Martin' }]]);
  expect(wrong).not.toHaveBeenCalled();
});

test('what was highlighted stays so where it is among newer suggestions, and nothing is where it is not', async () => {
  const chosen = jest.fn();
  const waiting: ((players: Player[]) => void)[] = [];
  const answer = async (names: string): Promise<void> => {
    await waitFor(() => expect(waiting).toHaveLength(1));
    await act(async () => waiting.shift()?.(names.split(' ').map((name) => ({ id: 1, name }))));
  };
  render(<Players suggest={() => new Promise((resolve) => waiting.push(resolve))} onSelect={chosen} />);
  const field = screen.getByRole('combobox', { name: 'Player' });
  const highlighted = () => screen.queryByRole('option', { selected: true })?.textContent;
  await userEvent.type(field, 'j');
  await answer('Ann Jo');
  await screen.findByRole('option', { name: 'Ann' });
  await userEvent.type(field, 'o{ArrowDown}{ArrowDown}');
  expect(highlighted()).toBe('Jo');
  await answer('Joan Jo');
  await screen.findByRole('option', { name: 'Joan' });
  expect(highlighted()).toBe('Jo');
  await userEvent.type(field, 'a{ArrowUp}');
  expect(highlighted()).toBe('Jo');
  await answer('Ann Joan');
  await screen.findByRole('option', { name: 'Ann' });
  expect(highlighted()).toBeUndefined();
  await userEvent.type(field, '{ArrowDown}{Enter}');
  expect(chosen.mock.calls).toEqual([[{ id: 1, name: 'Ann' }]]);
});

test('where nothing fits it says so, and nothing where nothing was asked or the asking failed', async () => {
  const answers = [null, [], [{ id: 1, name: 'Jo' }], 'failed'] as const;
  let asked = 0;
  const suggest = async () => {
    const answer = answers[asked++];
    if (answer === 'failed') throw new Error('no line');
    return answer ?? null;
  };
  render(<Players suggest={suggest} onSelect={() => {}} none="Nobody fits." />);
  const field = screen.getByRole('combobox', { name: 'Player' });
  const said: (string | null)[] = [];
  for (const key of 'abcd') {
    await userEvent.type(field, key);
    await waitFor(() => expect(asked).toBe(said.length + 1));
    await act(async () => {});
    said.push(screen.getByRole('status').textContent);
  }
  expect(said).toEqual(['', 'Nobody fits.', '', '']);
});
