import { type ReactNode, useEffect, useRef } from 'react';

/** What became of what was sent, in place of what had the focus, which it takes over. */
export function Outcome({ className, children }: { readonly className?: string; readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} className={className} role="status" tabIndex={-1}>
      {children}
    </div>
  );
}
