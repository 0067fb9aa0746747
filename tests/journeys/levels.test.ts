/** A year of a medical level: marks, second session, grace marks, promotion, result sheet, and the student's ratings. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Grid } from '#areas/records/grading/grades/grades.contract.ts'
import { expectSound } from '../sound.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(),
    readTexts('kit', 'kit-screens', 'students', 'level-results'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  if (demo) await expectSound(demo.url)
  await demo?.close()
})

interface Key {
  bylaw_id: number
  year_id: number
  level: number
}
/** Shares of the maximum that somebody earns in a course, in percent. */
type Earns = (student: number, course: string) => number

/** Teaching and control of every course of a level in a term: marks, submitted, reviewed, approved. */
async function mark(key: Key, term: number, earns: Earns): Promise<number[]> {
  const offerings = await demo.query<{ id: number; course: string }>(
    `select distinct o.id, c.code as course from student_years y join registrations r on r.student_id = y.student_id
       join offerings o on o.id = r.offering_id and o.term_id = $4 join courses c on c.id = o.course_id
     where y.bylaw_id = $1 and y.year_id = $2 and y.level = $3 order by 1`,
    [key.bylaw_id, key.year_id, key.level, term],
  )
  // One of them may be marked by barcode, which is a journey of its own.
  await demo.query('alter table anonymous_offerings disable trigger user')
  await demo.query('delete from anonymous_offerings where offering_id = any($1::int[])', [
    offerings.map((one) => one.id),
  ])
  await demo.query('alter table anonymous_offerings enable trigger user')
  await Promise.all(
    offerings.map(async ({ id, course }) => {
      const { data } = await demo.read<{ data: Grid }>('medicine', `/offerings/offering-students-grades/${id}`)
      const cells = data.rows.flatMap((row) =>
        data.scheme.flatMap((part) =>
          row.marks[String(part.id)]?.mark
            ? []
            : [
                {
                  registration_id: row.registration_id,
                  offering_mark_id: part.id,
                  mark: String((Number(part.max) * earns(row.student.id, course)) / 100),
                  version: null,
                },
              ],
        ),
      )
      await demo.send('medicine', 'PUT', '/offerings/offering-students-grades/update', { offering_id: id, cells })
    }),
  )
  const ids = offerings.map((one) => one.id)
  await demo.send('medicine', 'POST', '/control/offerings/bulk/submit', { ids })
  for (const step of ['review', 'approve'])
    await demo.send('medicine.control', 'POST', `/control/offerings/bulk/${step}`, { ids })
  return ids
}

test.each(langsOf('ar'))('a year of a medical level, %s', { timeout: 360_000 }, async (lang) => {
  const [key] = await demo.query<Key & { term_id: number; name: string; name_local: string }>(
    `select y.bylaw_id, y.year_id, y.level, t.id as term_id, l.name, l.name_local
     from bylaws b join student_years y on y.bylaw_id = b.id and y.level = 1
       join bylaw_levels l on l.bylaw_id = b.id and l.level = y.level
       join current_terms k on k.key = 'current_term' join terms t on t.id = k.term_id and t.year_id = y.year_id
     where b.code = 'FMD2019' limit 1`,
  )
  const { bylaw_id, year_id, level, term_id, ...words } = key!
  const [year] = await demo.query<{ name: string; name_local: string; last: string }>(
    'select name, name_local, end_date::text as last from years where id = $1',
    [year_id],
  )
  const term = { name: 'Second session', name_local: 'الدور الثاني' }
  const [second] = await demo.query<{ id: number }>(
    `insert into terms (code, name, name_local, year_id, term_type, start_date, end_date)
     select '2nd', $2, $3, id, 'summer', end_date - 30, end_date - 5 from years where id = $1 returning id`,
    [year_id, term.name, term.name_local],
  )
  await demo.query(
    `insert into years (code, name, name_local, start_date, end_date)
     values ('next', 'Next year', 'العام التالي', $1::date + 1, $1::date + 365)`,
    [year!.last],
  )
  const students = (
    await demo.query<{ id: number; email: string; code: string }>(
      `select s.id, s.email, s.code from student_years y join students s on s.id = y.student_id
       where y.bylaw_id = $1 and y.year_id = $2 and y.level = $3 and y.enrolment = 'new' order by s.code`,
      [bylaw_id, year_id, level],
    )
  ).slice(0, 4)
  const [, lacking, fails, passesLater] = students.map((one) => one.id)
  /** 176 of 300: four marks below the pass. */
  const almost = 176 / 3
  const earns =
    (session: 1 | 2): Earns =>
    (student, course) => {
      if (student === lacking && course === 'ANA101') return almost
      if (student === fails && ['ANA101', 'PHS101', 'BIO101'].includes(course)) return 45
      return student === passesLater && course === 'HIS101' && session === 1 ? 45 : 76
    }
  const first = await mark(key!, term_id, earns(1))

  const head = await Person.open(browser, demo.address, { name: 'levels', lang })
  const { page } = head
  const say = (text: string, values?: Record<string, string | number>) => head.say('level-results', text, values)
  await signIn(head, 'instructor', 'medicine.control@canopus.example.edu')
  await head.go('/control/levels')
  const row = page
    .getByRole('row')
    .filter({ hasText: head.nameOf(words) })
    .filter({ hasText: head.nameOf(year!) })
  await row.first().waitFor()
  await head.look('levels')

  // Three failed something: they sit again before anything is decided.
  await row
    .first()
    .getByRole('button', { name: head.say('kit-screens', 'row_actions') })
    .click()
  await page.getByRole('menuitem', { name: say('open_second_session') }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('combobox', { name: say('term') })
    .or(dialog.getByLabel(say('term')))
    .first()
    .click()
  await page.getByRole('option', { name: head.nameOf(term) }).click()
  await head.look('second session')
  await head.button(say('open_second_session'), dialog).click()
  await dialog.waitFor({ state: 'detached' })
  await mark(key!, second!.id, earns(2))

  // The council decides on grace marks, and the year is worked out.
  await demo.send('medicine.control', 'PUT', '/grace-rules', {
    bylaw_id,
    year_id,
    decided_by: 'مجلس الكلية',
    decision_number: '12/2027',
    decided_on: '2027-08-20',
  })
  await head.go('/control/levels')
  await row
    .first()
    .getByRole('button', { name: say('preview') })
    .click()
  await page.waitForURL(/\/control\/levels\/\d+/)
  await head.settled()
  await head.reads(say('outcomes'), say('ratings'), 'مجلس الكلية')
  await head.look('worked out')
  const result = Number(new URL(page.url()).pathname.split('/').at(-1))
  const outcomes = await demo.query<{ student_id: number; outcome: string; grace: string }>(
    `select student_id, outcome, trim_scale(grace)::text as grace from level_result_students where level_result_id = $1`,
    [result],
  )
  const of = (student: number | undefined) => outcomes.find((one) => one.student_id === student)
  expect([of(lacking), of(fails), of(passesLater)].map((one) => [one?.outcome, one?.grace])).toEqual([
    ['promoted', '4'],
    ['repeats', '0'],
    ['promoted', '0'],
  ])

  await head.button(say('apply')).click()
  await dialog.waitFor()
  await head.look('asked')
  await head.button(say('apply'), dialog).click()
  await dialog.waitFor({ state: 'detached' })
  const [stays] = await demo.query<{ level: number; enrolment: string }>(
    `select y.level, y.enrolment from student_years y join years a on a.id = y.year_id and a.code = 'next' where y.student_id = $1`,
    [fails],
  )
  expect(stays).toEqual({ level: 1, enrolment: 'repeating' })

  // Announced once everything is published; then the sheet can be posted.
  const later = await demo.query<{ id: number }>(`select id from offerings where term_id = $1`, [second!.id])
  const ids = [...first, ...later.map((one) => one.id)]
  await demo.send('medicine.control', 'POST', '/control/offerings/bulk/publish', { ids })
  await head.button(say('announce')).click()
  await dialog.waitFor()
  await head.button(say('announce'), dialog).click()
  await dialog.waitFor({ state: 'detached' })
  await head.settled()
  await page
    .getByRole('button', { name: head.say('kit', 'more_actions') })
    .first()
    .click()
  const sheet = await head.download(() => page.getByRole('menuitem', { name: say('sheet_announcement') }).click())
  expect(sheet.name).toMatch(/\.pdf$/)
  await head.look('announced')
  await head.leave()

  // The student whom four marks lifted sees ratings in place of letters, and prints them.
  const student = await Person.open(browser, demo.address, { name: 'levels student', lang, width: 360 })
  await signIn(student, 'student', students[1]!.email)
  await student.go('/student-academic?tab=grades')
  await student.reads(student.label(['Pass', 'مقبول']), student.label(['Very good', 'جيد جدًا']))
  await student.look('my ratings')
  await student.leave()
})
