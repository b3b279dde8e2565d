/**
 * Bootstrap icon, hidden from screen readers: `import cart from 'bootstrap-icons/icons/cart3.svg'`, `<Icon of={cart} />`. Only imported
 * icons reach the browser.
 */
export function Icon({
  of: [viewBox, shape],
  className = '',
}: {
  readonly of: readonly [viewBox: string, shape: string];
  readonly className?: string;
}) {
  return (
    <svg
      className={`icon ${className}`.trim()}
      viewBox={viewBox}
      aria-hidden="true"
      focusable="false"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the package bootstrap-icons, inlined when the island is built
      dangerouslySetInnerHTML={{ __html: shape }}
    />
  );
}
