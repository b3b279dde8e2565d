import { useCallback, useEffect, useState } from 'react';
import { troubleOf } from '../trouble.ts';

/** What a call has brought so far. */
export interface Called<T> {
  readonly value: T | null;
  readonly error: string | null;
  again(): void;
}

/** Calls when the component comes up and whenever `key` changes; a late answer to an earlier question is not taken. */
export function useCall<T>(call: () => Promise<T>, key: string): Called<T> {
  const [state, setState] = useState<{ value: T | null; error: string | null }>({ value: null, error: null });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what the call depends on, `round` asks again
  useEffect(() => {
    let isWanted = true;
    call().then(
      (value) => isWanted && setState({ value, error: null }),
      (error: unknown) => isWanted && setState((before) => ({ ...before, error: troubleOf(error).message })),
    );
    return () => {
      isWanted = false;
    };
  }, [key, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, again };
}

/** The value as it was when it last stayed the same for so many milliseconds. */
export function useSettled<T>(value: T, delay: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
