import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';
import '../calendar/browser/calendar.css';
import '../calendar/browser/palette.css';
import { type ComponentProps, startTransition, useEffect, useState } from 'react';
import type { z } from 'zod';
import type { CalendarView } from '../calendar/browser/calendar-view.tsx';
import { ComingEvents } from '../calendar/browser/coming-events.tsx';
import type schema from './calendar.props.ts';

type Props = z.infer<typeof schema>;
type Loaded = Pick<ComponentProps<typeof CalendarView>, 'isNarrow' | 'grids'> & { readonly View: typeof CalendarView };

/** List of upcoming events; the calendar replaces it in a box of the same size once its code has loaded. */
export default function Calendar({ contact, view, coming }: Props) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    // On narrow screens, where days are too narrow to read, the list is the initial view.
    const isNarrow = matchMedia('(max-width: 575.98px)').matches;
    const load = Promise.all([
      import('../calendar/browser/calendar-view.tsx'),
      isNarrow ? null : import('../calendar/browser/grids.ts'),
    ]);
    // Renders in slices so that the page stays responsive. If loading fails, the list stays.
    load.then(
      ([{ CalendarView: View }, parts]) => startTransition(() => setLoaded({ View, isNarrow, grids: parts?.grids })),
      console.error,
    );
  }, []);
  if (!loaded)
    return (
      <div className="calendar-frame">
        <ComingEvents events={coming} />
      </div>
    );
  const { View, ...options } = loaded;
  return (
    <div className="calendar-frame">
      <View contact={contact} view={view} {...options} />
    </div>
  );
}
