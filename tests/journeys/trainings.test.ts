/**
 * Weeks at work: an organisation's training is offered, a student asks on a phone with a CV and two wishes, the organisation answers by
 * its link, the interview is booked and held, the place given among the wishes, a week reported on, the student assessed by the
 * organisation and approved, and the weeks counted in the degree.
 */
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMailServer } from '../mail-server.ts'
import type { MailServer } from '../mail-server.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let browser: Browser
let demo: DemoWorld
let mail: MailServer
beforeAll(async () => {
  mail = await openMailServer()
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo({ SMTP_URL: mail.url }),
    readTexts('kit', 'kit-screens', 'trainings', 'students'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await mail?.stop()
})

describe.each(langsOf('ar'))('a training, %s', (lang) => {
  test('from what an organisation offers to weeks that count', async () => {
    const [student] = await demo.query<{ id: number; email: string; name: string; name_local: string; weeks: number }>(
      `select s.id, u.email, s.name, s.name_local, coalesce((s.data ->> 'training_weeks')::int, 0) as weeks
       from students s join users u on u.id = s.user_id join programs p on p.id = s.program_id join bylaws b on b.id = s.bylaw_id
       where s.status = 'studying' and coalesce(p.min_training_weeks, b.min_training_weeks) > 0 and u.email like '%@canopus.example.edu'
         and not exists (select from students_trainings t where t.student_id = s.id) order by s.id limit 1`,
    )
    if (!student) throw new Error('a student who needs weeks of training')
    const [first, second] = [await offered(`DOCK-${lang}`, 1), await offered(`YARD-${lang}`, 2)]

    // On a phone: a training of the list, the CV, and why.
    const phone = await Person.open(browser, demo.address, { name: 'student', lang, width: 390 })
    const say = (key: string, values?: Record<string, string | number>) => phone.say('trainings', key, values)
    const { page } = phone
    await signIn(phone, 'student', student.email)
    await phone.go('/students-trainings/add')
    await choose(page.getByLabel(phone.label(['Training', 'التدريب'])), phone.nameOf(first))
    await page.getByLabel(phone.label(['Wish number', 'ترتيب الرغبة'])).fill('1')
    await page
      .getByLabel(phone.label(['CV', 'السيرة الذاتية']))
      .setInputFiles({ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from(PDF) })
    await phone.reads('cv.pdf')
    await page.getByLabel(phone.label(['Motivation', 'دوافع التقديم'])).fill('I want to see how ships are built.')
    await phone.look('a training is asked for on a phone')
    await phone.button(phone.label(['Ask for a training', 'طلب تدريب'])).click()
    const id = await asked(student.id, first.id)
    await demo.send(student.email.split('@')[0]!, 'POST', '/trainings/student-to-training', {
      student_id: student.id,
      training_id: second.id,
      wish: 2,
      why: 'Should there be no place at the dock.',
    })

    // The office offers interviews, and sends the organisation its link.
    const office = await Person.open(browser, demo.address, { name: 'office', lang })
    await signIn(office, 'employee', 'registrar@canopus.example.edu')
    await office.go(`/trainings/interviews/${first.id}`)
    const soon = addDays(dayOf(), 3)
    await demo.send('registrar', 'POST', `/trainings/interviews/${first.id}`, {
      day: soon,
      from_time: '10:00',
      count: 3,
      minutes: 20,
      place: 'Hall 2',
    })
    await office.go(`/trainings/overview/${first.id}`)
    await office.reads(say('by_week'), office.nameOf(student))
    await office.look('weeks and students of a training')
    const before = mail.mails.length
    await office.button(say('send_link')).click()
    await office.look('the link is sent to the organisation')
    await office.button(say('send_link'), office.page.getByRole('dialog')).click()
    const link = /https?:\/\/\S+\/training-answer\?token=[\w-]+/.exec(
      (await mail.mailTo(first.email, before)).text ?? '',
    )![0]
    const at = new URL(link).pathname + new URL(link).search

    // The organisation, without an account.
    const firm = await Person.open(browser, demo.address, { name: 'organisation', lang, width: 390 })
    await firm.go(at)
    await firm.reads(say('who_waits'), firm.nameOf(student))
    const card = () => firm.page.getByRole('region', { name: firm.nameOf(student) })
    await firm.button(say('answer'), card()).click()
    await firm.reads(say('choose_answer'))
    await firm.page.getByLabel(say('your_name')).fill('Nadia Selim')
    await card().getByLabel(say('says_yes'), { exact: true }).check()
    await firm.button(say('answer'), card()).click()
    await firm.reads(say('answered'))
    await firm.look('an organisation answers by its link')

    // The interview is booked on the phone, and held.
    await phone.go(`/students-trainings?id=${id}`)
    await page
      .getByRole('button', { name: /Hall 2/ })
      .first()
      .click()
    await phone.look('an interview is booked')
    await phone.button(say('book'), page.getByRole('dialog')).click()
    await expect
      .poll(() => demo.query(`select 1 as booked from training_interviews where student_training_id = $1`, [id]))
      .toEqual([{ booked: 1 }])
    await demo.query(
      `update training_interviews set starts_at = now() - interval '1 hour' where student_training_id = $1`,
      [id],
    )

    // Accepted; what becomes of the second wish is said with it.
    await office.go(`/students-trainings?view=all&id=${id}`)
    await office.reads(say('advice'), say('others'))
    await office.look('a request with other wishes')
    await office.button(say('accept_this')).first().click()
    const among = office.page.getByRole('dialog')
    await among.getByLabel(say('others'), { exact: true }).click()
    await office.page.getByRole('option', { name: say('others_later') }).click()
    await among.getByLabel(say('others_reason')).fill('Has a place at the dock.')
    await office.look('what becomes of the other wishes')
    await office.button(say('accept_this'), among).click()
    await expect.poll(() => states(student.id)).toEqual(['accepted', 'disapproved'])

    // A week is reported on.
    await phone.go(`/students-trainings?id=${id}`)
    await phone.button(say('add_report')).click()
    const report = page.getByRole('dialog')
    await report.getByLabel(say('report_text')).fill('Measured plates, and learnt to read the plans.')
    await phone.look('the report of a week')
    await phone.button(say('send'), report).click()
    await phone.reads('Measured plates')

    // The organisation says how it was; the office takes it over, and approves.
    await firm.go(at)
    await firm.page.getByLabel(say('your_name')).fill('Nadia Selim')
    await card().getByLabel(say('score_label')).fill('88')
    await card().getByLabel(say('how_was_it')).fill('Careful, and quick to learn.')
    await firm.button(say('assess'), card()).click()
    await firm.reads(say('answered'))
    await firm.look('an organisation assesses by its link')
    await office.go(`/students-trainings?view=all&id=${id}`)
    await office.button(say('take_over')).last().click()
    await office.look('an assessment is taken over')
    await office.button(say('keep'), office.page.getByRole('dialog')).click()
    await office.page.getByRole('dialog').waitFor({ state: 'detached' })
    await step(office, 'Approve', 'اعتماد')
    await expect.poll(() => states(student.id)).toEqual(['approved', 'disapproved'])
    await office.look('an approved training with its papers')

    // Counted.
    await phone.go('/student-academic?tab=plan')
    await phone.reads(phone.say('students', 'training_weeks'))
    const [now] = await demo.query<{ weeks: number }>(
      `select (data ->> 'training_weeks')::int as weeks from students where id = $1`,
      [student.id],
    )
    expect(now!.weeks).toBe(student.weeks + 4)
    await phone.look('weeks of training in the plan')
    await firm.leave()
    await phone.leave()
    await office.leave()
  }, 400_000)
})

/** A training of four weeks that ends today, asked for until next month. */
async function offered(code: string, organisation_id: number) {
  const day = (days: number) => addDays(dayOf(), days)
  const dock = code.startsWith('DOCK')
  const names = { name: `Ship ${code.toLowerCase()}`, name_local: `${dock ? 'حوض السفن' : 'ساحة السفن'} ${code}` }
  const { data } = await demo.send<{ data: { id: number } }>('registrar', 'PUT', '/trainings', {
    code,
    ...names,
    organisation_id,
    starts_on: day(-27),
    ends_on: day(0),
    weeks: 4,
    places: 2,
    opens_on: day(-60),
    closes_on: day(30),
    has_interview: dock,
    cv_required: dock,
    min_reports: 1,
  })
  const [{ email }] = (await demo.query<{ email: string }>('select email from training_organisations where id = $1', [
    organisation_id,
  ])) as [{ email: string }]
  return { id: data.id, email, ...names }
}
async function asked(student: number, training: number): Promise<number> {
  const found = () =>
    demo.query<{ id: number }>('select id from students_trainings where student_id = $1 and training_id = $2', [
      student,
      training,
    ])
  await expect.poll(async () => (await found()).length, { timeout: 30_000 }).toBe(1)
  return (await found())[0]!.id
}
const states = async (student: number) =>
  (
    await demo.query<{ status: string }>('select status from students_trainings where student_id = $1 order by wish', [
      student,
    ])
  ).map(({ status }) => status)

/** Takes a step, and agrees where it asks. */
async function step(person: Person, en: string, ar: string): Promise<void> {
  const button = person.button(new RegExp(`^${person.label([en, ar])}`)).first()
  await button.click()
  const yes = person.button(person.label([en, ar]), person.page.getByRole('dialog'))
  await expect.poll(async () => (await yes.isVisible()) || !(await button.isVisible()), { timeout: 20_000 }).toBe(true)
  if (await yes.isVisible()) await yes.click()
  await person.settled()
}
/** Chooses an option by typing. */
async function choose(box: Locator, text: string): Promise<void> {
  await box.click()
  await box.fill(text)
  await box.page().getByRole('option', { name: text }).first().click()
}
/** The smallest file that is one. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`
