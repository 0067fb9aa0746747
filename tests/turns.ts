/**
 * Test files that take long and that few changes touch: kills, disks, releases, tours through many screens. `npm test`
 * takes one group of them each day, so that a run stays short enough to be waited for; `npm test -- --every` takes them all, and
 * so does naming a file. Groups take about as long as each other.
 */
export const TURNS: readonly (readonly string[])[] = [
  ['tests/trouble/rush.test.ts', 'tests/journeys/packed-browser.test.ts'],
  ['tests/new.test.ts', 'tests/journeys/public.test.ts', 'tests/journeys/timetable.test.ts'],
  [
    'tests/journeys/welcome.test.ts',
    'tests/journeys/days-of-a-term.test.ts',
    'tests/journeys/archive.test.ts',
    'tests/journeys/oneroster-screen.test.ts',
  ],
  ['tests/journeys/look.test.ts', 'tests/journeys/lists.test.ts', 'tests/journeys/merge.test.ts'],
  ['db/embedded.test.ts', 'tests/trouble/backup.test.ts', 'tests/journeys/degree.test.ts'],
  ['tests/journeys/exams.test.ts', 'tests/journeys/money.test.ts', 'tests/journeys/layout-shift.test.ts'],
  [
    'areas/office/oneroster/again.test.ts',
    'tests/journeys/keyboard-only.test.ts',
    'tests/journeys/offline.test.ts',
    'tests/trouble/uploads.test.ts',
  ],
  [
    'tests/trouble/room.test.ts',
    'tests/trouble/folder.test.ts',
    'tests/trouble/dev.test.ts',
    'tests/trouble/connections.test.ts',
    'tests/journeys/notices.test.ts',
  ],
  [
    'tests/before-publication.test.ts',
    'tests/journeys/transfers.test.ts',
    'tests/journeys/browser-safety.test.ts',
    'tests/journeys/levels.test.ts',
    'tests/journeys/interrupted.test.ts',
    'tests/journeys/federation.test.ts',
    'tests/journeys/chats.test.ts',
    'tests/journeys/two-programs.test.ts',
  ],
  [
    'tests/journeys/oneroster.test.ts',
    'db/migrate.test.ts',
    'tests/journeys/finance-reports.test.ts',
    'tests/journeys/beside-the-work.test.ts',
    'tests/journeys/collecting.test.ts',
    'tests/journeys/exam-weeks.test.ts',
    'tests/journeys/forms.test.ts',
  ],
  ['apps/demo/store.test.ts', 'tests/journeys/apply.test.ts', 'tests/journeys/beds.test.ts'],
  ['tests/journeys/keyboard.test.ts', 'tests/journeys/accommodations.test.ts'],
  ['tests/journeys/payment-plans.test.ts', 'tests/journeys/admission-payments.test.ts'],
]

/**
 * Sources whose statements nothing runs but a file that takes turns: on its day each of them must be seen there, as it must with
 * `--every`, and on other days nobody asks for them.
 */
export const RUN_IN_TURN: Readonly<Record<string, string>> = {
  'db/migrate.ts': 'db/migrate.test.ts',
  'apps/server/backup/restore.ts': 'tests/trouble/backup.test.ts',
  'areas/office/archive/archive.demo.ts': 'apps/demo/store.test.ts',
  'areas/office/certificates/certificates.demo.ts': 'apps/demo/store.test.ts',
}

/** Of statements that no test saw, those that a test of this run should have. */
export const unseenToday = (unseen: readonly string[], day: string | undefined): string[] => {
  const left = notToday(day)
  return unseen.filter((place) => !left.includes(RUN_IN_TURN[place.replace(/:\d+$/, '')] ?? ''))
}

/** Files of other days than that of this run; none where it is told to take everything. */
export const notToday = (day: string | undefined): readonly string[] =>
  day === undefined ? [] : TURNS.filter((_, i) => i !== Number(day) % TURNS.length).flat()
