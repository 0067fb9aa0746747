/** Beds: a student asks for one, the office gives it, and a stay is dragged and stretched on the board, by hand and by keyboard. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'hotels')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

/** A stay that begins today or later in a bed without another, as the database has it. */
const stayOf = async (id?: number) =>
  (
    await demo.query<{ id: number; bed_id: number; from_day: string; until_day: string }>(
      `select t.id, t.bed_id, t.from_day::text, t.until_day::text from hotel_reservations t join hostel_beds b on b.id = t.bed_id
         join hostel_rooms r on r.id = b.room_id join hostels h on h.id = r.hostel_id
       where ($1::int is not null and t.id = $1::int) or ($1::int is null and t.status = 'confirmed' and t.student_id is not null
         and t.from_day >= university_today() and not exists (select from hotel_reservations o where o.bed_id = t.bed_id and o.id <> t.id
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
    const bar = person.page.locator('button[data-movable][data-status="confirmed"]').first()
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
