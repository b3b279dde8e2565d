import { useState } from 'react';

/** Returns the last defined value, so that it stays visible while the current one is undefined. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
