/**
 * A rotation of the internship year: an intern asks for one on a phone, the office accepts it, the supervisor of another that is
 * over marks it by keyboard and submits it, control and its head bring the marks to the interns.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'internship')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

/** Takes the next step of the page, and what its dialog asks for. */
async function step(person: Person, en: string, ar: string): Promise<void> {
  const word = person.label([en, ar])
  await person.button(word).first().click()
  const asked = person.button(word, person.page.getByRole('dialog'))
  await expect
    .poll(async () => (await asked.isVisible()) || !(await person.button(word).first().isVisible()), {
      timeout: 20_000,
    })
    .toBe(true)
  if (await asked.isVisible()) await asked.click()
  await person.settled()
}

describe.each(langsOf('ar'))('internship year, %s', (lang) => {
  test('a rotation is asked for and accepted; another is marked, submitted, reviewed, approved and published', async () => {
    const intern = await Person.open(browser, demo.address, { name: 'intern', lang, width: 390 })
    const say = (key: string, values?: Record<string, string | number>) => intern.say('internship', key, values)
    await signIn(intern, 'student', 'intern@canopus.example.edu')
    await intern.go('/emtyaz/mine')
    await intern.page.waitForURL(/\/emtyaz\/registration\/\d+/)
    await intern.settled()
    await intern.reads(say('requirements'))
    await intern.look('the own year on a phone')
    const at = new URL(intern.page.url()).pathname
    const id = Number(at.split('/').at(-1))

    // A training that is still to be had, in the first period with a place.
    const [free] = await demo.query<{
      id: number
      name: string
      name_local: string
      hospital: string
      hospital_local: string
    }>(
      `select t.id, t.name, t.name_local, h.name as hospital, h.name_local as hospital_local from emtyaz_trainings t
         join emtyaz_hospitals h on h.id = t.hospital_id join emtyaz_training_types p on p.id = t.type_id join emtyaz_courses c on c.id = p.course_id
         join emtyaz_interns i on i.id = $1 and i.year_id = t.year_id
       where not c.is_elective and not exists (select from emtyaz_rotations r where r.student_id = i.student_id and r.type_id = t.type_id
         and r.status in ('requested', 'added', 'accepted')) order by p.weeks, t.id limit 1`,
      [id],
    )
    if (!free) throw new Error('a training that is free')
    await intern.button(say('ask_rotation')).first().click()
    const dialog = intern.page.getByRole('dialog')
    await dialog.getByLabel(say('training'), { exact: false }).first().click()
    const called = lang === 'ar' ? `${free.name_local} · ${free.hospital_local}` : `${free.name} · ${free.hospital}`
    await intern.page.getByRole('option', { name: called }).click()
    const periods = dialog.getByRole('group', { name: say('free_periods') })
    await periods.getByRole('button').first().click()
    await intern.look('asking for a rotation')
    await intern.button(say('ask_rotation'), dialog).click()
    await expect.poll(() => dialog.count(), { timeout: 20_000 }).toBe(0)
    const asked = async () =>
      (
        await demo.query<{ status: string }>(
          `select r.status from emtyaz_rotations r join emtyaz_interns i on i.student_id = r.student_id where i.id = $1 and r.training_id = $2 order by r.id desc limit 1`,
          [id, free.id],
        )
      )[0]?.status
    await expect.poll(asked, { timeout: 20_000 }).toBe('requested')

    const office = await Person.open(browser, demo.address, { name: 'office', lang })
    await signIn(office, 'employee', 'registrar@canopus.example.edu')
    await office.go(at)
    await office.reads(office.label(['Requested', 'قيد الموافقة']))
    await office.look('the year of an intern')
    await step(office, 'Accept', 'قبول')
    await expect.poll(asked, { timeout: 20_000 }).toBe('accepted')

    // A group that is over and not marked yet.
    const [group] = await demo.query<{ id: number; interns: number }>(
      `select o.id, count(r.id)::int as interns from emtyaz_offerings o join emtyaz_rotations r on r.offering_id = o.id and r.status = 'accepted' and r.outcome is null
         join emtyaz_trainings t on t.id = o.training_id join emtyaz_training_instructors m on m.training_id = t.id
         join instructors i on i.id = m.instructor_id join users u on u.id = i.user_id
       where o.control_status = 'Draft' and o.ends_on <= university_today() and u.email = 'medicine@canopus.example.edu' group by o.id order by o.id limit 1`,
    )
    if (!group) throw new Error('a group that is over')
    const supervisor = await Person.open(browser, demo.address, { name: 'supervisor', lang })
    await signIn(supervisor, 'instructor', 'medicine@canopus.example.edu')
    await supervisor.go(`/emtyaz/offerings/${group.id}`)
    const grid = supervisor.page.getByRole('grid')
    await grid.focus()
    for (let n = 0; n < group.interns; n++) {
      for (const mark of ['36', '30.5', '18']) {
        await supervisor.page.keyboard.type(mark)
        await supervisor.page.keyboard.press('Tab')
      }
    }
    await supervisor.look('marks of a rotation')
    await supervisor.page.keyboard.press('Control+s')
    const marked = async () =>
      (
        await demo.query<{ marks: string[] }>(
          `select array_agg(distinct r.mark::text) as marks from emtyaz_rotations r where r.offering_id = $1 and r.status = 'accepted'`,
          [group.id],
        )
      )[0]?.marks
    await expect.poll(marked, { timeout: 20_000 }).toEqual(['84.50'])
    await supervisor.go(`/emtyaz/offerings/${group.id}`)
    await step(supervisor, 'Submit', 'تسليم')

    const head = await Person.open(browser, demo.address, { name: 'head of control', lang })
    await signIn(head, 'instructor', 'medicine.control@canopus.example.edu')
    await head.go(`/emtyaz/offerings/${group.id}`)
    await step(head, 'Review', 'مراجعة')
    await step(head, 'Approve', 'اعتماد')
    await step(head, 'Publish', 'إعلان')
    await head.look('published marks of a rotation')
    const outcomes = await demo.query<{ outcome: string }>(
      `select distinct r.outcome from emtyaz_rotations r where r.offering_id = $1 and r.status = 'accepted'`,
      [group.id],
    )
    expect(outcomes).toEqual([{ outcome: 'passed' }])
    for (const person of [intern, office, supervisor, head]) await person.leave()
  }, 400_000)
})
