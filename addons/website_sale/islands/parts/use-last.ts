import { useState } from 'react';

/** The last of a value that was there: what is shown stays while nothing is available. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
