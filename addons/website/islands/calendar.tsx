import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';
import '../calendar/browser/calendar.css';
import '../calendar/browser/palette.css';
import { type ComponentType, useEffect, useState } from 'react';
import type { z } from 'zod';
import { ComingEvents } from '../calendar/browser/coming-events.tsx';
import type schema from './calendar.props.ts';

type Props = z.infer<typeof schema>;

/** What comes next, as a list; the calendar takes its place, in a box of the same size, once its code is there. */
export default function Calendar({ contact, view, coming }: Props) {
  const [View, setView] = useState<ComponentType<Pick<Props, 'contact' | 'view'>> | null>(null);
  useEffect(() => {
    // Where it cannot be loaded the list stays.
    import('../calendar/browser/calendar-view.tsx').then((module) => setView(() => module.CalendarView), console.error);
  }, []);
  return (
    <div className="calendar-frame">
      {View ? <View contact={contact} view={view} /> : <ComingEvents events={coming} />}
    </div>
  );
}
