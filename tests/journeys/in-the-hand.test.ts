/**
 * The telephone in a corridor: what is pressed is as large as a finger, what is accepted is read before, nothing is said or offered
 * twice, and who goes on is where the next thing begins.
 */
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
    readTexts(
      'kit',
      'kit-screens',
      'kit-address',
      'registration',
      'certificates',
      'applicants',
      'attendance',
      'transfers',
      'questionnaires',
    ),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

/** What can be pressed and is lower than a finger is wide, but words within a text and what leads past the menu. */
const SMALL = `[...document.querySelectorAll('a[href], button, select, input:not([type=hidden]), summary')].flatMap((one) => {
  const box = one.getBoundingClientRect()
  if (!box.height || !one.checkVisibility({ visibilityProperty: true }) || one.matches('[href="#content"], [class*=skip], [tabindex="-1"]')) return []
  const label = one.closest('label') ?? document.querySelector('label[for="' + CSS.escape(one.id) + '"]')
  const around = /checkbox|radio/.test(one.type) ? Math.max(label?.getBoundingClientRect().height ?? 0, one.closest('[class*=body]')?.getBoundingClientRect().height ?? 0) : 0
  // Within a field the field is the place to press.
  const field = one.closest('[class*=Input-wrapper], [class*=PasswordInput-input]')?.getBoundingClientRect().height ?? 0
  return Math.max(box.height, around, field) < 42.5 ? [one.localName + ' ' + (one.innerText || one.getAttribute('aria-label') || one.name || '').slice(0, 40) + ' ' + Math.round(box.height)] : []
})`
const phone = (name: string, lang: 'ar' | 'en') =>
  Person.open(browser, demo.address, { name, lang, width: 390, height: 844 })

test('what is pressed is as large as a finger', { timeout: 600_000 }, async () => {
  const small: string[] = []
  const look = async (me: Person, screens: readonly string[]) => {
    for (const screen of screens) {
      await me.go(screen)
      for (const one of await me.page.evaluate<string[]>(SMALL)) small.push(`${screen}: ${one}`)
    }
  }
  const stranger = await phone('a stranger', 'ar')
  await look(stranger, ['/login', '/apply', '/certificates/graduate'])
  await stranger.leave()
  const student = await phone('a student', 'ar')
  await signIn(student, 'student', 'student2@canopus.example.edu')
  await look(student, [
    '/home',
    '/student-payments',
    '/profile',
    '/profile/sign-in',
    '/my-tickets',
    '/my_attendance',
    '/offering/registration',
    '/services/certification',
  ])
  await student.leave()
  const teacher = await phone('a teacher', 'en')
  await signIn(teacher, 'instructor', 'advisor@canopus.example.edu')
  await look(teacher, ['/home', '/my_advising', '/workspace/my_offerings'])
  await teacher.leave()
  expect(small).toEqual([])
})

test('a list of the own rows comes to rest, and the next screen opens from it', { timeout: 300_000 }, async () => {
  const student = await phone('a student with requests', 'en')
  await signIn(student, 'student', 'student2@canopus.example.edu')
  await student.go('/students/transfer')
  const changes = await student.page.evaluate<number>(`new Promise((done) => {
    let count = 0
    const watch = new MutationObserver((list) => (count += list.length))
    watch.observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true })
    setTimeout(() => { watch.disconnect(); done(count) }, 2000)
  })`)
  expect(changes).toBeLessThan(20)
  await student.page.getByRole('link', { name: student.say('transfers', 'ask') }).click()
  await student.page.getByRole('heading', { level: 1, name: student.say('transfers', 'ask') }).waitFor()
  await student.leave()
})

test('a list of nothing says so once, and offers the way to the first one once', { timeout: 300_000 }, async () => {
  const me = await phone('empty lists', 'en')
  await signIn(me, 'student', 'student2@canopus.example.edu')
  await me.go('/services/certification')
  await me.reads(me.say('kit-screens', 'empty_list'))
  const main = me.page.locator('main')
  expect(await main.locator('a[href="/services/certification/add"]').count()).toBe(1)
  expect(await me.text(main)).not.toContain(me.say('kit-screens', 'count', { count: 0 }))
  // Of the own transfers nobody is told whose they are.
  await me.go('/students/transfer')
  expect(await main.getByRole('link', { name: me.say('transfers', 'ask') }).count()).toBeLessThanOrEqual(1)
  await me.leave()
})

test(
  'a certificate that was asked for is called by what it is, and its fee is one press away',
  { timeout: 300_000 },
  async () => {
    const [student] = await demo.query<{ email: string; type: string }>(
      `select u.email, k.name as type from certificates c join students s on s.id = c.student_id join users u on u.id = s.user_id
       join certificate_settings k on k.id = c.type_id
     where c.status = 'fee_due' and u.email is not null and u.blocked_at is null order by c.id limit 1`,
    )
    const me = await phone('fee', 'en')
    await signIn(me, 'student', student!.email)
    await me.go('/services/certification')
    const open = me.page.getByRole('heading', { name: student!.type })
    if (!(await open.isVisible()))
      await me.page.locator('main li button').filter({ hasText: student!.type }).first().click()
    await open.waitFor()
    await me.page.getByRole('link', { name: me.say('certificates', 'fee_pay') }).click()
    await me.page.waitForURL((url) => url.pathname === '/student-payments')
    await me.leave()
  },
)

test('the two signs in a filled field lie beside each other, in Arabic too', { timeout: 300_000 }, async () => {
  const me = await phone('two figures', 'ar')
  await signIn(me, 'employee', 'root@canopus.example.edu')
  const [faculty] = await demo.query<{ id: number }>('select min(id) as id from faculties')
  const figure = encodeURIComponent(
    JSON.stringify({ measure: 'students', filters: { faculty: [faculty!.id] }, every: false }),
  )
  await me.go(`/reports/differ?a=${figure}`)
  await me.button(me.say('kit-screens', 'clear')).first().waitFor()
  const over = await me.page
    .evaluate<number>(`Math.max(...[...document.querySelectorAll('main [data-position=right]')].map((section) => {
    const signs = [...section.querySelectorAll('a, button[aria-label]')].map((one) => one.getBoundingClientRect()).toSorted((a, b) => a.left - b.left)
    return signs.length < 2 ? 0 : Math.max(signs[0].right - signs[1].left, section.getBoundingClientRect().left - signs[0].left)
  }))`)
  expect(over).toBeLessThanOrEqual(0.5)
  await me.leave()
})

test('an advisor reads which courses are accepted, and how many hours they make', { timeout: 300_000 }, async () => {
  const me = await phone('advisor', 'en')
  await signIn(me, 'instructor', 'advisor@canopus.example.edu')
  await me.go('/my_advising')
  const row = me.page
    .locator('main li[data-row]')
    .filter({ has: me.page.getByRole('button', { name: /6/ }) })
    .first()
  await row.getByRole('button', { name: /6/ }).click()
  const dialog = me.page.getByRole('dialog')
  await dialog.getByText(/ \u00B7 [A-Z]{3}\d{3}/).waitFor()
  expect((await me.text(dialog)).match(/ \u00B7 [A-Z]{3}\d{3}/g)).toHaveLength(6)
  await me.look('what is accepted')
  await me.leave()
})

test('who goes on without an account stands at the next heading', { timeout: 300_000 }, async () => {
  const me = await phone('graduate', 'en')
  const email = 'in.the.hand@example.com'
  const { page } = me
  await me.go('/certificates/graduate')
  await page.getByLabel(me.say('kit', 'email')).fill(email)
  await me.button(me.say('kit-address', 'send_code')).click()
  await page.getByLabel(me.say('kit-address', 'code')).waitFor()
  await demo.query(
    `update intake_codes set code_hash = sha256(convert_to($1 || E'\\n' || '20317482', 'UTF8'))
     where address_hash = sha256(convert_to('intake' || E'\\n' || $1, 'UTF8'))`,
    [email],
  )
  await page.getByLabel(me.say('kit-address', 'code')).fill('20317482')
  await me.button(me.say('kit-address', 'go_on')).click()
  await page.getByRole('heading', { name: me.say('certificates', 'grad_who') }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('h1')
  await me.leave()
})

test('a teacher writes to the class from the sheet of attendance', { timeout: 300_000 }, async () => {
  const [meeting] = await demo.query<{ id: number; offering_id: number; email: string; date: string }>(
    `select m.id, m.offering_id, u.email, (select max(on_date)::text from teaching_dates(m.id) where on_date <= university_today()) as date
     from offering_slots m join offerings o on o.id = m.offering_id join current_terms c on c.term_id = o.term_id and c.key = 'current_term'
       join offering_slot_instructors i on i.offering_slot_id = m.id join instructors n on n.id = i.instructor_id join users u on u.id = n.user_id
     where o.control_status = 'Draft' and o.removed_at is null and u.email is not null and u.blocked_at is null
       and exists (select from teaching_dates(m.id) where on_date <= university_today())
       and exists (select from registration_slots r where r.offering_slot_id = m.id) order by m.id limit 1`,
  )
  const me = await phone('teacher', 'ar')
  const say = (key: string, values?: Record<string, string | number>) => me.say('attendance', key, values)
  await signIn(me, 'instructor', meeting!.email)
  await me.go(`/offerings/attendance/${meeting!.offering_id}?meeting=${meeting!.id}&date=${meeting!.date}`)
  await me.button(say('tell')).click()
  const dialog = me.page.getByRole('dialog', { name: say('tell') })
  await dialog.getByLabel(say('tell_words')).fill('Bring your laptops')
  await me.look('a message to the class')
  await me.button(say('tell_send'), dialog).click()
  await dialog.waitFor({ state: 'detached' })
  const [{ told } = { told: 0 }] = await demo.query<{ told: number }>(
    `select count(*)::int as told from notifications where key = 'attendance.notice_class' and data->>'text' = 'Bring your laptops'`,
  )
  expect(told).toBeGreaterThan(0)
  await me.leave()
})

test('a finger puts the sections of a questionnaire in another order', { timeout: 300_000 }, async () => {
  const me = await phone('quality', 'en')
  await signIn(me, 'employee', 'root@canopus.example.edu')
  const [type] = await demo.query<{ id: number }>(
    `select q.type_id as id from questionnaire_questions q where q.removed_at is null
     group by q.type_id having count(distinct coalesce(q.section, '')) > 1 order by q.type_id limit 1`,
  )
  await me.go(`/questionnaires_types/show/${type!.id}`)
  const grips = me.page.getByRole('button', { name: me.say('questionnaires', 'move_section', { name: '' }).trim() })
  const order = () => grips.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  await grips.first().waitFor()
  const before = await order()
  await me.page.evaluate(`scrollBy(0, ${(await grips.first().boundingBox())!.y - 200})`)
  const [from, to] = await Promise.all([0, 1].map((at) => grips.nth(at).boundingBox()))
  const cdp = await me.page.context().newCDPSession(me.page)
  const x = from!.x + from!.width / 2
  const touch = (kind: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    cdp.send('Input.dispatchTouchEvent', { type: kind, touchPoints: y === undefined ? [] : [{ x, y, id: 1 }] })
  const [y, end] = [from!.y + from!.height / 2, to!.y + to!.height / 2]
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await touch('touchStart', y)
  for (let step = 1; step <= 8; step++) await touch('touchMove', y + ((end - y) * step) / 8)
  await touch('touchEnd')
  await expect.poll(async () => (await order()).slice(0, 2)).toEqual([before[1], before[0]])
  await me.reads(me.say('questionnaires', 'at_place', { place: '2' }))
  await me.go(`/questionnaires_types/show/${type!.id}`)
  await grips.first().waitFor()
  expect((await order()).slice(0, 2)).toEqual([before[1], before[0]])
  // Held at the edge of the screen, it goes on with the page.
  const scrolled = () => me.page.evaluate<number>('scrollY')
  const top = (await grips.first().boundingBox())!
  await touch('touchStart', top.y + top.height / 2)
  await touch('touchMove', 830)
  await expect.poll(scrolled, { timeout: 20_000 }).toBeGreaterThan(40)
  await touch('touchMove', 12)
  await expect.poll(scrolled, { timeout: 20_000 }).toBe(0)
  await touch('touchMove', top.y + top.height / 2)
  await touch('touchEnd')
  await me.leave()
})
