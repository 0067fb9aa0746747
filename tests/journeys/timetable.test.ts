/** A timetable by months, as a student and an instructor read it: by hand, by keyboard, on a phone, in both directions. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, weekPlace } from '#kit/contract/day.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'scheduling')
  demo = await openDemo()
  // The demo student has not registered yet.
  await demo.query(
    `with made as (
       insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
       select s.id, o.id, o.term_id, o.course_id, 262160, 3 from users u join students s on s.user_id = u.id
         join current_terms k on k.key = 'current_term' join offerings o on o.term_id = k.term_id and o.removed_at is null
       where u.email like 'student@%' and exists (select from offering_slots m where m.offering_id = o.id and m.day is not null
         and m.slot_id is not null and m.taken < m.quota)
       order by o.id limit 1 returning id, offering_id)
     insert into registration_slots (registration_id, offering_slot_id)
     select made.id, m.id from made join lateral (select id from offering_slots x where x.offering_id = made.offering_id
       and x.day is not null and x.slot_id is not null and x.taken < x.quota order by id limit 1) m on true`,
  )
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

interface Meeting {
  readonly day: number
  readonly code: string
  readonly term: number
  readonly start: string
}
/** A meeting of the latest term in which a demo person sits, or which the person teaches. */
async function meetingOf(who: string): Promise<Meeting> {
  const [found] = await demo.query<Meeting>(
    `select m.day, c.code, t.id as term, t.start_date as start from users u
       join offering_slots m on m.day is not null and m.slot_id is not null and (
         exists (select from offering_slot_instructors x join instructors i on i.id = x.instructor_id and i.user_id = u.id
           where x.offering_slot_id = m.id)
         or exists (select from registration_slots x join registrations r on r.id = x.registration_id
           join students s on s.id = r.student_id and s.user_id = u.id where x.offering_slot_id = m.id))
       join offerings o on o.id = m.offering_id join courses c on c.id = o.course_id
       join terms t on t.id = o.term_id
     where u.email like $1 || '@%' order by t.start_date desc, m.day, m.id limit 1`,
    [who],
  )
  if (!found) throw new Error(`the demo ${who} has no meeting`)
  return found
}
/** The first day of the term that is this day of the week (0 Saturday). */
const firstOf = (start: string, day: number): string => addDays(start, ((day - weekPlace(start) + 7) % 7) + 7)

describe.each(langsOf('ar'))('months of a timetable, %s', (lang) => {
  const month = async (person: Person) => {
    await person.page.getByTitle(person.say('kit-screens', 'view_month'), { exact: true }).click()
    await person.page.getByRole('grid').waitFor()
  }

  test('a student sees what happens on a day, goes by keyboard, and comes back to the same day', async () => {
    const who = 'student'
    const meeting = await meetingOf(who)
    const person = await Person.open(browser, demo.address, { name: who, lang })
    await signIn(person, 'student', `${who}@canopus.example.edu`)
    await person.go('/offerings/my_schedule')
    await month(person)
    await person.look('month of a student')
    const day = firstOf(meeting.start, meeting.day)
    await person.go(`/offerings/my_schedule?term=${meeting.term}&day=${day}`)
    await person.look('a day of a student')
    const agenda = person.page.locator('section[aria-live]').last()
    expect(await person.text(agenda)).toContain(meeting.code)
    const chosen = person.page.locator('[role="gridcell"][aria-selected="true"]')
    await chosen.focus()
    // The arrow that points to the end of the line goes to the next day.
    await person.page.keyboard.press(lang === 'ar' ? 'ArrowLeft' : 'ArrowRight')
    await expect.poll(() => new URL(person.page.url()).searchParams.get('day')).toBe(addDays(day, 1))
    await person.page.keyboard.press('ArrowDown')
    await person.page.keyboard.press('ArrowUp')
    await person.page.keyboard.press(lang === 'ar' ? 'ArrowRight' : 'ArrowLeft')
    await expect.poll(() => new URL(person.page.url()).searchParams.get('day')).toBe(day)
    await person.page.keyboard.press('PageDown')
    await expect.poll(() => new URL(person.page.url()).searchParams.get('day')?.slice(0, 7)).not.toBe(day.slice(0, 7))
    expect(await chosen.evaluate((cell) => cell === cell.ownerDocument.activeElement)).toBe(true)
    // It is kept how the reader looks at timetables, and which day.
    await person.page.reload()
    await person.settled()
    await expect.poll(() => chosen.count()).toBe(1)
    await person.leave()
  })

  test('on a phone the days show how much there is, and the chosen one what', async () => {
    const person = await Person.open(browser, demo.address, { name: 'instructor on a phone', lang, width: 360 })
    await signIn(person, 'instructor', 'instructor@canopus.example.edu')
    const meeting = await meetingOf('instructor')
    await person.go(`/offerings/my_schedule?term=${meeting.term}&day=${firstOf(meeting.start, meeting.day)}`)
    await month(person)
    await person.look('month of an instructor')
    await person.reads(meeting.code)
    await person.leave()
  })
})
