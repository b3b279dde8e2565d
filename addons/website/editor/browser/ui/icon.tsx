import { type IconName, iconPaths } from './icon-paths.ts';

/** A picture beside or instead of a label; hidden from screen readers, which read the label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path fillRule="evenodd" d={iconPaths[name]} />
    </svg>
  );
}
