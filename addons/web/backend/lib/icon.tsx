import { memo } from 'react';

/** An icon of Bootstrap Icons, hidden from screen readers; those that the page came with (services/backend/icons.ts) are there. */
export const Icon = memo(function Icon({ name, className = '' }: { name: string; className?: string }) {
  const source = document.querySelector(`[data-backend-icons] > [data-icon="${name}"] > svg`);
  return (
    <svg
      className={`icon ${className}`}
      viewBox={source?.getAttribute('viewBox') ?? '0 0 16 16'}
      aria-hidden="true"
      focusable="false"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the shape of an icon that the server drew into this page
      dangerouslySetInnerHTML={{ __html: source?.innerHTML ?? '' }}
    />
  );
});
