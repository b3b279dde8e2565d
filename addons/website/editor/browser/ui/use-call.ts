import { useCallback, useEffect, useState } from 'react';
import { troubleOf } from '../trouble.ts';

/** State of a call. */
export interface Called<T> {
  readonly value: T | null;
  readonly error: string | null;
  reload(): void;
}

/** Calls on mount and whenever `key` changes; ignores responses to earlier calls. */
export function useCall<T>(call: () => Promise<T>, key: string): Called<T> {
  const [state, setState] = useState<{ value: T | null; error: string | null }>({ value: null, error: null });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` represents the call's dependencies, `round` repeats the call
  useEffect(() => {
    let isWanted = true;
    call().then(
      (value) => isWanted && setState({ value, error: null }),
      (error: unknown) => isWanted && setState((previous) => ({ ...previous, error: troubleOf(error).message })),
    );
    return () => {
      isWanted = false;
    };
  }, [key, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  return { ...state, reload };
}

/** Debounced value: updates after `delay` milliseconds without changes. */
export function useSettled<T>(value: T, delay: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return debounced;
}
