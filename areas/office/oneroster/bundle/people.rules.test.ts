import { expect, test } from 'vitest'
import type { CsvRow } from './bundle.rules.ts'
import { checkEnrollments, checkRoles, checkUsers } from './people.rules.ts'
import { Findings } from './rows.rules.ts'
import type { BundleRows } from './rows.rules.ts'
import type { Structure, TaughtClass } from './structure.rules.ts'

type Cells = Readonly<Record<string, string>>
const rowsOf = (cells: readonly Cells[]): CsvRow[] => cells.map((one, i) => ({ line: i + 2, cells: one }))
const rows = (file: BundleRows['file'], cells: readonly Cells[], removed: readonly string[] = []): BundleRows => ({
  file,
  live: new Map(rowsOf(cells).map((row) => [row.cells.sourcedId!, row])),
  removed: new Set(removed),
})
const told = ({ errors, notes }: Findings) =>
  [...errors, ...notes].map(({ code, column, line }) => [code, column, line])

/** Who stands in the class C, which is offered in two terms (D: in one of them, the same course). */
const term = (id: string, start_date: string, end_date: string) =>
  ({ external_id: id, start_date, end_date }) as unknown as TaughtClass['term']
const [T1, T2] = [term('T1', '2025-09-01', '2026-01-15'), term('T2', '2026-02-01', '2026-06-15')]
const offered = (id: string, at: TaughtClass['term'], course = 'M1') =>
  ({ external_id: id, term: at, course }) as unknown as TaughtClass
const taught = new Map([
  ['C', [offered('C#T1', T1), offered('C#T2', T2)]],
  ['D', [offered('D', T1)]],
  ['E', [offered('E', T1, 'M2')]],
])
const classes = rows('classes', [{ sourcedId: 'C' }, { sourcedId: 'D' }, { sourcedId: 'E' }, { sourcedId: 'F' }], ['G'])
const people = rows('users', [{ sourcedId: 'ann' }, { sourcedId: 'bob' }], ['zoe'])
const enrolment = (more: Cells): Cells => ({ classSourcedId: 'D', userSourcedId: 'ann', role: 'student', ...more })
function enrolled(...cells: Cells[]) {
  const found = new Findings(100)
  const given = cells.map((one, i) => enrolment({ sourcedId: `e${i}`, ...one }))
  const out = checkEnrollments(found, rows('enrollments', given), classes, people, taught)
  return {
    studies: out.enrollments.map(({ external_id, class: of, user }) => [external_id, of, user]),
    teaches: out.teachings.map(({ class: of, user, role }) => [of, user, role]),
    told: told(found),
    said: out.said,
  }
}

test('who studies and who teaches', () => {
  const found = enrolled(
    {},
    { userSourcedId: 'bob', role: 'teacher' },
    { userSourcedId: 'bob', role: 'aide', classSourcedId: 'E' },
  )
  expect(found.studies).toEqual([['e0', 'D', 'ann']])
  expect(found.teaches).toEqual([
    ['D', 'bob', 'instructor'],
    ['E', 'bob', 'assistant'],
  ])
  expect([...found.said.get('bob')]).toEqual(['teacher', 'aide'])
  expect([...found.said.get('nobody')]).toEqual([])
  expect(found.told).toEqual([])
})

test.each<[string, Cells[], string[][], (string | number)[][]]>([
  [
    'both terms of a class',
    [{ classSourcedId: 'C' }],
    [
      ['e0', 'C#T1', 'ann'],
      ['e0#T2', 'C#T2', 'ann'],
    ],
    [],
  ],
  ['the term in which it begins', [{ classSourcedId: 'C', beginDate: '2026-02-01' }], [['e0', 'C#T2', 'ann']], []],
  ['the term in which it ends', [{ classSourcedId: 'C', endDate: '2026-01-31' }], [['e0', 'C#T1', 'ann']], []],
  [
    'the last day of a term',
    [{ classSourcedId: 'C', beginDate: '2026-01-15', endDate: '2026-01-20' }],
    [['e0', 'C#T1', 'ann']],
    [],
  ],
  [
    'the first day of a term',
    [{ classSourcedId: 'C', beginDate: '2026-01-20', endDate: '2026-02-01' }],
    [['e0', 'C#T2', 'ann']],
    [],
  ],
  [
    'between two terms: both',
    [{ classSourcedId: 'C', beginDate: '2026-01-16', endDate: '2026-01-20' }],
    [
      ['e0', 'C#T1', 'ann'],
      ['e0#T2', 'C#T2', 'ann'],
    ],
    [],
  ],
  ['one term, whenever', [{ beginDate: '2030-01-01' }], [['e0', 'D', 'ann']], []],
  ['others have no part', [{ role: 'proctor' }, { role: 'administrator', userSourcedId: 'bob' }], [], []],
  [
    'the end before the beginning',
    [{ beginDate: '2026-01-02', endDate: '2026-01-01' }],
    [['e0', 'D', 'ann']],
    [['roster_dates_out_of_order', 'endDate', 2]],
  ],
  ['one day', [{ beginDate: '2026-01-02', endDate: '2026-01-02' }], [['e0', 'D', 'ann']], []],
  ['a role that is none', [{ role: 'cook' }], [], [['roster_value_not_known', 'role', 2]]],
  ['a class that is not there', [{ classSourcedId: 'X' }], [], [['roster_reference_missing', 'classSourcedId', 2]]],
  ['somebody who is not there', [{ userSourcedId: 'X' }], [], [['roster_reference_missing', 'userSourcedId', 2]]],
  ['a class that goes', [{ classSourcedId: 'G' }], [], [['roster_behind_removed', 'classSourcedId', 2]]],
  ['a class whose course goes', [{ classSourcedId: 'F' }], [], [['roster_behind_removed', 'classSourcedId', 2]]],
  ['somebody who goes', [{ userSourcedId: 'zoe' }], [], [['roster_behind_removed', 'userSourcedId', 2]]],
  ['twice in one class', [{}, {}], [['e0', 'D', 'ann']], [['roster_enrollment_merged', 'userSourcedId', 3]]],
  [
    'twice in one course of a term',
    [{}, { classSourcedId: 'C', endDate: '2026-01-31' }],
    [['e0', 'D', 'ann']],
    [['roster_course_twice_in_term', 'classSourcedId', 3]],
  ],
  [
    'in another course',
    [{}, { classSourcedId: 'E' }],
    [
      ['e0', 'D', 'ann'],
      ['e1', 'E', 'ann'],
    ],
    [],
  ],
  [
    'another person',
    [{}, { userSourcedId: 'bob' }],
    [
      ['e0', 'D', 'ann'],
      ['e1', 'D', 'bob'],
    ],
    [],
  ],
  [
    'changed into a later class',
    [{ endDate: '2025-10-01' }, { classSourcedId: 'C', beginDate: '2025-10-02', endDate: '2026-01-10' }],
    [['e1', 'C#T1', 'ann']],
    [['roster_later_class_taken', 'classSourcedId', 3]],
  ],
  [
    'changed, the later one told first',
    [{ beginDate: '2025-10-02' }, { classSourcedId: 'C', endDate: '2025-10-01' }],
    [['e0', 'D', 'ann']],
    [['roster_later_class_taken', 'classSourcedId', 3]],
  ],
  [
    'in both on one day',
    [{ endDate: '2025-10-01' }, { classSourcedId: 'C', beginDate: '2025-10-01', endDate: '2026-01-10' }],
    [['e0', 'D', 'ann']],
    [['roster_course_twice_in_term', 'classSourcedId', 3]],
  ],
])('%s', (_, cells, studies, reasons) => {
  const found = enrolled(...cells)
  expect([found.studies, found.told]).toEqual([studies, reasons])
})

test('who studies in a class is not of its team, and nobody is of it twice', () => {
  const found = enrolled(
    {},
    { role: 'aide' },
    { userSourcedId: 'bob', role: 'teacher' },
    { userSourcedId: 'bob', role: 'aide' },
  )
  expect(found.teaches).toEqual([['D', 'bob', 'instructor']])
  expect(found.told).toEqual([
    ['roster_enrollment_merged', 'userSourcedId', 5],
    ['roster_learns_and_teaches', 'role', 3],
  ])
})

const structure = { place: () => ({}) } as unknown as Structure
const orgs = rows('orgs', [{ sourcedId: 'o' }])
const person = (more: Cells): Cells => ({
  sourcedId: 'ann',
  username: 'ann',
  givenName: 'Ann',
  familyName: 'Lee',
  primaryOrgSourcedId: 'o',
  ...more,
})
/** People, with what their classes say of them, and `roles.csv`. */
function users(cells: Cells[], said: Readonly<Record<string, readonly string[]>> = {}, roles: Cells[] = []) {
  const found = new Findings(100)
  const all = rows('users', cells.map(person), ['zoe'])
  const { said: known } = checkEnrollments(new Findings(1), rows('enrollments', []), classes, all, taught)
  for (const [user, some] of Object.entries(said)) for (const role of some) known.add(user, role)
  const first = checkRoles(found, { columns: [], rows: rowsOf(roles) }, all, known)
  return { people: checkUsers(found, all, orgs, structure, known, first), told: told(found) }
}

test.each<[string, Readonly<Record<string, readonly string[]>>, Cells[], unknown]>([
  ['of whom nothing is said', {}, [], { student: true, instructor: false, unsaid: true, type: 3 }],
  ['who studies', { ann: ['student'] }, [], { student: true, instructor: false, unsaid: false, type: 3 }],
  ['who teaches', { ann: ['teacher'] }, [], { student: false, instructor: true, unsaid: false, type: 1 }],
  ['who assists', { ann: ['aide'] }, [], { student: false, instructor: true, unsaid: false, type: 1 }],
  [
    'who studies and teaches',
    { ann: ['student', 'teacher'] },
    [],
    { student: true, instructor: true, unsaid: false, type: 3 },
  ],
  [
    'who teaches first',
    { ann: ['student', 'teacher'] },
    [{ userSourcedId: 'ann', role: 'teacher', roleType: 'primary' }],
    { student: true, instructor: true, unsaid: false, type: 1 },
  ],
  [
    'who assists first',
    { ann: ['student'] },
    [{ userSourcedId: 'ann', role: 'aide', roleType: 'primary' }],
    { student: true, instructor: true, unsaid: false, type: 1 },
  ],
  [
    'who teaches besides',
    { ann: ['student'] },
    [{ userSourcedId: 'ann', role: 'teacher', roleType: 'secondary' }],
    { student: true, instructor: true, unsaid: false, type: 3 },
  ],
  [
    'who administers',
    {},
    [{ userSourcedId: 'ann', role: 'siteAdministrator' }],
    { student: false, instructor: false, unsaid: false, type: 2 },
  ],
  [
    'whose role is over',
    {},
    [{ userSourcedId: 'ann', role: 'teacher', status: 'tobedeleted' }],
    { student: true, instructor: false, unsaid: true, type: 3 },
  ],
  [
    'whose role rests',
    {},
    [{ userSourcedId: 'ann', role: 'teacher', status: 'inactive' }],
    { student: true, instructor: false, unsaid: true, type: 3 },
  ],
])('one %s', (_, said, roles, is) => {
  expect(users([{}], said, roles).people).toMatchObject([is])
})

test.each<[string, Cells, unknown, (string | number | null)[][]]>([
  ['a code', { identifier: 'S 1', username: 'ann' }, { code: 'S-1' }, []],
  ['a name as code', { username: 'ann' }, { code: 'ann' }, []],
  ['the sourcedId as code', { username: '' }, { code: 'ann' }, []],
  ['a code without letters', { identifier: '!!' }, { code: '' }, [['roster_code_empty', 'identifier', 2]]],
  ['names together', { middleName: 'May' }, { name: 'Ann May Lee' }, []],
  ['an e-mail in small letters', { email: 'Ann@Example.org' }, { email: 'ann@example.org' }, []],
  ['no e-mail', { email: '' }, { email: null }, []],
  ['a wrong e-mail', { email: 'ann@example' }, {}, [['roster_email_not_valid', 'email', 2]]],
  ['an account', { enabledUser: 'TRUE' }, { enabled: true }, []],
  ['a blocked account', { enabledUser: 'False' }, { enabled: false }, [['roster_account_blocked', 'enabledUser', 2]]],
  ['neither', { enabledUser: 'yes' }, { enabled: true }, [['roster_value_not_known', 'enabledUser', 2]]],
  [
    'an organisation that is not there',
    { primaryOrgSourcedId: 'x' },
    {},
    [['roster_reference_missing', 'primaryOrgSourcedId', 2]],
  ],
])('%s', (_, cells, is, reasons) => {
  const found = users([cells])
  expect(found.people).toMatchObject([is])
  expect(found.told).toEqual(reasons)
})

test('codes and addresses tell people apart', () => {
  const two = (one: Cells, other: Cells) => users([one, { sourcedId: 'bob', username: 'bob', ...other }]).told
  expect(two({}, {})).toEqual([])
  expect(two({ email: 'a@b.org' }, { email: 'A@b.org' })).toEqual([['roster_code_twice', 'email', 3]])
  expect(two({}, { username: 'ANN' })).toEqual([['roster_code_twice', 'username', 3]])
  expect(two({ identifier: '1' }, { identifier: '1' })).toEqual([['roster_code_twice', 'identifier', 3]])
})

test('family has no part here; other staff has an account without rights', () => {
  const parent = users([{}], { ann: ['parent', 'guardian'] })
  expect([parent.people, parent.told]).toEqual([[], [['roster_no_part', null, 2]]])
  const both = users([{}], { ann: ['parent', 'principal'] })
  expect([both.people.length, both.told]).toEqual([1, [['roster_staff_without_rights', null, 2]]])
  expect(users([{}], { ann: ['parent', 'teacher'] }).told).toEqual([])
})

test.each<[string, Cells, (string | number)[][]]>([
  ['a role', { userSourcedId: 'ann', role: 'counselor' }, []],
  ['no role', { userSourcedId: 'ann', role: 'cook' }, [['roster_value_not_known', 'role', 2]]],
  ['of nobody', { userSourcedId: 'x', role: 'teacher' }, [['roster_reference_missing', 'userSourcedId', 2]]],
  ['of somebody who goes', { userSourcedId: 'zoe', role: 'cook' }, []],
])('roles.csv says %s', (_, role, reasons) => {
  expect(users([{}], { ann: ['student'] }, [role]).told).toEqual(reasons)
})
