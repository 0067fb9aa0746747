/** A phone without a line: what its person last read is there, with its age; and nothing of it stays afterwards. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(),
    readTexts('kit', 'kit-screens', 'scheduling', 'exams', 'grading', 'attendance'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

const STUDENT = 'student@canopus.example.edu'
/** Stores of kept answers, with how many each holds. */
const KEPT = `(async () => {
  const kept = {}
  for (const name of await caches.keys())
    if (name.startsWith('ems.kept.')) kept[name] = (await (await caches.open(name)).keys()).length
  return kept
})()`
const keptOf = (person: Person) => person.page.evaluate(KEPT) as Promise<Record<string, number>>
const ready = (person: Person) =>
  person.page.evaluate(`navigator.serviceWorker.ready.then(() => new Promise((go) => {
    if (navigator.serviceWorker.controller) go(); else navigator.serviceWorker.addEventListener('controllerchange', go)
  }))`)
const idOf = async (email: string): Promise<number> =>
  (await demo.query<{ id: number }>('select id from users where email = $1', [email]))[0]!.id

test('a phone without a line shows what was read last, and nothing of it stays', { timeout: 720_000 }, async () => {
  const me = await Person.open(browser, demo.address, { name: 'offline', lang: 'en', width: 390, worker: true })
  const { page } = me
  const context = page.context()
  await signIn(me, 'student', STUDENT)
  await ready(me)
  await me.go('/offerings/my_schedule')
  const store = `ems.kept.${await idOf(STUDENT)}`
  // What is read on the way comes ahead: exams, grades, account and attendance, which nobody has opened.
  await expect.poll(async () => (await keptOf(me))[store] ?? 0, { timeout: 60_000 }).toBeGreaterThanOrEqual(9)

  await context.setOffline(true)
  const began = Date.now()
  await page.reload({ waitUntil: 'commit' })
  const meeting = page.locator('main [data-type]').first()
  await meeting.waitFor()
  const ms = Date.now() - began
  console.log(`offline: the timetable stood after ${ms} ms`)
  expect(ms).toBeLessThan(1_000)
  const asOf = new RegExp(me.say('kit', 'offline_as_of').replace('{when}', '.+').replaceAll('.', '.'))
  await page.getByText(asOf).waitFor()
  await me.look('timetable without a line')
  for (const [path, sight] of [
    ['/my_exams', 'main h1'],
    ['/student-academic', 'main h1'],
    ['/myCourses', 'main h1'],
    ['/student-payments', 'main h1'],
    ['/my_attendance', 'main h1'],
    ['/home', 'main h1'],
  ] as const) {
    await page.goto(`${demo.address}${path}`)
    await page.locator(sight).first().waitFor()
    await page.getByText(asOf).waitFor()
    expect(await page.getByText(me.say('kit', 'offline')).count(), path).toBe(0)
  }
  // What nobody keeps is not there, and says so.
  await page.goto(`${demo.address}/profile/shares`)
  await page.getByText(me.say('kit', 'offline_now'), { exact: true }).waitFor()
  await context.setOffline(false)
  await me.go('/home')
  await expect.poll(() => page.getByText(me.say('kit', 'offline_now')).count()).toBe(0)

  // A page that is asked for as a file is none, also through the worker.
  expect(await page.evaluate(`fetch('/foo.png').then((answer) => answer.status)`)).toBe(404)
  me.problems.length = 0

  // Signing out takes it away.
  await page.evaluate(`fetch('/api/users/live-data').then((answer) => answer.status)`)
  await me.button(/.*/, page.getByRole('banner')).last().click()
  await page.getByRole('menuitem', { name: me.say('kit', 'sign_out') }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => keptOf(me)).toEqual({})

  // So does a session that ended elsewhere, an account that was blocked, and another person at the same phone.
  const signInAgain = async (email: string, as: 'student' | 'instructor') => {
    await signIn(me, as, email)
    await expect.poll(async () => Object.keys(await keptOf(me))).toEqual([`ems.kept.${await idOf(email)}`])
  }
  await signInAgain(STUDENT, 'student')
  await demo.query('delete from sessions where user_id = $1', [await idOf(STUDENT)])
  await me.refused(401, '/users/live-data', () => me.go('/home'))
  await expect.poll(() => keptOf(me)).toEqual({})

  await signInAgain(STUDENT, 'student')
  await demo.send('admin', 'POST', `/block/${await idOf(STUDENT)}`, { kind: 'user', blocked: true, reason: 'Lost phone' })
  await me.refused(401, '/users/live-data', () => me.go('/home'))
  await expect.poll(() => keptOf(me)).toEqual({})
  await demo.send('admin', 'POST', `/block/${await idOf(STUDENT)}`, { kind: 'user', blocked: false, reason: 'Found' })

  await signInAgain(STUDENT, 'student')
  // Nobody signed out: the next person's session begins over it.
  await context.clearCookies()
  await signInAgain('instructor@canopus.example.edu', 'instructor')
  await me.leave()
})
