/**
 * An icon of Bootstrap Icons, hidden from screen readers: `import cart from 'bootstrap-icons/icons/cart3.svg'`, `<Icon of={cart} />`. Only the icons
 * that are imported reach the browser.
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
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the package bootstrap-icons, put in when the island was built
      dangerouslySetInnerHTML={{ __html: shape }}
    />
  );
}
