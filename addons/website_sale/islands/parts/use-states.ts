import { request } from 'pergola/browser';
import { useEffect, useState } from 'react';
import type { StatesAnswer } from '../../routes/states.ts';
import type { Places } from '../checkout.props.ts';

type States = Places['states'];

async function loadStates(country: string): Promise<States> {
  const answer = await request(`/shop/states/${country}`);
  if (!answer.ok) throw new Error(`The states could not be loaded (${answer.status}).`);
  return ((await answer.json()) as StatesAnswer).states as States;
}

/** Returns the states of the selected country, from the page or loaded on demand; empty while loading. */
export function useStates(country: string, initialStates: States): States {
  const countryStates = initialStates.filter((state) => String(state.country) === country);
  // The page includes the states of the countries it was rendered with.
  const [first] = useState(country);
  const [loaded, setLoaded] = useState<Readonly<Record<string, States>>>({});
  const isInitial = country === '' || country === first || countryStates.length > 0;
  const isKnown = isInitial || country in loaded;
  useEffect(() => {
    if (isKnown) return;
    loadStates(country).then(
      (states) => setLoaded((earlier) => ({ ...earlier, [country]: states })),
      () => {}, // If loading fails, the server asks for the state in countries that need one.
    );
  }, [country, isKnown]);
  return isInitial ? countryStates : (loaded[country] ?? []);
}
