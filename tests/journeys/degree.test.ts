/** A student's way to a degree: placed, specialised, moved to another program with equivalence, and how far graduation is. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
    readTexts('kit', 'kit-screens', 'placement-tests', 'degree-audit', 'specializations', 'transfers'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  if (demo) await expectSound(demo.url)
  await demo?.close()
})

interface Plan {
  data: { program: { id: number }; complete: boolean; hours: { earned: number } }
}
/** The window of the demo university in which wishes are entered now. */
const WINDOW = 4

test.each(langsOf('en'))('from placement to graduation, %s', { timeout: 360_000 }, async (lang) => {
  // Of the general program, with the best right to the first wish, whose results are all out.
  const [student] = await demo.query<{ id: number; code: string; email: string }>(
    `select s.id, s.code, s.email from students s join programs p on p.id = s.program_id and p.code = 'GEN'
     where not exists (select from specialization_preferences x where x.student_id = s.id and x.specialization_time_id <> $1)
       and not exists (select from placement_results r where r.student_id = s.id)
       and not exists (select from student_holds h where h.student_id = s.id) and not s.missing_documents
       and not exists (select from registrations r join offerings o on o.id = r.offering_id
         join current_terms k on k.key = 'current_term' and k.term_id <> r.term_id
         where r.student_id = s.id and o.control_status not in ('Published', 'Frozen'))
     order by s.gpa desc limit 1`,
    [WINDOW],
  )
  const { id, code, email } = student!
  await demo.query('delete from specialization_preferences where student_id = $1', [id])
  const who = email.split('@')[0]!

  // The registrar brings results by sheet: a code that nobody has is told, left out, and the rest is stored.
  const registrar = await Person.open(browser, demo.address, { name: 'degree', lang })
  const { page } = registrar
  await signIn(registrar, 'employee', 'registrar@canopus.example.edu')
  await registrar.go('/settings/placement_test/import/1')
  await page.locator('input[type="file"]').setInputFiles({
    name: 'results.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Code,Mark\n${code},72\nNOBODY,40\n`),
  })
  await registrar.reads(
    'NOBODY',
    registrar.refusal('placement-tests', 'placement_student_unknown', [
      'No student has the code {code}.',
      'لا يوجد طالب بالكود {code}.',
    ]),
  )
  await registrar.look('a sheet of placement results')
  await page
    .getByRole('row')
    .filter({ hasText: 'NOBODY' })
    .getByRole('button', { name: registrar.say('kit-screens', 'import_leave_out') })
    .first()
    .click()
  await registrar.settled()
  await page
    .getByRole('button', { name: new RegExp(registrar.say('kit-screens', 'import_save', { count: 1 })) })
    .click()
  await registrar.reads(registrar.say('placement-tests', 'stored_count', { count: 1 }))
  await registrar.go(`/students/${id}`)
  await registrar.reads(registrar.say('placement-tests', 'placements'))
  await registrar.look('placed')
  await registrar.leave()

  // The student sees what is missing, and puts programs in order on a phone: by thumb, and by the keyboard.
  const phone = await Person.open(browser, demo.address, { name: 'degree student', lang, width: 390 })
  await signIn(phone, 'student', email)
  await phone.go('/student-academic?tab=plan')
  expect((await demo.read<Plan>(who, '/students/study-plan')).data.complete).toBe(false)
  await phone.reads(phone.say('degree-audit', 'state_missing'))
  await phone.look('what is missing')
  await phone.go('/specialization')
  const offers = await demo.query<{ id: number; name: string; name_local: string; program_id: number }>(
    `select z.id, z.name, z.name_local, z.program_id from specialization_seats e join specializations z on z.id = e.specialization_id
     where e.specialization_time_id = $1 order by e.position`,
    [WINDOW],
  )
  const say = (key: string, values?: Record<string, string | number>) => phone.say('specializations', key, values)
  for (const offer of offers) await phone.button(say('wish_add', { name: phone.nameOf(offer) })).tap()
  const [first, second, third] = offers.map((one) => phone.nameOf(one))
  await phone.button(say('wish_up', { name: third! })).tap()
  await phone.button(say('order_handle', { name: first! })).press('ArrowDown')
  const list = phone.page.getByRole('list', { name: say('wishes') })
  await expect
    .poll(async () => (await list.getByRole('listitem').locator('strong').allInnerTexts()).map((one) => one.trim()))
    .toEqual([third, first, second])
  await phone.look('wishes in order')
  await phone.button(say('save_wishes')).tap()
  await phone.reads(say('wishes_saved'))

  // The window is over: the registrar distributes, the dean confirms, the student sees what became of each wish.
  await demo.query('update specialization_times set end_date = university_today() - 1 where id = $1', [WINDOW])
  const office = await Person.open(browser, demo.address, { name: 'degree office', lang })
  await signIn(office, 'employee', 'registrar@canopus.example.edu')
  await office.go(`/specializations_time/show/${WINDOW}`)
  const dialog = office.page.getByRole('dialog')
  const distribute = office.label(['Distribute', 'توزيع'])
  await office.button(distribute).click()
  await office.button(distribute, dialog).click()
  await dialog.waitFor({ state: 'detached' })
  await office.reads(office.label(['Distributed', 'تم التوزيع']))
  await office.look('distributed')
  await demo.send('dean', 'POST', `/specialization-time/confirm/${WINDOW}`, {})
  await phone.go('/specialization')
  await phone.reads(say('outcome_given'))
  await phone.look('given')
  const [given] = await demo.query<{ program_id: number }>('select program_id from students where id = $1', [id])
  expect(offers.map((one) => one.program_id)).toContain(given!.program_id)

  // The student thinks better of it and moves; what was passed counts there as it was decided.
  const other = offers.find((one) => one.program_id !== given!.program_id)!
  const asked = await demo.send<{ data: { id: number } }>(who, 'POST', `/transfer/internal/${id}/add`, {
    program_id: other.program_id,
    why: 'The other program fits my training better.',
  })
  await office.go(`/students/edit/${id}/transfer/${asked.data.id}`)
  await office.look('equivalence')
  await office.button(office.say('transfers', 'decide')).click()
  await office.page.waitForURL(`**/students/${id}/transfer/${asked.data.id}`)
  for (const step of ['agree', '']) {
    const path = `/transfer/internal/${asked.data.id}${step && `/${step}`}`
    await demo.send('registrar', 'PUT', path, {})
  }
  const [moved] = await demo.query<{ program_id: number }>('select program_id from students where id = $1', [id])
  expect(moved).toEqual({ program_id: other.program_id })
  await office.leave()

  // How far graduation is: what was passed counts in the new program, and what is missing there is named.
  const [program] = await demo.query<{ name: string; name_local: string }>(
    'select name, name_local from programs where id = $1',
    [other.program_id],
  )
  const there = await demo.read<Plan>(who, '/students/study-plan')
  expect(there.data).toMatchObject({ program: { id: other.program_id }, complete: false })
  expect(there.data.hours.earned).toBeGreaterThan(0)
  await phone.go('/student-academic?tab=plan')
  await phone.reads(phone.nameOf(program!), phone.say('degree-audit', 'state_missing'))
  await phone.look('the plan of the new program')
  await phone.leave()
})
