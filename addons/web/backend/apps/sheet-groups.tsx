import { formatNumber } from '../lib/format.ts';
import type { SheetGroup } from './calls.ts';

/** Lists what code can do by risk; the usual things are folded. */
export function SheetGroups({ groups }: { groups: readonly SheetGroup[] }) {
  return groups.map(({ risk, title, capabilities }) => (
    <details key={risk} className="plan-group" open={risk !== 'low'}>
      <summary>
        <h2 className="h6">{title}</h2> <span className="tag">{formatNumber(capabilities.length)}</span>
      </summary>
      <ul>
        {capabilities.map(({ text, places }) => (
          <li key={text}>
            {text}{' '}
            <span className="sheet-places" translate="no">
              {places}
            </span>
          </li>
        ))}
      </ul>
    </details>
  ));
}
