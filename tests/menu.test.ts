import { describe, expect, it, vi } from 'vitest'
import { MENU_SUBJECTS } from '#access/menu.contract.ts'
import { PERMISSION_KEYS } from '#access/permissions.contract.ts'
import { seededRights } from '#access/roles.contract.ts'
import { screensOf } from '#kit/contract/index.ts'
import type { Screen } from '#kit/contract/index.ts'
import { MOST_SEARCHED } from '#kit/contract/lookups.contract.ts'
import { AREAS } from '../apps/areas.contract.ts'

/** The menu as people of each role have it, made of the screens as they are built. */
const SCREENS: readonly Screen[] = AREAS.flatMap((area) => screensOf(area))
vi.mock('virtual:screens', async () => {
  const { builtScreens } = await import('../apps/build/screens.ts')
  const { screens, groups } = builtScreens()
  return { SCREENS: screens, GROUPS: groups }
})
vi.mock('virtual:titles', async () => {
  const { builtScreens } = await import('../apps/build/screens.ts')
  const { titles, groupNames } = builtScreens()
  return { TITLES: { en: async () => ({ default: { titles: titles.en, groups: groupNames.en } }) } }
})
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
vi.stubGlobal('window', Object.assign(new EventTarget(), { matchMedia: () => new EventTarget() }))
vi.stubGlobal('document', Object.assign(new EventTarget(), { cookie: '', documentElement: {} }))

/** What the test reads of the browser’s menu, whose types are not of this project. */
interface Me {
  readonly user: { readonly type: number }
}
interface Item {
  readonly title: string
  readonly heading?: string
  readonly paths: readonly string[]
}
const load = async <T>(file: string): Promise<T> => (await import(/* @vite-ignore */ file)) as T
const { menuOf, tabsBeside } = await load<{
  menuOf: (me: Me, l: 'en') => readonly { readonly title: string; readonly items: readonly Item[] }[]
  tabsBeside: (me: Me, screen: Screen) => readonly Screen[]
}>('#kit/web/shell/menu.ts')
const { loadTitles, screenAt, titlesFor } = await load<{
  loadTitles: (l: 'en') => Promise<void>
  titlesFor: (type: number | null) => void
  screenAt: (path: string) => Screen | undefined
}>('#kit/web/router/screens.ts')
await loadTitles('en')

const who = (keys: Iterable<string>, type = 2, kinds: readonly string[] = []): Me => {
  const held = new Set(keys)
  const may = (access: string | readonly string[]): boolean =>
    access === 'signed_in' || (typeof access === 'string' ? [access] : access).some((key) => held.has(key))
  return {
    user: { type },
    may,
    opens: ({ permission, of }: { permission: never; of?: readonly string[] }) =>
      may(permission) && (!of || of.some((kind) => kinds.includes(kind))),
  } as unknown as Me
}
const role = (key: string) => who([...seededRights(key)!.keys()])
const entries = (me: Me) => menuOf(me, 'en').flatMap(({ items }) => items.map(({ title }) => title))

describe('the menu', () => {
  it('calls what students see of themselves their own', () => {
    titlesFor(3)
    const own = entries(who([...seededRights('student')!.keys()], 3, ['student']))
    titlesFor(null)
    expect(own).toContain('My scholarships')
    expect(own).toContain('My trainings')
    expect(own).toContain('My transfers')
    expect(own).not.toContain('Transfers')
    expect(own).not.toContain('Student trainings')
    expect(own).not.toContain('Scholarships of students')
    expect(entries(who(PERMISSION_KEYS))).toContain('Scholarships')
  })
  it('has no heading of staff among a student’s own things, and leads to the own certificates first', () => {
    const student = who([...seededRights('student')!.keys()], 3, ['student'])
    const items = menuOf(student, 'en').flatMap((group) => group.items)
    expect(items.map(({ heading }) => heading).filter((one) => one === 'Students')).toEqual([])
    expect(items.find(({ title }) => title === 'Certificates')?.paths[1]).toBe('/services/certification')
  })

  it('of whoever may do everything is short enough to be read', () => {
    const all = entries(who(PERMISSION_KEYS))
    expect(all.length).toBeGreaterThan(50)
    expect(all.length).toBeLessThanOrEqual(80)
    expect(new Set(all).size).toBe(all.length)
  })
  it('has each screen once: in its own entry, or as a tab beside those of its subject', () => {
    const me = who(PERMISSION_KEYS)
    const under = menuOf(me, 'en').flatMap(({ items }) => items.flatMap(({ paths }) => [...new Set(paths)]))
    const listed = SCREENS.filter(({ menu, of, path }) => menu && !menu.setup && !of && !/:\w+(?!\?|\w)/.test(path))
    expect(under.toSorted()).toEqual(listed.map(({ path }) => path).toSorted())
    for (const subject of Object.keys(MENU_SUBJECTS))
      expect(listed.filter(({ menu }) => menu!.subject === subject).length, subject).toBeGreaterThan(1)
  })
  it('has one entry for the people who work here, with the lists that the reader may open as tabs', () => {
    const people = screenAt('/users')!
    const paths = (me: Me) => tabsBeside(me, people).map(({ path }) => path)
    expect(paths(who(PERMISSION_KEYS))).toEqual(['/staff', '/employees', '/guests', '/users'])
    expect(
      entries(who(PERMISSION_KEYS)).filter((title) => /^(People|Employees|Instructors|Users)$/.test(title)),
    ).toEqual(['People'])
    // Who opens one of the lists alone finds it by its own name, and no tabs above it.
    const few = who(['access_instructor'])
    expect(entries(few)).toContain('Instructors')
    expect(tabsBeside(few, screenAt('/staff')!)).toEqual([])
  })
  it('has requests about marks once, whoever asks and whoever decides', () => {
    const of = (...keys: string[]) => entries(who(keys)).filter((title) => /mark|recheck/i.test(title))
    expect(of('ask_recheck', 'access_recheck')).toEqual(['Requests about marks'])
    expect(of('ask_recheck')).toEqual(['Requests about marks'])
    expect(of('access_recheck')).toEqual(['Grade rechecks'])
  })
  it('of a cashier holds the desk, and nothing of studies and papers', () => {
    expect(entries(role('cashier'))).toEqual([
      'Home',
      'Timeline',
      'Calendar',
      'Help',
      'Students',
      'My documents',
      'Cashier’s desk',
      'Bank slips',
      'Refunds',
      'Invoices',
      'Scholarships of students',
      'Collecting',
      'Wallets and deposits',
      'Transactions',
      'Service requests',
      'My certificates',
      'Chats',
      'Tickets',
      'Archive',
    ])
  })
  it.each([
    [
      'registrar',
      [
        'Students',
        'Course offerings',
        'Registrations',
        'Transfers',
        'Timetables',
        'Courses',
        'Terms',
        'Bylaws',
        'Excuses',
      ],
    ],
    [
      'finance_officer',
      [
        'Invoices',
        'Bank slips',
        'Bank files',
        'Transactions',
        'Refunds',
        'Ledger',
        'Daily reconciliation',
        'Finance dashboard',
      ],
    ],
    ['instructor', ['Course offerings', 'Timetables', 'Courses', 'Requests about marks']],
    ['exam_officer', ['Exams', 'Exam seats', 'Exam absences', 'Exam deliveries', 'Exam barcodes']],
    ['personnel_officer', ['People', 'Documents handed in']],
  ])('of a %s keeps what is used daily', (key, daily) => {
    const all = entries(role(key))
    expect(daily.filter((title) => !all.includes(title))).toEqual([])
    expect(all.length).toBeLessThanOrEqual(54)
  })
  it('of a student has groups of the own studies and money, and none of the people who work here', () => {
    const student = who([...seededRights('student')!.keys()], 3, ['student'])
    const groups = menuOf(student, 'en')
    expect(groups.find(({ title }) => title === 'My studies')?.items.map(({ title }) => title)).toContain('Transfers')
    expect(groups.map(({ title }) => title)).not.toContain('Students and staff')
  })
})

describe('the palette', () => {
  it('may ask for every kind of record at once, whoever opens all of them', () => {
    const kinds = AREAS.flatMap((area) => area.resources ?? []).length + SCREENS.filter((screen) => screen.finds).length
    expect(kinds).toBeGreaterThan(60)
    expect(kinds).toBeLessThanOrEqual(MOST_SEARCHED)
  })
})
