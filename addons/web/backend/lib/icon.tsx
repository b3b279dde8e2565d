import { memo } from 'react';

/** Bootstrap icon, hidden from screen readers. Only the icons delivered with the page are available (services/backend/icons.ts). */
export const Icon = memo(function Icon({ name, className = '' }: { name: string; className?: string }) {
  const source = document.querySelector(`[data-backend-icons] > [data-icon="${name}"] > svg`);
  return (
    <svg
      className={`icon ${className}`}
      viewBox={source?.getAttribute('viewBox') ?? '0 0 16 16'}
      aria-hidden="true"
      focusable="false"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: icon shape rendered into this page by the server
      dangerouslySetInnerHTML={{ __html: source?.innerHTML ?? '' }}
    />
  );
});
