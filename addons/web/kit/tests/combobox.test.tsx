/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { Combobox } from '../combobox.tsx';

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

function Players({ onSelect }: { readonly onSelect: (player: { id: number; name: string }) => void }) {
  const [name, setName] = useState('');
  return (
    <Combobox
      value={name}
      onChange={setName}
      delay={0}
      label="Suggestions"
      aria-label="Player"
      suggest={async () => [
        { id: 1, name: 'Jo Martin' },
        { id: 2, name: 'Jo Martin' },
      ]}
      textOf={(player) => player.name}
      onSelect={onSelect}
    />
  );
}

test('two of the same name are offered apart, and the one that was pressed is chosen', async () => {
  const wrong = jest.spyOn(console, 'error').mockImplementation(() => {});
  const chosen = jest.fn();
  render(<Players onSelect={chosen} />);
  await userEvent.type(screen.getByRole('combobox', { name: 'Player' }), 'jo');
  const [, second] = await screen.findAllByRole('option');
  if (second) await userEvent.click(second);
  expect(chosen.mock.calls).toEqual([[{ id: 2, name: 'Jo Martin' }]]);
  expect(wrong).not.toHaveBeenCalled();
});
