import { useEffect, useState } from 'react';
import { request } from '#core/browser';
import type { StatesAnswer } from '../../routes/states.ts';
import type { Places } from '../checkout.props.ts';

type States = Places['states'];

const loaded = new Map<string, Promise<States>>();

/** Loads the states of a country once; a failed request is tried again the next time. */
function loadStates(country: string): Promise<States> {
  const known = loaded.get(country);
  if (known) return known;
  const states = request(`/shop/states/${country}`).then(async (answer) => {
    if (!answer.ok) throw new Error(`The states could not be loaded (${answer.status}).`);
    return ((await answer.json()) as StatesAnswer).states as States;
  });
  loaded.set(country, states);
  states.catch(() => loaded.delete(country));
  return states;
}

/** States of the chosen country: those the page brought along, else loaded; none while they are loading. */
export function useStates(country: string, brought: States): States {
  const own = brought.filter((state) => String(state.country) === country);
  // The page brings those of the countries it was rendered with.
  const [first] = useState(country);
  const [latest, setLatest] = useState<{ readonly country: string; readonly states: States } | null>(null);
  const isBrought = country === '' || country === first || own.length > 0;
  useEffect(() => {
    if (isBrought) return;
    let isCurrent = true;
    loadStates(country).then(
      (states) => isCurrent && setLatest({ country, states }),
      () => {}, // Without them the server asks for the state of countries that need one.
    );
    return () => {
      isCurrent = false;
    };
  }, [country, isBrought]);
  if (isBrought) return own;
  return latest?.country === country ? latest.states : [];
}
