import { useEffect, useRef } from 'react';

/** Sends the form that it stands in as soon as it is there, for what somebody would only press a button for. */
export default function GoOn() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => place.current?.closest('form')?.requestSubmit(), []);
  return <span ref={place} hidden />;
}
