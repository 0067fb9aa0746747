/**
 * A year of two hundred interns: its courses and training types are said, the graduates join, their rotations are planned live and
 * taken; a department is lost, and a repair moves as few as possible.
 */
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#kit/contract/day.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'kit-screens', 'internship')])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

const INTERNS = 200
const PERIODS = 14
const one = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row> => {
  const [row] = await demo.query<Row>(text, values)
  if (!row) throw new Error(text)
  return row
}

/** Graduates of a faculty who are in no year yet. */
async function graduate(faculty_id: number, lang: string): Promise<void> {
  const rows = await demo.query<{ id: number }>(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level)
     select upper($3) || lpad(n::text, 4, '0'), 'Graduate number ' || n, 'خريج رقم ' || n, p.faculty_id, p.id, p.bylaw_id, 6
     from (select * from programs where faculty_id = $1 order by id limit 1) p, generate_series(1, $2::int) n returning id`,
    [faculty_id, INTERNS, lang],
  )
  await demo.query(`select decide_status($1::int[], 'graduated', 'Graduated before', university_today(), 'earlier')`, [
    rows.map(({ id }) => id),
  ])
}

/** The year with what its departments offer: in three hospitals, enough that one of them can be spared. */
async function offer(faculty_id: number, lang: string): Promise<{ year: number; starts_on: string }> {
  const { day } = await one<{ day: string }>(`select (university_today() + 20)::text as day`)
  const send = (at: string, body: object) =>
    demo.send<{ data: { id: number } }>('registrar', 'PUT', at, body).then(({ data }) => data.id)
  const year = await send('/emtyaz-years', {
    code: `YEAR-${lang}`,
    name: `Coming year ${lang}`,
    name_local: 'السنة القادمة',
    faculty_id,
    starts_on: day,
    periods: PERIODS,
    period_weeks: 4,
    electives: 1,
    leave_days: 3,
    marks_days: 14,
  })
  const types = await demo.query<{ id: number; code: string; name: string; name_local: string; periods: number }>(
    `select p.id, p.code, p.name, p.name_local, p.weeks / 4 as periods from emtyaz_training_types p
     join emtyaz_courses c on c.id = p.course_id where c.faculty_id = $1 order by p.id`,
    [faculty_id],
  )
  const hospitals = await demo.query<{ id: number; code: string }>(
    `select id, code from emtyaz_hospitals order by id limit 3`,
  )
  for (const { id, code, periods, ...names } of types)
    for (const hospital of hospitals)
      await send('/emtyaz-trainings', {
        ...names,
        code: `${code}-${hospital.code}-${lang}`.slice(-20),
        year_id: year,
        type_id: id,
        hospital_id: hospital.id,
        places: 8 * periods,
      })
  return { year, starts_on: day }
}

async function choose(box: Locator, text: string): Promise<void> {
  await box.click()
  await box.fill(text)
  await box.page().getByRole('option', { name: text }).first().click()
}

describe.each(langsOf('en'))('rotations of a year, %s', (lang) => {
  test('two hundred are planned live, a department is lost, and few are moved', async () => {
    const faculty = await one<{ id: number; name: string; name_local: string }>(
      `select id, name, name_local from faculties where code = 'FMD'`,
    )
    await graduate(faculty.id, lang)
    const office = await Person.open(browser, demo.address, { name: 'office', lang })
    const say = (key: string, values?: Record<string, string | number>) => office.say('internship', key, values)
    const { page } = office
    const dialog = page.getByRole('dialog')
    await signIn(office, 'employee', 'registrar@canopus.example.edu')

    // A course, marked by the criteria that stand there already, and what it is made of.
    const code = `ANA-${lang.toUpperCase()}`
    await office.go('/emtyaz/add_course')
    await page.getByRole('textbox', { name: office.label(['Code', 'الكود']) }).fill(code)
    await page.getByLabel(office.label(['English name', 'الاسم بالإنجليزية'])).fill('Anaesthesia')
    await page.getByLabel(office.label(['Arabic name', 'الاسم بالعربية'])).fill('التخدير')
    await choose(page.getByLabel(office.label(['Faculty', 'الكلية'])), office.nameOf(faculty))
    await office.look('a course of the internship year')
    await office.button(office.label(['Add course of the internship year', 'إضافة مقرر امتياز'])).click()
    const courses = () => demo.query<{ id: number }>(`select id from emtyaz_courses where code = $1`, [code])
    await expect.poll(async () => (await courses()).length, { timeout: 20_000 }).toBe(1)
    const [course] = await courses()
    await office.go(`/emtyaz/course/show/${course!.id}`)
    const adding = office.label(['Add training type', 'إضافة نوع تدريب'])
    await office.button(adding).first().click()
    await dialog.getByRole('textbox', { name: office.label(['Code', 'الكود']) }).fill(`${code}-OR`)
    await dialog.getByLabel(office.label(['English name', 'الاسم بالإنجليزية'])).fill('Anaesthesia, theatre')
    await dialog.getByLabel(office.label(['Arabic name', 'الاسم بالعربية'])).fill('التخدير: غرفة العمليات')
    await office.button(adding, dialog).click()
    await office.reads(`${code}-OR`)
    await dialog.waitFor({ state: 'detached' })
    await office.look('the types of a course')

    // The graduates join the year.
    const { year, starts_on } = await offer(faculty.id, lang)
    await office.go('/emtyaz/registration')
    await office.button(office.say('kit', 'more_actions')).first().click()
    await page.getByRole('menuitem', { name: say('add_graduates') }).click()
    await choose(
      dialog.getByLabel(office.label(['Internship year', 'سنة الامتياز'])),
      lang === 'ar' ? 'السنة القادمة' : `Coming year ${lang}`,
    )
    await expect.poll(() => office.text(dialog), { timeout: 20_000 }).toMatch(/20\d|٢٠[٠-٩]/)
    await office.look('graduates who would join')
    await office.button(say('add_graduates'), dialog).click()
    const interns = async () =>
      (await one<{ count: number }>(`select count(*)::int from emtyaz_interns where year_id = $1`, [year])).count
    await expect.poll(interns, { timeout: 30_000 }).toBeGreaterThanOrEqual(INTERNS)
    const all = await interns()
    // Half of them would rather see skin, the others pictures.
    await demo.query(
      `insert into emtyaz_wishes (intern_id, position, type_id)
       select i.id, 1 + (i.id + k) % 2, p.id from emtyaz_interns i, (select p.id, (row_number() over (order by p.id))::int as k
         from emtyaz_training_types p join emtyaz_courses c on c.id = p.course_id where c.faculty_id = $2 and c.is_elective) p
       where i.year_id = $1`,
      [year, faculty.id],
    )

    // Planned live, compared and taken.
    await office.go(`/emtyaz/board/${year}`)
    await page.getByLabel(say('plan_seconds')).fill('8')
    await office.button(say('plan_look')).click()
    await page.getByText(say('plan_looking'), { exact: true }).first().waitFor()
    await office.button(say('plan_take')).waitFor({ timeout: 90_000 })
    await page
      .getByRole('radiogroup', { name: say('plan_which') })
      .getByText(say('plan_proposed'))
      .click()
    await office.look('a plan that is proposed')
    const proposed = () =>
      one<{ state: string; kind: string; changes: Changes; figures: { complete: number; overfull: number } }>(
        `select state, kind, changes, figures from emtyaz_plans where year_id = $1 order by id desc limit 1`,
        [year],
      )
    interface Changes {
      readonly kept: number
      readonly added: number
      readonly removed: number
      readonly interns: number
    }
    expect(await proposed()).toMatchObject({ state: 'proposed', figures: { complete: all, overfull: 0 } })
    await office.button(say('plan_take')).click()
    await office.look('whether a plan is taken')
    await office.button(say('plan_take'), dialog).click()
    await expect.poll(async () => (await proposed()).state, { timeout: 60_000 }).toBe('taken')
    await office.settled()
    const rotations = async (where = 'true', values: readonly unknown[] = []) =>
      (
        await one<{ count: number }>(
          `select count(*)::int from emtyaz_rotations r where r.year_id = $1 and r.status = 'accepted' and r.removed_at is null and ${where}`,
          [year, ...values],
        )
      ).count
    const planned = await rotations()
    // Eight obligatory types and an elective each.
    expect(planned).toBe(all * 9)

    // A department closes in the middle of the year.
    const lost = await one<{ id: number; name: string }>(
      `select t.id from emtyaz_trainings t join emtyaz_training_types p on p.id = t.type_id where t.year_id = $1 and p.code = $2 order by t.id limit 1`,
      [year, `${code}-OR`],
    )
    const from = addDays(starts_on, 6 * 28)
    await office.go(`/emtyaz/trainings/edit/${lost.id}`)
    await page.getByLabel(office.label(['Not offered any more from', 'غير متاح بدءًا من'])).fill(from)
    await page.keyboard.press('Tab')
    await office.button(office.say('kit-screens', 'save')).click()
    await expect
      .poll(
        async () =>
          (
            await one<{ day: string | null }>(
              `select withdrawn_from::text as day from emtyaz_trainings where id = $1`,
              [lost.id],
            )
          ).day,
        { timeout: 20_000 },
      )
      .toBe(from)
    await office.go(`/emtyaz/training/${lost.id}`)
    await office.reads(say('overfull'))
    await office.look('a training that lost its places')
    const without = await rotations('r.training_id = $2 and r.ends_on >= $3', [lost.id, from])
    expect(without).toBeGreaterThan(0)

    // Repaired: those who lost their place move, and hardly anybody else.
    await office.go(`/emtyaz/board/${year}`)
    await office.button(new RegExp(`^${say('board_overfull').split('{')[0]!}`)).click()
    await office.settled()
    await office.look('who has no place any more')
    await office
      .button(say('board_show_all'))
      .or(office.button(say('plan_repair')))
      .first()
      .waitFor()
    await office.button(say('plan_repair')).click()
    await expect
      .poll(async () => (await proposed()).kind === 'repair' && (await proposed()).state, { timeout: 60_000 })
      .toBe('proposed')
    const { changes } = await proposed()
    await office.reads(say('plan_take'), say('plan_overfull'))
    await office.look('a repair that is proposed')
    console.log(
      `rotations: ${without} lost their place of ${planned}; a repair changes ${changes.removed} of ${changes.interns} interns`,
    )
    expect(changes.removed).toBeGreaterThanOrEqual(without)
    // Nobody is moved who kept the place; whose year is full changes two rotations at most.
    expect(changes.interns).toBeLessThanOrEqual(Math.ceil(1.1 * without))
    expect(changes.removed).toBeLessThanOrEqual(2 * without)
    await office.button(say('plan_take')).click()
    await office.button(say('plan_take'), dialog).click()
    await expect.poll(async () => (await proposed()).state, { timeout: 60_000 }).toBe('taken')
    expect(await rotations()).toBe(planned)
    expect(await rotations('r.training_id = $2 and r.ends_on >= $3', [lost.id, from])).toBe(0)
    expect(
      await demo.query(`select f.* from emtyaz_overfull(array(select id from emtyaz_trainings where year_id = $1)) f`, [
        year,
      ]),
    ).toEqual([])
    await office.settled()
    await office.look('the board after the repair')
    await office.leave()
  }, 400_000)
})
