/**
 * Nothing jumps when data arrives: every screen is opened on a slow network, and what moves meanwhile is measured by the
 * browser itself (CLS). `LAYOUT_SHIFTS=file` keeps the figures.
 */
import { writeFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { share } from '../share.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

/** Half of what is felt as a jump. */
const MOST = 0.05

let browser: Browser
let demo: DemoWorld
const ids: Record<string, number> = {}
const figures: Record<string, number> = {}
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens')
  demo = await openDemo()
  const [found] = await demo.query<Record<string, number>>(
    `select (select min(id) from students where removed_at is null) as student,
       (select min(o.id) from offerings o join current_terms c on c.term_id = o.term_id and c.key = 'current_term') as offering,
       (select min(o.id) from offerings o join current_terms c on c.term_id = o.term_id and c.key = 'current_control_term') as graded,
       (select min(id) from faculties) as faculty, (select min(id) from programs) as program, (select min(id) from courses) as course,
       (select min(id) from instructors) as instructor, (select min(id) from bylaws) as bylaw,
       (select min(id) from users where type = 2) as employee, (select min(id) from registrations) as registration,
       (select term_id from current_terms where key = 'current_term') as term`,
  )
  Object.assign(ids, found)
}, 720_000)
afterAll(async () => {
  if (process.env.LAYOUT_SHIFTS) writeFileSync(process.env.LAYOUT_SHIFTS, `${JSON.stringify(figures, null, 2)}\n`)
  await demo?.close()
  await browser?.close()
})

/** The browser's own figure: the worst window of shifts that nobody caused by a press, five seconds long at most. */
const WATCH = `window.shifts = []
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts.push({
    at: one.startTime, value: one.value,
    what: one.sources.map((s) => s.node && (s.node.className || s.node.nodeName || s.node.parentElement?.className || '').toString().slice(0, 60)).join(' | '),
  })
}).observe({ type: 'layout-shift', buffered: true })`
interface Shift {
  readonly at: number
  readonly value: number
  readonly what: string
}
function worstOf(shifts: readonly Shift[]): { value: number; what: string } {
  let worst = { value: 0, what: '' }
  let open: { from: number; last: number; value: number; what: string[] } | undefined
  for (const { at, value, what } of shifts) {
    if (!open || at - open.last > 1000 || at - open.from > 5000) open = { from: at, last: at, value: 0, what: [] }
    open.last = at
    open.value += value
    open.what.push(`${value.toFixed(3)} ${what}`)
    if (open.value > worst.value) worst = { value: open.value, what: open.what.join('; ') }
  }
  return worst
}

/** Tabs that wait for the slow network side by side. */
const TABS = 4

/** Opens screens on a slow network, each afresh; answers those that jump, with what moved. */
async function jumping(person: Person, screens: readonly string[]): Promise<string[]> {
  const wrong: string[] = []
  const waiting = [...share(screens, 3)]
  const open = async (tab: Person): Promise<void> => {
    const { page } = tab
    await page.addInitScript(WATCH)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    // A bad mobile connection: each answer takes 300 ms at least.
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 300,
      downloadThroughput: 200_000,
      uploadThroughput: 90_000,
    })
    const shifted = async (screen: string) => {
      await page.goto(`${demo.address}${screen}`, { timeout: 180_000 })
      await tab.settled()
      await page.waitForTimeout(400)
      return worstOf(await page.evaluate<Shift[]>('window.shifts'))
    }
    for (let screen = waiting.shift(); screen !== undefined; screen = waiting.shift()) {
      let { value, what } = await shifted(screen)
      // Where the machine was busy, what jumps by itself jumps again.
      if (value > MOST) ({ value, what } = await shifted(screen))
      const name = `${screen} (${page.viewportSize()!.width} px)`
      figures[name] = Math.round(value * 1000) / 1000
      if (value > MOST) wrong.push(`${name}: ${value.toFixed(3)} ${what}`)
    }
  }
  const tabs = await Promise.all(Array.from({ length: TABS - 1 }, () => person.tab()))
  await Promise.all([person, ...tabs].map(open))
  return wrong
}

describe('nothing jumps on a slow network', () => {
  test('screens of the office', async () => {
    const person = await Person.open(browser, demo.address, { name: 'root', lang: 'en', width: 1366, height: 768 })
    await signIn(person, 'employee', 'root@canopus.example.edu')
    const wrong = await jumping(person, [
      '/overview',
      '/students',
      `/students/${ids.student}`,
      `/students/${ids.student}?tab=grades`,
      '/registrations',
      `/registrations/${ids.registration}`,
      '/offerings',
      `/offering/${ids.offering}`,
      `/offerings/grades/${ids.graded}`,
      '/advised_students',
      '/academic_advisors',
      `/advising/registration/${ids.student}`,
      '/control/offerings',
      '/control/students',
      `/control/students/${ids.student}/${ids.term}`,
      '/control/results',
      '/employees',
      `/employees/${ids.employee}`,
      `/instructors/${ids.instructor}`,
      '/instructors/reports',
      '/settings/faculties',
      `/faculties/${ids.faculty}`,
      `/settings/courses/${ids.course}`,
      `/programs/${ids.program}`,
      `/bylaws/${ids.bylaw}`,
      '/settings/years/show',
      '/management/stages',
      '/settings/university',
      '/settings/logs/security',
      '/schedules',
      '/management',
      '/home',
      '/settings/logs',
      '/exams/board/1',
      '/schedules/board',
    ])
    expect(wrong).toEqual([])
    await person.page.context().close()
  }, 1_200_000)

  test('screens of a student on a phone', async () => {
    const person = await Person.open(browser, demo.address, { name: 'phone', lang: 'en', width: 390, height: 844 })
    await signIn(person, 'student', 'student@canopus.example.edu')
    const wrong = await jumping(person, [
      '/home',
      '/offering/registration',
      '/myCourses',
      '/offerings/my_schedule',
      '/student-academic',
      '/student-profile',
      '/profile',
      '/profile/sign-in',
      '/student-payments',
      '/correction_requests',
    ])
    expect(wrong).toEqual([])
    await person.page.context().close()
  }, 600_000)

  test('in Arabic on a phone: where applications begin, and an account with a debt', async () => {
    const applicant = await Person.open(browser, demo.address, {
      name: 'applicant',
      lang: 'ar',
      width: 360,
      height: 844,
    })
    // One who still has the fee to pay; the link is made anew.
    const { token: key } = newToken()
    const [application] = await demo.query<{ id: number; type: number }>(
      `update applicants t set key_hash = $1 from admissions a where a.id = t.admission_id and t.id = (
         select o.id from applicants o join admission_fees f on f.admission_id = o.admission_id and f.fee = 'application'
         where o.status = 'INCOMPLETE' and o.nationality_id = 64 order by o.id limit 1)
       returning t.id, a.applicant_type as type`,
      [hashToken(key)],
    )
    const form = `/applicants/edit/${application!.type}/${application!.id}/${key}`
    expect(await jumping(applicant, ['/apply', `${form}/payment`, `${form}/read_over`])).toEqual([])
    await applicant.page.context().close()
    const debtor = await Person.open(browser, demo.address, { name: 'debtor', lang: 'ar', width: 390, height: 844 })
    await signIn(debtor, 'student', 'student2@canopus.example.edu')
    expect(await jumping(debtor, ['/student-payments'])).toEqual([])
    await debtor.page.context().close()
  }, 600_000)

  test('screens of an advisor and of an instructor', async () => {
    const advisor = await Person.open(browser, demo.address, { name: 'advisor', lang: 'en', width: 1366, height: 768 })
    await signIn(advisor, 'instructor', 'advisor@canopus.example.edu')
    const wrong = await jumping(advisor, ['/', '/my_advising', '/workspace/my_offerings', '/offerings/my_schedule'])
    expect(wrong).toEqual([])
    await advisor.page.context().close()
  }, 600_000)
})
