/**
 * What a course teaches and whether it was learnt: a new version of a specification whose matrix is filled by keyboard, attainment
 * from the marks of the demo university, and the course file of an offering: filled on a phone, given back with a reason, handed in
 * again, accepted, approved, taken back, and packed for an accreditation.
 */
import { unzipSync } from 'fflate'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'specifications', 'course-files')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

describe.each(langsOf('en'))('quality of a course, %s', (lang) => {
  test('a specification is written, approved and measured', async () => {
    // Marked courses with an approved specification of the first year, within the dean's reach.
    const [spec] = await demo.query<{ id: number; name: string; name_local: string }>(
      `select s.id, c.name, c.name_local from specifications s join courses c on c.id = s.course_id
       where s.status = 'approved' and s.removed_at is null and exists (select from specification_assessments a
           where a.specification_id = s.id and a.mark_category_id is not null)
         and exists (select from course_files f join offerings o on o.id = f.offering_id where o.course_id = c.id and f.status = 'draft'
           and o.faculty_id = 1)
         -- Not the one that was written in another language before.
         and not exists (select from specification_outcomes u join specifications v on v.id = u.specification_id
           where v.course_id = c.id and u.code = 'Z9')
       order by s.year_id, s.id limit 1`,
    )
    if (!spec) throw new Error('a specification')
    const office = await Person.open(browser, demo.address, { name: 'quality', lang })
    const say = (key: string, values?: Record<string, string | number>) => office.say('specifications', key, values)
    const { page } = office
    await signIn(office, 'employee', 'quality@canopus.example.edu')
    await office.go(`/specifications/${spec.id}`)
    await office.button(office.say('kit', 'more_actions')).first().click()
    await page.getByRole('menuitem', { name: say('new_version') }).click()
    await page.waitForURL(
      (url) => url.pathname !== `/specifications/${spec.id}` && /\/specifications\/\d+/.test(url.pathname),
    )
    await office.settled()

    // An outcome that nothing assesses stands against approval.
    await office.button(`${say('add')}: ${say('outcomes')}`).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(office.label(['Code', 'الكود'])).fill('Z9')
    await dialog.getByLabel(office.label(['Domain', 'المجال'])).click()
    await page.getByRole('option').nth(1).click()
    await dialog.getByLabel(office.label(['Level', 'المستوى'])).click()
    await page.getByRole('option').nth(2).click()
    await dialog.getByLabel(office.label(['In English', 'بالإنجليزية'])).fill('Weigh two designs against each other')
    await dialog.getByLabel(office.label(['In Arabic', 'بالعربية'])).fill('يوازن بين تصميمين')
    await office.button(office.say('kit-screens', 'save'), dialog).click()
    await office.reads('Z9')
    await office.reads(say('gap_blocks'))
    await office.look('what a specification lacks')

    // By keyboard: into the grid, along the row, and the space bar.
    await page.getByRole('tab', { name: office.label(['Matrices', 'المصفوفات']) }).click()
    await office.settled()
    for (const part of ['topics', 'assessments'] as const) {
      const grid = page.getByRole('grid', { name: say(`matrix_${part}`) })
      await grid.locator('td[tabindex="0"]').focus()
      await page.keyboard.press('End')
      await page.keyboard.press(' ')
      await expect.poll(() => grid.locator('td:focus').getAttribute('aria-selected'), { timeout: 20_000 }).toBe('true')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    await office.look('a matrix')
    await page.getByRole('tab', { name: office.label(['Content', 'المحتوى']) }).click()
    await office.settled()
    await expect.poll(() => page.getByText(say('gap_blocks'), { exact: true }).count(), { timeout: 20_000 }).toBe(0)
    const at = new URL(page.url()).pathname
    await step(office, 'Submit', 'تقديم')
    await stands('specifications', at, 'submitted')

    // Whoever submitted it does not approve it.
    const dean = await Person.open(browser, demo.address, { name: 'dean', lang })
    await signIn(dean, 'employee', 'dean@canopus.example.edu')
    await dean.go(at)
    await step(dean, 'Approve', 'اعتماد')
    await stands('specifications', at, 'approved')
    await dean.page.getByRole('tab', { name: dean.label(['Attainment', 'تحقق النواتج']) }).click()
    await dean.settled()
    const row = dean.page.getByRole('row').filter({ hasText: 'Z9' }).first()
    await expect.poll(() => dean.text(row), { timeout: 20_000 }).toMatch(/\d+\s?%|٪/)
    await dean.look('attainment of a course')
    const sheet = await dean.download(async () => {
      await dean.button(dean.say('kit', 'more_actions')).first().click()
      await dean.page.getByRole('menuitem', { name: say('as_pdf') }).click()
    })
    expect(sheet.content.subarray(0, 5).toString()).toBe('%PDF-')
    await office.leave()
    await dean.leave()
  }, 300_000)

  test('a course file is filled on a phone, given back, handed in again, approved, taken back and packed', async () => {
    const [file] = await demo.query<{ id: number; email: string; program_id: number; year_id: number }>(
      `select f.id, u.email, p.program_id, t.year_id from course_files f join offerings o on o.id = f.offering_id
         join terms t on t.id = o.term_id join program_courses p on p.course_id = o.course_id
         join offering_instructors m on m.offering_id = o.id join instructors i on i.id = m.instructor_id join users u on u.id = i.user_id
       where f.status = 'draft' and o.faculty_id = 1 order by f.id, i.id, p.program_id limit 1`,
    )
    if (!file) throw new Error('a course file')
    const at = `/courseFile/${file.id}`

    const teacher = await Person.open(browser, demo.address, { name: 'teacher', lang, width: 390 })
    const say = (key: string, values?: Record<string, string | number>) => teacher.say('course-files', key, values)
    await signIn(teacher, 'instructor', file.email)
    await teacher.go(at)
    await teacher.reads(say('still_missing'))
    await teacher.look('a course file on a phone')
    await teacher.page.getByRole('tab', { name: say('report') }).click()
    await teacher.button(say('fill')).click()
    await teacher.reads(say('figure_mean'))
    for (const box of await teacher.page.locator('main form textarea').all()) await box.fill('As planned.')
    await teacher.button(say('save_answers')).click()
    await teacher.reads(say('answers_saved'))
    await teacher.look('the report of an offering on a phone')
    await teacher.page.getByRole('tab', { name: say('parts') }).click()
    await teacher.settled()
    const { data: checked } = await demo.read<{
      data: {
        parts: {
          name: string
          name_local: string
          source: string
          state: string
          min_files: number
          names_hidden: boolean
          is_optional: boolean
        }[]
      }
    }>('quality', `/courseFile/checkArchive/${file.id}`)
    for (const part of checked.parts.filter(
      (one) => one.source === 'upload' && one.state === 'missing' && !one.is_optional,
    ))
      for (let i = 0; i < part.min_files; i++)
        await handIn(teacher, say('file_of', { part: teacher.nameOf(part) }), part.names_hidden ? i + 1 : 0)
    await expect.poll(() => teacher.text(), { timeout: 20_000 }).not.toContain(say('still_missing'))
    await step(teacher, 'Hand in', 'تسليم')
    await stands('course_files', at, 'submitted')

    const office = await Person.open(browser, demo.address, { name: 'quality', lang })
    await signIn(office, 'employee', 'quality@canopus.example.edu')
    await office.go(at)
    await office.look('a course file to decide')
    await office.button(office.label(['Do not accept', 'عدم القبول'])).click()
    const why = office.page.getByRole('dialog')
    await why.getByRole('textbox').fill('The exam lacks its model answers.')
    await office.button(office.label(['Do not accept', 'عدم القبول']), why).click()
    await stands('course_files', at, 'not_accepted')

    await teacher.go(at)
    await step(teacher, 'Hand in again', 'إعادة التسليم')
    await stands('course_files', at, 'submitted')
    await office.go(at)
    await step(office, 'Accept', 'قبول')
    await stands('course_files', at, 'accepted')

    const dean = await Person.open(browser, demo.address, { name: 'dean', lang })
    await signIn(dean, 'employee', 'dean@canopus.example.edu')
    await dean.go(at)
    await step(dean, 'Approve', 'اعتماد')
    await stands('course_files', at, 'approved')
    await step(dean, 'Take back', 'تراجع')
    await stands('course_files', at, 'accepted')
    await step(dean, 'Approve', 'اعتماد')
    await dean.page.getByRole('tab', { name: say('history') }).click()
    await dean.look('history of a course file')

    // The pack is made by a job and taken home.
    await office.go('/courseFile')
    await office.button(office.say('kit', 'more_actions')).first().click()
    await office.page.getByRole('menuitem', { name: say('pack') }).click()
    const packing = office.page.getByRole('dialog')
    const [names] = await demo.query<Record<'program' | 'program_local' | 'year' | 'year_local', string>>(
      `select p.name as program, p.name_local as program_local, y.name as year, y.name_local as year_local from programs p, years y
       where p.id = $1 and y.id = $2`,
      [file.program_id, file.year_id],
    )
    const ar = lang === 'ar'
    await choose(packing.getByLabel(office.label(['Program', 'البرنامج'])), ar ? names!.program_local : names!.program)
    await choose(packing.getByLabel(office.label(['From year', 'من عام'])), ar ? names!.year_local : names!.year)
    await choose(packing.getByLabel(office.label(['To year', 'إلى عام'])), ar ? names!.year_local : names!.year)
    await office.look('what is packed')
    await office.button(say('pack_begin'), packing).click()
    const pack = await office.download(() => packing.getByRole('status').getByRole('link').click())
    const entries = Object.keys(unzipSync(new Uint8Array(pack.content)))
    expect(entries.some((name) => name.endsWith('.xlsx'))).toBe(true)
    expect(entries.some((name) => name.endsWith('.jpg'))).toBe(true)
    expect([...teacher.problems, ...office.problems, ...dean.problems]).toEqual([])
  }, 300_000)
})

/** The record at this address comes to stand there. */
const stands = (table: 'specifications' | 'course_files', at: string, status: string) =>
  expect
    .poll(() => demo.query(`select status from ${table} where id = $1`, [at.split('/').at(-1)]), { timeout: 20_000 })
    .toEqual([{ status }])

/** Takes a step, and agrees where it asks. */
async function step(person: Person, en: string, ar: string): Promise<void> {
  const button = person.button(person.label([en, ar]))
  await button.click()
  const asked = person.button(person.label([en, ar]), person.page.getByRole('dialog'))
  await expect.poll(async () => (await asked.isVisible()) || !(await button.isVisible())).toBe(true)
  if (await asked.isVisible()) await asked.click()
  await person.settled()
}

/** Chooses an option by typing. */
async function choose(box: Locator, text: string): Promise<void> {
  await box.click()
  await box.fill(text)
  await box.page().getByRole('option', { name: text }).first().click()
}

/** A page with a frame, as a scan of an exam looks from afar. */
const PAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAFAAAABuCAAAAACVCsusAAAAjElEQVR42u2asQnAMAwENWJGytgpUwZc2KBIIf8+DXAY/tCrcBzFEw3Aq3AAAgQIcA08E1MOHLk5IClv5uEYewrY9UJS3szDJ/YXwK4XkrKzhx5FjzYe+1C96NHGqZd1ix5t/O5DxaJHG3EPTYoebSz2oXzRo41RLwsXPdrY3YdfFD0pAwQ4A/78r8gN7kxQFZg7eIwAAAAASUVORK5CYII='

/** Hands in a picture; names on work of students are blacked out before it leaves the device. @param bar how far down, 0: no name */
async function handIn(person: Person, label: string, bar: number): Promise<void> {
  const say = (key: string) => person.say('course-files', key)
  const arrived = person.page.waitForResponse((answer) =>
    /\/courseFile\/document\/\d+$/.test(new URL(answer.url()).pathname),
  )
  await person.page
    .getByLabel(label)
    .setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from(PAGE, 'base64') })
  if (bar) {
    const dialog = person.page.getByRole('dialog')
    await person.button(say('black_out_add'), dialog).click()
    await dialog.locator('button[style]').first().focus()
    for (let i = 0; i < bar; i++) await person.page.keyboard.press('ArrowDown')
    await person.look('names are blacked out')
    await person.button(say('hand_in_file'), dialog).click()
  }
  await arrived
  await person.settled()
}
