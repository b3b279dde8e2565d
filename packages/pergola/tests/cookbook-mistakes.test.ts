import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTestApp } from 'pergola/testing';
import { writeCookbook } from './cookbook.ts';

/** What an author mistypes in the addon of the cookbook, and the report: the file and line of the mistake and what to do. */
type Mistake = readonly [file: string, right: string | null, wrong: string, report: RegExp];

const names: readonly Mistake[] = [
  [
    'views/course.ts',
    "'seats',\n",
    "'seat',\n",
    /studio views\/course\.ts:\d+: .*no field “seat”\. Did you mean “seats”/,
  ],
  [
    'views/course.ts',
    "wide: true }] }] },\n      { label: 'B",
    "widget: 'htmll' as never }] }] },\n      { label: 'B",
    /studio views\/course\.ts:\d+: .*the widget "htmll", which is not there/,
  ],
  [
    'views/booking.ts',
    "confirm: 'Cancel",
    "groups: ['studio.techer'], confirm: 'Cancel",
    /studio views\/booking\.ts:\d+: .*the group "studio\.techer".*“studio\.teacher”/,
  ],
  [
    'views/booking.ts',
    'model: Booking }),\n];',
    "model: Booking, domain: [['stat', '=', 'x']] }),\n];",
    /studio views\/booking\.ts:\d+: menu "studio\.menu_bookings".*“stat”/,
  ],
  [
    'views/course.ts',
    "icon: 'cup-hot', groups: ['studio.teacher']",
    "icon: 'cup-hot', groups: ['studio.tutor']",
    /studio views\/course\.ts:\d+: menu "studio\.menu" names the group "studio\.tutor"/,
  ],
  [
    'widgets.ts',
    "['studio.teacher']",
    "['studio.teachr']",
    /studio widgets\.ts:\d+: .*"studio\.teachr".*“studio\.teacher”/,
  ],
  ['widgets.ts', "filter: 'booked'", "filter: 'bookd'", /studio widgets\.ts:\d+: .*the filter "bookd".*“booked”/],
  [
    'blocks/next-courses.ts',
    '.max(12).default(3)',
    '.max(12)',
    /studio blocks\/next-courses\.ts:\d+: .*the option "count" without a default/,
  ],
  [
    'blocks/next-courses.ts',
    'blockOptions: { count: 3 }',
    'blockOptions: { cuont: 3 }',
    /studio blocks\/next-courses\.ts:\d+: snippet "studio\.next_courses".*“cuont”.*“count”/,
  ],
  [
    'blocks/pages.ts',
    "'studio.next_courses'",
    "'studio.next_course'",
    /studio blocks\/pages\.ts:\d+: page template.*"studio\.next_course".*“studio\.next_courses”/,
  ],
  [
    'templates/studio.course.hbs',
    'free=course.free',
    'fre=course.free',
    /studio templates\/studio\.course\.hbs:14: island "studio\.Booking" has no “fre”\. Did you mean “free”/,
  ],
  [
    'templates/studio.course.hbs',
    'course=course.id',
    'course="7"',
    /studio templates\/studio\.course\.hbs:14: island "studio\.Booking" .*“course”, which doesn't fit/,
  ],
  [
    'templates/studio.courses.hbs',
    '<h1>Courses</h1>',
    '<h1>{{icon "calender"}}Courses</h1>',
    /studio templates\/studio\.courses\.hbs:3: There is no Bootstrap icon "calender"/,
  ],
  [
    'security.ts',
    "[['partner_id', '=', ctx",
    "[['partnr_id', '=', ctx",
    /studio security\.ts:\d+: .*partnr_id.*“partner_id”/,
  ],
  ['jobs/remind.ts', "'0 7 * * *'", "'0 7 * *'", /studio jobs\/remind\.ts:\d+: the timetable "0 7 \* \*"/],
];

const declarations: readonly Mistake[] = [
  [
    'views/course.ts',
    "icon: 'cup-hot'",
    "icon: 'cup-hott'",
    /studio views\/course\.ts:27: .*“cup-hott” is no Bootstrap icon; the nearest is “cup-hot”/,
  ],
  [
    'blocks/next-courses.ts',
    "tab: 'dynamic'",
    "tab: 'dinamic' as never",
    /studio blocks\/next-courses\.ts:\d+: `snippets\.0\.tab`/,
  ],
];

const styles: readonly Mistake[] = [
  [
    'styles/week.page.scss',
    null,
    '.a { color: $nowhere; }\n',
    /studio styles\/week\.page\.scss:1: .*Undefined variable/,
  ],
  ['templates/studio.courses.hbs', '<h1>Courses</h1>', '{{stylesheet "studio.week"}}<h1>Courses</h1>', /./],
  [
    'islands/booking.tsx',
    'export default function',
    'export function',
    /studio islands\/booking\.tsx: .*exports nothing by default/,
  ],
];

const circle: readonly Mistake[] = [
  ['services/figures.ts', 'import { Course }', "import { Prices } from './prices.ts';\nimport { Course }", /./],
  ['services/figures.ts', 'courses: Course }', 'courses: Course, prices: Prices }', /./],
  ['services/prices.ts', 'import { Course }', "import { Figures } from './figures.ts';\nimport { Course }", /./],
  [
    'services/prices.ts',
    '{ courses: Course, offers }',
    '{ courses: Course, offers, figures: Figures }',
    /studio services\/\w+\.ts:\d+: .*these files import each other.*services\/figures\.ts → services\/prices\.ts|services\/prices\.ts → services\/figures\.ts/,
  ],
];

/** The problems of the cookbook's addons with these mistakes, a line each. */
async function problemsWith(mistakes: readonly Mistake[]): Promise<string[]> {
  const root = writeCookbook();
  try {
    for (const [file, right, wrong] of mistakes) {
      const target = path.join(root, 'addons/studio', file);
      mkdirSync(path.dirname(target), { recursive: true });
      const source = right === null ? '' : readFileSync(target, 'utf8');
      if (right !== null && !source.includes(right)) throw new Error(`${file} has no ${right}`);
      writeFileSync(target, right === null ? wrong : source.replace(right, wrong));
    }
    const roots = [path.join(root, 'addons')];
    process.env.ADDONS_PATH = roots[0];
    const told = await createTestApp({ addons: ['studio'], roots, database: 'sqlite' }).then(
      async (app) => {
        await app[Symbol.asyncDispose]();
        return '';
      },
      (error: Error) => error.message,
    );
    // The first line counts them.
    return told.split('\n').slice(1);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test.each([
  ['names that nothing has', names],
  ['declarations of the wrong shape', declarations],
  ['imports in a circle', circle],
])('%s are reported with their lines', async (_, mistakes) => {
  const problems = await problemsWith(mistakes);
  for (const [, , , report] of mistakes)
    expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(report)]));
});

test('What does not build is reported once, and not again for each template that uses it', async () => {
  const problems = await problemsWith(styles);
  expect(
    problems.filter((line) => !styles.some(([, , , report]) => String(report) !== '/./' && report.test(line))),
  ).toEqual([]);
});
