/**
 * Beds: a student asks for one, the office gives it, checks in, lengthens the stay, checks out with damage, and finance takes the money. A stay
 * is dragged and stretched on the board, by hand and by keyboard.
 */
import type { Browser } from 'playwright-core'
import { reservationFlow } from '#areas/campus/hotels/stays/stay.contract.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'hotels', 'transactions')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

/** A stay that begins today or later in a bed without another, as the database has it. */
const stayOf = async (id?: number) =>
  (
    await demo.query<{
      id: number
      bed_id: number
      from_day: string
      until_day: string
      name: string
      name_local: string
    }>(
      `select t.id, t.bed_id, t.from_day::text, t.until_day::text, s.name, s.name_local
       from hotel_reservations t join students s on s.id = t.student_id join hostel_beds b on b.id = t.bed_id
         join hostel_rooms r on r.id = b.room_id join hostels h on h.id = r.hostel_id
       where ($1::int is not null and t.id = $1::int) or ($1::int is null and t.status = 'confirmed' and t.from_day >= university_today() and not exists (select from hotel_reservations o where o.bed_id = t.bed_id and o.id <> t.id
           and o.status in ('confirmed', 'checked_in') and o.until_day > university_today() - 3))
       order by h.code, r.floor, r.code, b.code limit 1`,
      [id ?? null],
    )
  )[0]!

describe.each(langsOf('ar'))('beds, %s', (lang) => {
  test('a stay is dragged to a later day, taken back, and stretched by keyboard', async () => {
    const person = await Person.open(browser, demo.address, { name: 'office of beds', lang })
    await signIn(person, 'employee', 'affairs@canopus.example.edu')
    await person.go('/reservations?tab=board')
    await person.look('board of beds')
    const before = await stayOf()
    const on = lang === 'ar' ? -1 : 1
    const bar = person.page
      .locator('button[data-movable][data-status="confirmed"]')
      .filter({ hasText: person.nameOf(before) })
      .first()
    const box = (await bar.boundingBox())!
    const at = { x: on > 0 ? box.x + 40 : box.x + box.width - 40, y: box.y + box.height / 2 }
    await person.page.mouse.move(at.x, at.y)
    await person.page.mouse.down()
    await person.page.mouse.move(at.x + on * 20, at.y, { steps: 4 })
    await person.page.mouse.move(at.x + on * 68, at.y, { steps: 8 })
    expect(await bar.evaluate((element) => element.style.transform)).toContain('translate3d')
    await person.page.mouse.up()
    await expect.poll(async () => (await stayOf(before.id)).from_day).not.toBe(before.from_day)
    await person.page.getByRole('button', { name: person.say('kit', 'undo') }).click()
    await expect.poll(async () => (await stayOf(before.id)).from_day).toBe(before.from_day)
    await person.settled()
    // The arrow that points to the end of the line makes it longer.
    await bar.focus()
    await person.page.keyboard.press(on > 0 ? 'Shift+ArrowRight' : 'Shift+ArrowLeft')
    await person.page.keyboard.press('Enter')
    await expect.poll(async () => (await stayOf(before.id)).until_day > before.until_day).toBe(true)
    await person.leave()
  })

  test('on a phone the list stands first, and the board scrolls', async () => {
    const person = await Person.open(browser, demo.address, { name: 'office of beds on a phone', lang, width: 360 })
    await signIn(person, 'employee', 'affairs@canopus.example.edu')
    await person.go('/reservations')
    await person.look('reservations on a phone')
    await person.go('/reservations?tab=board')
    await person.look('board of beds on a phone')
    await person.leave()
  })

  test('a student sees where the request stands', async () => {
    const person = await Person.open(browser, demo.address, { name: 'student of a bed', lang, width: 360 })
    await signIn(person, 'student', 'student@canopus.example.edu')
    await person.go('/my_bed')
    await person.look('my bed')
    await person.reads(person.say('hotels', 'place'))
    await person.leave()
  })
})

type Step = keyof typeof reservationFlow.actions

test.each(langsOf('ar'))('a bed, from the request to the paid invoice, %s', { timeout: 480_000 }, async (lang) => {
  const [guest] = await demo.query<{ id: number; email: string; name: string; name_local: string; code: string }>(
    `select s.id, u.email, s.name, s.name_local, s.code from students s join users u on u.id = s.user_id join payers p on p.student_id = s.id
       where s.status = 'studying' and s.nationality_id = 64 and s.removed_at is null and s.gender = 1
         and not exists (select from hotel_reservations t where t.student_id = s.id)
         and not exists (select from invoices i where i.payer_id = p.id) and not exists (select from transactions t where t.payer_id = p.id)
       order by s.id limit 1`,
  )
  if (!guest) throw new Error('The demo university has no student who owes nothing and has no bed')
  const today = dayOf()
  const open = (name: string, width?: number) =>
    Person.open(browser, demo.address, { name, lang, ...(width && { width, height: 844 }) })

  // On a phone: from tomorrow, four nights.
  const student = await open('guest', 390)
  await signIn(student, 'student', guest.email)
  await student.go('/my_bed')
  await student.button(student.say('hotels', 'ask')).first().click()
  await student.page
    .locator('main label')
    .filter({ hasText: student.label(['Nights', 'بالليلة']) })
    .first()
    .click()
  for (const [field, days] of [
    ['first_night', 1],
    ['leaves_on', 5],
  ] as const) {
    const input = student.page.getByLabel(student.say('hotels', field))
    await input.fill(addDays(today, days))
    await input.blur()
  }
  await student.look('asks for a bed')
  await student.button(student.say('hotels', 'ask')).last().click()
  const stay = async () => {
    const [row] = await demo.query<{
      id: number
      status: string
      from_day: string
      until_day: string
      invoice_id: number | null
      charged: number
      settled: number
    }>(
      `select t.id, t.status, t.from_day::text, t.until_day::text, t.invoice_id, coalesce(b.charged, 0)::int as charged, coalesce(b.settled, 0)::int as settled
         from hotel_reservations t left join invoice_balances b on b.invoice_id = t.invoice_id where t.student_id = $1 order by t.id desc limit 1`,
      [guest.id],
    )
    return row
  }
  await expect.poll(async () => (await stay())?.status).toBe('requested')
  const { id } = (await stay())!
  await student.settled()
  await student.look('waits for a bed')

  // The office chooses a bed out of turn: it is urgent.
  const office = await open('office of beds')
  await signIn(office, 'employee', 'affairs@canopus.example.edu')
  await office.go(`/reservation/${id}`)
  const menu = async (item: string) => {
    await office.button(office.say('kit', 'more_actions')).first().click()
    await office.page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await menu(office.say('hotels', 'choose_bed'))
  await office.picture('beds that fit')
  await office.button(office.say('hotels', 'choose'), office.page.getByRole('dialog')).first().click()
  await expect.poll(async () => (await stay())?.status).toBe('confirmed')
  const given = (await stay())!
  // Nights and the deposit.
  expect(given.charged).toBeGreaterThan(0)
  await office.settled()
  await office.look('a bed is given')

  // Comes a day earlier: dragged on the board.
  await office.go('/reservations?tab=board')
  const bar = office.page.locator('button[data-movable]').filter({ hasText: office.nameOf(guest) })
  await bar.first().scrollIntoViewIfNeeded()
  const box = (await bar.first().boundingBox())!
  const on = lang === 'ar' ? -1 : 1
  const night = box.width / 4
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await office.page.mouse.move(at.x, at.y)
  await office.page.mouse.down()
  await office.page.mouse.move(at.x - on * night * 0.5, at.y, { steps: 4 })
  await office.page.mouse.move(at.x - on * night, at.y, { steps: 6 })
  await office.page.mouse.up()
  await expect.poll(async () => (await stay())!.from_day).toBe(today)
  expect((await stay())!.until_day).toBe(addDays(today, 4))
  await office.settled()
  await office.picture('dragged to today')

  const step = async (action: Step, to: string) => {
    const label = office.label(reservationFlow.actions[action].label as never)
    await office.button(label).first().click()
    const dialog = office.page.getByRole('dialog')
    const asked = await dialog.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
    if (asked) await office.button(label, dialog).click()
    await office.picture(`${action} pressed`)
    await expect.poll(async () => (await stay())!.status).toBe(to)
    await office.settled()
  }
  await office.go(`/reservation/${id}`)
  await step('check_in', 'checked_in')
  await office.look('checked in')

  // Two nights longer.
  const before = (await stay())!.charged
  await menu(office.say('hotels', 'move'))
  const until = office.page.getByLabel(office.say('hotels', 'leaves_on'))
  await until.fill(addDays(today, 6))
  await until.blur()
  await office.button(office.say('hotels', 'keep_bed')).click()
  await expect.poll(async () => (await stay())!.until_day).toBe(addDays(today, 6))
  expect((await stay())!.charged).toBeGreaterThan(before)
  await office.settled()

  // A chair is broken.
  const longer = (await stay())!.charged
  await menu(office.say('hotels', 'inventory'))
  await office.page.getByLabel(office.say('hotels', 'other_damage')).fill('كرسي')
  await office.page.getByLabel(office.say('hotels', 'other_amount')).fill('150')
  await office.picture('damage')
  await office.button(office.say('hotels', 'charge_and_out')).click()
  await expect.poll(async () => (await stay())!.status).toBe('checked_out')
  await office.settled()
  await office.look('checked out with damage')
  await office.leave()
  const left = (await stay())!
  // The damage is charged; the deposit is not any more, whether it was more than that or less.
  expect(left.charged).not.toBe(longer)
  const lines = await demo.query<{ item: string; account: string; amount: number }>(
    'select item, account, amount::int as amount from invoice_lines where invoice_id = $1',
    [left.invoice_id],
  )
  const sum = (one: (line: (typeof lines)[number]) => boolean) =>
    lines.filter(one).reduce((all, { amount }) => all + amount, 0)
  expect(sum(({ item }) => item === 'bed_damage')).toBe(15_000)
  expect(sum(({ account }) => account === 'deposit')).toBe(0)

  // Paid at the desk.
  const [invoice] = await demo.query<{ number: string }>('select number from invoices where id = $1', [left.invoice_id])
  const cashier = await open('cashier')
  await signIn(cashier, 'employee', 'cashier@canopus.example.edu')
  await cashier.go('/cashier')
  const drawer = cashier.button(cashier.say('transactions', 'open_drawer'))
  if (await drawer.isVisible()) await drawer.click()
  const field = cashier.page.getByLabel(cashier.say('transactions', 'find_payer'))
  await field.fill(invoice!.number)
  await field.press('Enter')
  const amount = cashier.page.locator('[data-amount] input')
  await amount.waitFor()
  await cashier.look('who pays for the bed')
  await cashier.download(() => amount.press('Enter'))
  await expect.poll(async () => (await stay())!.settled).toBe(left.charged)
  await cashier.leave()
  await student.go('/my_bed')
  await student.look('left and paid')
  await student.leave()
})
