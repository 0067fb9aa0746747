/**
 * A rotation as it is lived on two phones: the intern writes the logbook on the ward without a line, the supervisor confirms by PIN
 * and by code and marks, control publishes the marks, and the year ends with a certificate.
 */
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { textOfPdf } from './pdf.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(),
    readTexts('kit', 'kit-screens', 'kit-waiting', 'internship', 'logbook'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

const PIN = '408153'
const row = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row> => {
  const [first] = await demo.query<Row>(text, values)
  if (!first) throw new Error(text)
  return first
}
interface Placed {
  readonly intern_id: number
  readonly student_id: number
  readonly email: string
  readonly name: string
  readonly name_local: string
  readonly supervisor: string
  readonly supervisor_name: string
  readonly supervisor_name_local: string
  readonly rotation_id: number
  readonly offering_id: number
  readonly faculty_id: number
  readonly dean: string
}

/** A graduate whose year has one rotation, which ends today. */
async function placed(): Promise<Placed> {
  const training = await row<{
    id: number
    year_id: number
    faculty_id: number
    supervisor: string
    supervisor_name: string
    supervisor_name_local: string
    from: string
  }>(
    `select t.id, t.year_id, y.faculty_id, u.email as supervisor, i.name as supervisor_name, coalesce(i.name_local, i.name) as supervisor_name_local,
       (university_today() - 27)::text as from
     from emtyaz_trainings t join emtyaz_years y on y.id = t.year_id and y.code = 'EMT-MAN' join emtyaz_training_instructors m on m.training_id = t.id
       join instructors i on i.id = m.instructor_id join users u on u.id = i.user_id and u.blocked_at is null
     where exists (select from role_assignments a join roles r on r.id = a.role_id and r.key = 'instructor' where a.user_id = u.id)
     order by t.id limit 1`,
  )
  const { email: dean } = await row<{ email: string }>(
    `select u.email from role_assignments a join roles r on r.id = a.role_id and r.key = 'dean' join users u on u.id = a.user_id
     join instructors i on i.user_id = u.id and i.faculty_id = $1 order by u.id limit 1`,
    [training.faculty_id],
  )
  const who = await row<{ id: number; email: string; name: string; name_local: string }>(
    `select s.id, u.email, s.name, s.name_local from students s join users u on u.id = s.user_id and u.blocked_at is null
     where s.faculty_id = $1 and s.removed_at is null and s.status in ('graduated', 'studying') and not exists (select from emtyaz_interns i where i.student_id = s.id)
     order by s.status = 'studying', s.id limit 1`,
    [training.faculty_id],
  )
  await demo.query(
    `select decide_status(array[id], 'graduated', 'Graduated before', university_today(), 'earlier') from students where id = $1 and status <> 'graduated'`,
    [who.id],
  )
  const intern = await demo.send<{ data: { id: number } }>('registrar', 'PUT', '/emtyaz-interns', {
    year_id: training.year_id,
    student_id: who.id,
    joined_on: training.from,
  })
  const { data } = await demo.send<{ data: { done: number[]; failed: unknown[] } }>(
    'registrar',
    'PUT',
    '/emtyaz/course/add_emtyaz',
    {
      rotations: [{ student_id: who.id, training_id: training.id, starts_on: training.from }],
    },
  )
  expect(data.failed).toEqual([])
  await demo.send('registrar', 'PUT', '/emtyaz/course/accept_emtyaz', { ids: data.done })
  const { offering_id } = await row<{ offering_id: number }>(`select offering_id from emtyaz_rotations where id = $1`, [
    data.done[0],
  ])
  const { id: student_id, ...names } = who
  const { supervisor, supervisor_name, supervisor_name_local, faculty_id } = training
  return {
    ...names,
    dean,
    student_id,
    supervisor,
    supervisor_name,
    supervisor_name_local,
    faculty_id,
    intern_id: intern.data.id,
    rotation_id: data.done[0]!,
    offering_id,
  }
}

const KEEPS_FORMS = `caches.keys().then(async (names) => {
  const all = await Promise.all(names.map((name) => caches.open(name).then((one) => one.keys())))
  return all.flat().some(({ url }) => url.includes('text-kit-forms'))
})`
const ready = (person: Person) =>
  person.page.evaluate(`navigator.serviceWorker.ready.then(() => new Promise((go) => {
    if (navigator.serviceWorker.controller) go(); else navigator.serviceWorker.addEventListener('controllerchange', go)
  }))`)
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
/** Chooses one of few, which stand there, or of many, which a list shows. */
async function pick(within: Locator, label: string, text: string): Promise<void> {
  const there = within.getByRole('radio', { name: text, exact: true })
  if (await there.count()) return within.getByText(text, { exact: true }).first().click()
  await within.getByLabel(label).first().click()
  await within.page().getByRole('option', { name: text }).first().click()
}

describe.each(langsOf('ar'))('an intern and a supervisor on phones, %s', (lang) => {
  test('a logbook without a line, confirmed by PIN and by code; marks, control, certificate', async () => {
    const of = await placed()
    const phone = await Person.open(browser, demo.address, { name: 'intern', lang, width: 390, worker: true })
    const { page } = phone
    const say = (key: string, values?: Record<string, string | number>) => phone.say('logbook', key, values)
    const dialog = page.getByRole('dialog')
    await signIn(phone, 'student', of.email)
    await ready(phone)
    await phone.go('/emtyaz/logbook')
    await phone.look('an empty logbook')
    // What forms say is kept on the phone, before one of them was opened.
    await expect.poll(() => page.evaluate(KEEPS_FORMS), { timeout: 60_000 }).toBe(true)

    // The supervisor has a PIN.
    const chief = await Person.open(browser, demo.address, { name: 'supervisor', lang, width: 390 })
    await signIn(chief, 'instructor', of.supervisor)
    await chief.go('/emtyaz/logbooks')
    await chief.button(say('my_pin')).click()
    await chief.page.getByLabel(say('pin_new'), { exact: true }).fill(PIN)
    await chief.look('the PIN of a supervisor')
    await chief.button(say('keep'), chief.page.getByRole('dialog')).click()
    await chief.page.getByRole('dialog').waitFor({ state: 'detached' })

    // On the ward there is no line: four entries, one of them confirmed on the spot.
    await phone.line(false)
    await page.reload()
    await page.getByText(say('my_logbook')).first().waitFor()
    const roles = {
      done: phone.label(['Done', 'أداء']),
      assisted: phone.label(['Assisted', 'مساعدة']),
      observed: phone.label(['Observed', 'مشاهدة']),
    }
    const add = async (role: keyof typeof roles, note: string, by = false) => {
      await phone.button(say('add_entry')).click()
      await dialog.getByLabel(say('note')).waitFor()
      await pick(dialog, say('what'), phone.label(['Round of the quality office', 'جولة مكتب الجودة']))
      await pick(dialog, say('role'), roles[role])
      await dialog.getByLabel(say('note')).fill(note)
      if (by) {
        await pick(dialog, say('confirmed_here'), lang === 'ar' ? of.supervisor_name_local : of.supervisor_name)
        await dialog.getByLabel(say('pin'), { exact: true }).fill(PIN)
        await phone.look('an entry with the PIN of the supervisor')
      }
      await phone.button(say('keep'), dialog).click()
    }
    // By whom the patient was called is refused while there is no line, too.
    await add('done', 'Patient: Ahmed Mahmoud Hassan, bed 12')
    await expect.poll(() => dialog.isVisible()).toBe(true)
    await phone.look('a patient is named')
    await dialog.getByLabel(say('note')).fill('Looked at hand hygiene on the ward.')
    await phone.button(say('keep'), dialog).click()
    await dialog.waitFor({ state: 'detached' })
    await add('done', 'Audited ten files.', true)
    await dialog.waitFor({ state: 'detached' })
    await add('assisted', 'Helped with the report.')
    await dialog.waitFor({ state: 'detached' })
    await add('observed', 'Watched the first round.')
    await dialog.waitFor({ state: 'detached' })
    await phone.reads(say('on_phone_text', { count: '4' }))
    await phone.look('entries that wait for a line')
    const entries = () =>
      demo.query<{ uuid: string; role: string; status: string; confirmed_how: string | null }>(
        `select uuid, role, status, confirmed_how from logbook_entries where rotation_id = $1 order by phone_at`,
        [of.rotation_id],
      )
    expect(await entries()).toEqual([])
    await phone.line(true)
    // They are stored at once; the PIN is looked at after that.
    await expect
      .poll(async () => (await entries()).map(({ role, status, confirmed_how }) => [role, status, confirmed_how]), {
        timeout: 60_000,
      })
      .toEqual([
        ['done', 'entered', null],
        ['done', 'confirmed', 'pin'],
        ['assisted', 'entered', null],
        ['observed', 'entered', null],
      ])

    // By code: shown on one phone, opened by the other.
    await phone.go('/emtyaz/logbook')
    const [first] = await entries()
    await phone.button(say('show_code')).last().click()
    await page.getByRole('img', { name: say('code_label') }).waitFor()
    await phone.look('the code of an entry')
    await chief.go(`/emtyaz/logbook/confirm/${first!.uuid}`)
    await chief.look('an entry is confirmed by its code')
    await chief.button(say('confirm')).click()
    await expect.poll(async () => (await entries())[0]!.confirmed_how, { timeout: 20_000 }).toBe('code')
    await phone.reads(say('is_confirmed'))
    await page.keyboard.press('Escape')
    // The rest from the list.
    for (let n = 2; n < 4; n++) {
      await chief.go(`/emtyaz/logbook/confirm/${(await entries())[n]!.uuid}`)
      await chief.button(say('confirm')).click()
      await expect.poll(async () => (await entries())[n]!.status, { timeout: 20_000 }).toBe('confirmed')
    }
    await phone.go('/emtyaz/logbook')
    await phone.look('a logbook that is full')

    // Marks, on the phone.
    await chief.go(`/emtyaz/offerings/${of.offering_id}`)
    for (const [column, mark] of ['34', '36.5', '19'].entries()) {
      const cell = chief.page.locator(`[data-c="${column}"][data-r="0"]`)
      await cell.tap()
      await cell.getByRole('textbox').fill(mark)
      await chief.page.keyboard.press('Enter')
      await chief.page.keyboard.press('Escape')
    }
    await chief.look('marks on a phone')
    await chief.button(chief.say('kit-screens', 'save'), chief.page.locator('[data-save-bar]')).tap()
    const mark = async () =>
      (await row<{ mark: string | null }>(`select mark::text from emtyaz_rotations where id = $1`, [of.rotation_id]))
        .mark
    await expect.poll(mark, { timeout: 20_000 }).toBe('89.50')
    await chief.go(`/emtyaz/offerings/${of.offering_id}`)
    await step(chief, 'Submit', 'تسليم')
    await chief.look('submitted marks on a phone')

    // The office reviews, the dean approves and publishes.
    const office = await Person.open(browser, demo.address, { name: 'office', lang })
    await signIn(office, 'employee', 'registrar@canopus.example.edu')
    await office.go(`/emtyaz/offerings/${of.offering_id}`)
    await step(office, 'Review', 'مراجعة')
    const head = await Person.open(browser, demo.address, { name: 'dean', lang })
    await signIn(head, 'instructor', of.dean)
    await head.go(`/emtyaz/offerings/${of.offering_id}`)
    await step(head, 'Approve', 'اعتماد')
    await step(head, 'Publish', 'إعلان')
    await head.look('published marks')

    // The intern reads the mark; the office ends the year, and issues the certificate.
    await phone.go(`/emtyaz/registration/${of.intern_id}`)
    await phone.reads(/89\.5|٨٩[٫.]٥/, phone.say('internship', 'met'))
    await phone.look('a year with everything done')
    await office.go(`/emtyaz/registration/${of.intern_id}`)
    await office.reads(office.say('internship', 'nothing_missing'))
    await office.button(office.say('internship', 'complete')).click()
    await office.button(office.say('internship', 'complete'), office.page.getByRole('dialog')).click()
    await office.page.getByRole('dialog').waitFor({ state: 'detached' })
    await office.settled()
    await office.look('a completed year')
    const paper = await office.download(() =>
      office.button(office.say('internship', lang === 'ar' ? 'certificate_ar' : 'certificate_en')).click(),
    )
    expect(paper.content.subarray(0, 5).toString()).toBe('%PDF-')
    const text = await textOfPdf(paper.content)
    if (text !== null && lang === 'en') expect(text).toContain(of.name)
    await phone.go(`/emtyaz/registration/${of.intern_id}`)
    await phone.look('a completed year on a phone')
    for (const person of [phone, chief, head, office]) await person.leave()
  }, 400_000)
})
