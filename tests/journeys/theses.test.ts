/**
 * A thesis from the subject to the library: offered, wished for on a phone, given, registered, approved by the council, reported on,
 * handed in, judged by a committee that the rules refuse at first, discussed, changed, granted, deposited, found by everybody, harvested.
 */
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '#kit/contract/index.ts'
import { thesisErrors } from '../../areas/research/theses/thesis/errors.contract.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'theses')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

interface Named {
  readonly id: number
  readonly name: string
  readonly name_local: string
}
const TITLE = { name: 'Tidal power for small harbours', name_local: 'طاقة المد للموانئ الصغيرة' }
const PDF = (name: string) => ({
  name: `${name}.pdf`,
  mimeType: 'application/pdf',
  buffer: Buffer.from(`%PDF-1.4\n% ${name}\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`),
})

describe.each(langsOf('ar'))('a thesis, %s', (lang) => {
  test('goes from the subject to the repository', async () => {
    const title = { name: `${TITLE.name} (${lang})`, name_local: `${TITLE.name_local} (${lang})` }
    const shown = lang === 'ar' ? title.name_local : title.name
    const [writer] = await demo.query<Named & { email: string; department: string; department_local: string }>(
      `select s.id, s.name, s.name_local, u.email, d.name as department, d.name_local as department_local
       from students s join users u on u.id = s.user_id join programs p on p.id = s.program_id join departments d on d.id = p.department_id
       where p.study_level = 'postgraduate' and s.status = 'studying' and s.faculty_id = 1
         and not exists (select from theses t where t.student_id = s.id) order by s.id desc limit 1`,
    )
    const ranks = (rank: string) =>
      demo.query<Named & { email: string }>(
        `select i.id, i.name, i.name_local, u.email from instructors i join users u on u.id = i.user_id
         where i.faculty_id = 1 and i.academic_title = $1 and i.removed_at is null and u.email not like 'dean@%'
         order by i.id desc limit 3`,
        [rank],
      )
    const [leads, judge] = await ranks('professor')
    const [other] = await ranks('associate_professor')
    const [junior] = await ranks('demonstrator')
    const [outside] = await demo.query<Named>('select id, name, name_local from external_examiners order by id limit 1')
    const [hall] = await demo.query<Named>(
      `select id, name, name_local from locations where removed_at is null and location_type = 'hall' order by id limit 1`,
    )
    const days = (n: number) =>
      demo
        .query<{ day: string }>('select (university_today() + $1::int)::text as day', [n])
        .then(([one]) => one?.day ?? '')
    const today = await days(0)
    if (!writer || !leads || !judge || !other || !junior || !outside || !hall) throw new Error('people of a thesis')

    // A supervisor offers a subject.
    const supervisor = await Person.open(browser, demo.address, { name: 'supervisor', lang })
    await signIn(supervisor, 'instructor', leads.email)
    await supervisor.go('/thesis-subjects/add')
    await fill(supervisor, supervisor.page.locator('main form'), {
      'English title|العنوان بالإنجليزية': title.name,
      'Arabic title|العنوان بالعربية': title.name_local,
      'Places|الأماكن': '1',
    })
    await choose(supervisor, supervisor.label(['Offered by', 'صاحب الموضوع']), supervisor.nameOf(leads))
    await choose(
      supervisor,
      supervisor.label(['Department', 'القسم']),
      lang === 'ar' ? writer.department_local : writer.department,
    )
    await supervisor.look('a subject is offered')
    await supervisor.page.locator('main form button[type="submit"]').first().click()
    await expect
      .poll(() => demo.query('select from thesis_subjects where name = $1', [title.name]), { timeout: 20_000 })
      .toHaveLength(1)
    const [subject] = await demo.query<{ id: number }>('select id from thesis_subjects where name = $1', [title.name])

    // A student wishes for it on a phone.
    const student = await Person.open(browser, demo.address, { name: 'student', lang, width: 390 })
    const own = (key: string, values?: Record<string, string | number>) => student.say('theses', key, values)
    await signIn(student, 'student', writer.email)
    await student.go('/my_theses')
    await student.reads(shown)
    await student.look('subjects on offer')
    const offer = student.page.getByRole('listitem').filter({ hasText: shown })
    await student.button(own('wish'), offer).click()
    await student.button(own('keep_wishes')).click()
    await expect
      .poll(() => demo.query('select student_id from thesis_wishes where subject_id = $1', [subject!.id]))
      .toEqual([{ student_id: writer.id }])
    await student.look('wishes in order')

    // The supervisor gives it.
    await supervisor.go(`/thesis-subjects/${subject!.id}`)
    await supervisor.reads(supervisor.nameOf(writer))
    await supervisor.look('who wishes for a subject')
    await supervisor.button(supervisor.say('theses', 'give')).click()
    await supervisor.button(supervisor.say('theses', 'give'), supervisor.page.getByRole('dialog')).click()
    await expect
      .poll(() => demo.query('select status from theses where subject_id = $1', [subject!.id]), { timeout: 20_000 })
      .toEqual([{ status: 'draft' }])
    const [thesis] = await demo.query<{ id: number }>('select id from theses where subject_id = $1', [subject!.id])
    const at = `/theses/${thesis!.id}`
    const stands = (status: string) =>
      expect
        .poll(() => demo.query('select status from theses where id = $1', [thesis!.id]), { timeout: 20_000 })
        .toEqual([{ status }])

    // It is on the phone of the student, who writes what it is about and registers it.
    await student.go('/my_theses')
    await student.page.getByRole('link', { name: shown }).click()
    await student.page.waitForURL((url) => url.pathname === at)
    await student.look('the own thesis on a phone')
    await student.page.getByRole('link', { name: student.label(['Edit thesis', 'تعديل رسالة']) }).click()
    await student.page.waitForURL(/\/edit\/\d+$/)
    await student.settled()
    await fill(student, student.page.locator('main form'), {
      'English abstract|الملخص بالإنجليزية': 'What the tide of a small harbour can give, measured for a year.',
      'Arabic abstract|الملخص بالعربية': 'ما يعطيه المد في ميناء صغير، مقيسًا في عام.',
    })
    await student.look('an abstract on a phone')
    await student.page.locator('main form button[type="submit"]').first().click()
    await expect
      .poll(() => demo.query('select abstract is not null as has from theses where id = $1', [thesis!.id]))
      .toEqual([{ has: true }])
    await student.go(at)
    await step(student, 'Register', 'تسجيل')
    await stands('registered')

    // The dean records what the council decided; not what it has yet to decide.
    const dean = await Person.open(browser, demo.address, { name: 'dean', lang })
    await signIn(dean, 'employee', 'dean@canopus.example.edu')
    await dean.go(at)
    const decide = async (label: [string, string], number: string, tomorrow?: string) => {
      await dean.button(dean.label(label)).click()
      const asked = dean.page.getByRole('dialog')
      const decision = (day: string) =>
        fill(dean, asked, {
          [dean.say('theses', 'council')]: lang === 'ar' ? 'مجلس الكلية' : 'Faculty council',
          [dean.say('theses', 'session')]: '12',
          [dean.say('theses', 'number')]: number,
          [dean.say('theses', 'decided_on')]: day,
        })
      await decision(tomorrow ?? today)
      if (tomorrow) {
        await dean.refused(409, '/theses/approve/', async () => {
          await dean.button(dean.label(label), asked).click()
          await dean.reads(reason(dean, 'thesis_decision_future'))
        })
        await dean.look('a decision that lies ahead')
        await decision(today)
      }
      await dean.button(dean.label(label), asked).click()
    }
    await decide(['Record the decision', 'تسجيل قرار المجلس'], '4', await days(1))
    await stands('approved')
    await dean.page.getByRole('tab', { name: dean.say('theses', 'decisions') }).click()
    await dean.look('decisions of a council')

    // Most of a year goes by.
    await demo.query(
      `update theses set registered_on = university_today() - 330, approved_on = university_today() - 300,
         due_on = (university_today() - 300 + interval '36 months')::date where id = $1`,
      [thesis!.id],
    )
    await demo.query('update thesis_decisions set decided_on = university_today() - 300 where thesis_id = $1', [
      thesis!.id,
    ])
    const led = (key: string) => supervisor.say('theses', key)
    const open = async (who: Person, tab: string) => {
      await who.go(at)
      await who.page.getByRole('tab', { name: who.say('theses', tab) }).click()
      await who.settled()
    }
    await open(supervisor, 'progress')
    await supervisor.button(led('add_report')).click()
    await fill(supervisor, supervisor.page.getByRole('dialog'), {
      [led('until')]: await days(-100),
      [led('progress_percent')]: '60',
      [led('report')]: 'The measurements of two harbours are there.',
    })
    await supervisor.look('a report of half a year')
    await send(supervisor)
    await supervisor.reads('The measurements of two harbours are there.')
    await supervisor.button(led('add_seminar')).click()
    await fill(supervisor, supervisor.page.getByRole('dialog'), {
      [led('held_on')]: await days(-60),
      [led('subject')]: 'Tides and small turbines',
    })
    await send(supervisor)
    await supervisor.reads('Tides and small turbines')

    // What the bylaw asks for, and the manuscript, from the phone.
    await open(student, 'progress')
    for (const [kind, text] of [
      ['proof_language', 'English test, 92 of 120'],
      ['proof_publication', '10.99999/tides.7'],
    ] as const) {
      await student.button(own('add_proof')).click()
      const dialog = student.page.getByRole('dialog')
      await pick(dialog, own('kind'), own(kind))
      await fill(student, dialog, { [own('proof_what')]: text })
      await dialog.locator('input[type="file"]').setInputFiles(PDF(kind))
      await send(student)
      await student.reads(text)
    }
    await student.look('proofs on a phone')
    await student.page.getByRole('tab', { name: own('manuscript') }).click()
    await student.button(own('add_version')).click()
    const handing = student.page.getByRole('dialog')
    await handing.locator('input[type="file"]').setInputFiles(PDF('manuscript'))
    await handing.getByLabel(own('note')).fill('For the committee')
    await handing.getByLabel(own('own_work')).check()
    await student.look('a manuscript on a phone')
    await student.button(own('hand_in'), handing).click()
    await student.reads(own('version_of', { number: 1 }))

    // The supervisor accepts the proofs, and adds what was found alike.
    await open(supervisor, 'progress')
    for (const left of [1, 0]) {
      await supervisor.button(led('accept')).first().click()
      await expect.poll(() => supervisor.button(led('accept')).count()).toBe(left)
    }
    await supervisor.look('how a thesis goes on')
    await supervisor.page.getByRole('tab', { name: led('manuscript') }).click()
    await supervisor.button(led('add_similarity')).click()
    const alike = supervisor.page.getByRole('dialog')
    await alike.getByLabel(led('similarity')).fill('14.5')
    await alike.locator('input[type="file"]').setInputFiles(PDF('similarity'))
    await supervisor.button(led('save'), alike).click()
    await alike.waitFor({ state: 'detached' })
    await supervisor.reads(/14[.,٫]5/)
    await supervisor.look('a manuscript and its similarity')

    // A committee that the rules refuse, each reason in words.
    const office = await Person.open(browser, demo.address, { name: 'registrar', lang })
    const say = (key: string, values?: Record<string, string | number>) => office.say('theses', key, values)
    await signIn(office, 'employee', 'registrar@canopus.example.edu')
    const join = async (field: 'instructor' | 'examiner', who: Named) => {
      await office.button(say('add_member')).click()
      const dialog = office.page.getByRole('dialog')
      await choose(office, say(field), office.nameOf(who), dialog)
      await send(office)
      await office.reads(office.nameOf(who))
    }
    const schedule = async () => {
      await office.page.getByRole('tab', { name: say('discussion'), exact: true }).click()
      await office.button(say('schedule')).click()
      const dialog = office.page.getByRole('dialog')
      await choose(office, say('room'), office.nameOf(hall), dialog)
      await fill(office, dialog, { [say('day')]: await days(3), [say('from')]: '20:00', [say('until')]: '22:00' })
      return office.button(say('schedule'), dialog)
    }
    await open(office, 'team')
    await join('instructor', junior)
    const refused = await schedule()
    await office.refused(409, '/theses/discussion/', async () => {
      await refused.click()
      // In the dialog: behind it the thesis says what it lacks in the same words.
      for (const one of [
        reason(office, 'thesis_committee_small', { count: 1, least: 3 }),
        reason(office, 'thesis_committee_external', { count: 0, least: 1 }),
        reason(office, 'thesis_committee_rank', junior),
      ])
        await expect.poll(() => office.text(office.page.getByRole('dialog')), { timeout: 20_000 }).toContain(one)
    })
    await office.look('a committee that is refused')
    expect(await demo.query('select from thesis_discussions where thesis_id = $1', [thesis!.id])).toEqual([])

    await open(office, 'team')
    await office.button(say('remove_member', { name: office.nameOf(junior) })).click()
    await office.button(say('remove'), office.page.getByRole('dialog')).click()
    await expect.poll(() => office.text(office.page.locator('main'))).not.toContain(office.nameOf(junior))
    await join('instructor', judge)
    await join('instructor', other)
    await join('examiner', outside)
    await office.look('a committee that may judge')
    await (await schedule()).click()
    await office.reads(office.nameOf(hall))
    await office.look('a discussion is scheduled')

    // It is over; every language has hours of its own.
    const hours = 1 + 2 * LANGUAGES.indexOf(lang)
    await demo.query(
      `with moved as (update thesis_discussions
           set during = tstzrange(now() - make_interval(hours => $2::int + 1), now() - make_interval(hours => $2::int))
           where thesis_id = $1 returning id, during)
       update thesis_discussion_people p set during = moved.during from moved where p.discussion_id = moved.id`,
      [thesis!.id, hours],
    )
    await office.go(at)
    await office.button(office.label(['Record the discussion', 'تسجيل نتيجة المناقشة'])).click()
    const result = office.page.getByRole('dialog')
    await pick(result, say('result'), office.label(['Passed with changes', 'قُبلت مع تعديلات']))
    await fill(office, result, {
      [say('changes_due')]: await days(30),
      [say('minutes')]: 'The committee asks for the tides of a third harbour.',
    })
    await office.look('a result with changes')
    await office.button(office.label(['Record the discussion', 'تسجيل نتيجة المناقشة']), result).click()
    await stands('discussed')

    // Not granted before the changes are done.
    await dean.go(at)
    await dean.reads(reason(dean, 'thesis_changes_open'))
    await dean.look('changes are open')
    await open(supervisor, 'discussion')
    await supervisor.button(led('confirm_changes')).click()
    await fill(supervisor, supervisor.page.getByRole('dialog'), { [led('done_on')]: today })
    await supervisor.button(led('confirm_changes'), supervisor.page.getByRole('dialog')).click()
    await supervisor.reads(led('changes_done'))
    await supervisor.look('changes are confirmed')
    await dean.go(at)
    await decide(['Grant the degree', 'منح الدرجة'], '31')
    await stands('granted')
    await dean.look('a degree is granted')

    // Graduation waits as work.
    const [granted] = await demo.query<{ n: number }>(
      `select count(*)::int as n from theses t join students s on s.id = t.student_id where t.status = 'granted' and s.status = 'studying'
         and t.removed_at is null`,
    )
    await office.go('/home')
    await office.reads(say('work_graduate', { count: granted!.n }))
    await office.look('graduation waits')

    await open(office, 'papers')
    await office.button(say('deposit')).click()
    const depositing = office.page.getByRole('dialog')
    await pick(depositing, say('licence'), 'CC BY 4.0')
    await office.look('a thesis is deposited')
    await office.button(say('deposit'), depositing).click()
    await office.reads(/\/repository\/\d{4}-\d{6}/)
    await office.look('a thesis in the repository')
    await office.page.getByRole('tab', { name: say('history') }).click()
    await office.look('steps of a thesis')
    const [deposit] = await demo.query<{ handle: string }>('select handle from thesis_deposits where thesis_id = $1', [
      thesis!.id,
    ])

    // Anybody finds it, on a phone and without an account.
    const reader = await Person.open(browser, demo.address, { name: 'reader', lang, width: 390 })
    await reader.go('/repository')
    const agree = reader.button(reader.say('kit', 'cookie_accept'))
    if (await agree.isVisible()) await agree.click()
    await reader.page
      .getByRole('textbox', { name: reader.say('theses', 'search') })
      .fill(lang === 'ar' ? 'صغيرة' : 'harbours')
    await reader.button(reader.say('theses', 'search')).click()
    await reader.look('a search in the repository')
    await reader.page.getByRole('link', { name: shown }).click()
    await reader.page.waitForURL((url) => url.pathname === `/repository/${deposit!.handle}`)
    await reader.reads(title.name, title.name_local, reader.nameOf(writer), reader.nameOf(leads))
    await reader.look('a thesis for everybody')
    const file = await fetch(`${demo.address}/api/repository/${deposit!.handle}/file`)
    expect([file.status, (await file.text()).slice(0, 5)]).toEqual([200, '%PDF-'])

    // And libraries collect it.
    const list = await harvest('verb=ListRecords&metadataPrefix=oai_dc')
    const found = list.split('<record>').filter((one) => one.includes(title.name))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(title.name_local)
    const identifier = /<identifier>([^<]+)<\/identifier>/.exec(found[0] ?? '')?.[1] ?? ''
    expect(identifier).toMatch(new RegExp(`^oai:[^:]+:${deposit!.handle}$`))
    const one = await harvest(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${encodeURIComponent(identifier)}`)
    expect(one).toContain(`${title.name}</dc:title>`)
    for (const who of [supervisor, student, dean, office, reader]) await who.leave()
  }, 600_000)
})

/** What the repository answers who collects. */
async function harvest(asked: string): Promise<string> {
  const answer = await fetch(`${demo.address}/api/oai?${asked}`)
  expect(answer.status).toBe(200)
  return answer.text()
}

/** A reason as a person reads it, its figures filled in; in other languages than two, how it begins. */
function reason(person: Person, code: string, values: object = {}): string {
  const label = thesisErrors[code]!
  if (person.lang !== 'en' && person.lang !== 'ar') return person.refusal('theses', code, label)
  return label[person.lang === 'ar' ? 1 : 0].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name as keyof typeof values]),
  )
}

/** Fills in fields by their labels; `English|Arabic` where a label is a field's own. */
async function fill(person: Person, within: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(fields)) {
    const [en, ar] = key.split('|')
    await within
      .getByRole('textbox', { name: ar ? person.label([en!, ar]) : en! })
      .first()
      .fill(value)
  }
}

/** Chooses one of a few, which lie open or in a list. */
async function pick(within: Locator, field: string, option: string): Promise<void> {
  const group = within.getByRole('radiogroup', { name: field })
  const box = within.getByRole('combobox', { name: field }).or(within.getByRole('textbox', { name: field }))
  await group.or(box).first().waitFor()
  if (await group.count()) return group.getByText(option, { exact: true }).click()
  await box.first().click()
  await within.page().getByRole('option', { name: option, exact: true }).click()
}

/** Chooses an option by typing. */
async function choose(person: Person, field: string, text: string, within: Locator = person.page.locator('main')) {
  const box = within.getByLabel(field).first()
  await box.click()
  await box.fill(text)
  await person.page.getByRole('option', { name: text }).first().click()
}

/** Presses what a dialog is sent with, and waits until it is gone. */
async function send(person: Person): Promise<void> {
  const dialog = person.page.getByRole('dialog')
  await dialog.locator('button[type="submit"]').click()
  await dialog.waitFor({ state: 'detached' })
  await person.settled()
}

/** Takes a step, and agrees where it asks. */
async function step(person: Person, en: string, ar: string): Promise<void> {
  const button = person.button(person.label([en, ar]))
  await button.click()
  const asked = person.button(person.label([en, ar]), person.page.getByRole('dialog'))
  await expect.poll(async () => (await asked.isVisible()) || !(await button.isVisible())).toBe(true)
  if (await asked.isVisible()) await asked.click()
  await person.settled()
}
