import { useEffect, useRef } from 'react';

/** Submits the surrounding form on load, where the user would only have to press its button. */
export default function GoOn() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => place.current?.closest('form')?.requestSubmit(), []);
  return <span ref={place} hidden />;
}
