/**
 * From an application that was sent in to a student in the first term: sent back and mended on a phone, the exam paid by number, its result by
 * sheet, the distribution previewed, proven and confirmed, the seat paid, the account opened by mail, the first courses registered. Shorter: a PhD.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'
import { applicantFlow } from '#areas/admission/applicants/applicant/flow.contract.ts'
import { distributionFlow } from '#areas/admission/distribution/runs/run.contract.ts'
import { openPaymentSimulator } from '#demo/payment-simulator.ts'
import type { PaymentSimulator } from '#demo/simulated-payment.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { openMailServer } from '../mail-server.ts'
import type { MailServer } from '../mail-server.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import type { Lang } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let simulator: PaymentSimulator
let mail: MailServer
let demo: DemoWorld
beforeAll(async () => {
  ;[simulator, mail] = await Promise.all([openPaymentSimulator(), openMailServer()])
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo({ ...simulator.variables, SMTP_URL: mail.url }),
    readTexts('kit', 'kit-screens', 'applicants', 'admission-payments', 'distribution', 'entrance-exams', 'kit-pay'),
  ])
  simulator.callBack(demo.address)
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await Promise.all([simulator?.close(), mail?.stop()])
})

const one = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row> => {
  const [row] = await demo.query<Row>(text, values)
  if (!row) throw new Error(`There is none: ${text.slice(0, 120)}`)
  return row
}
const PASSWORD = 'seven quiet rivers'
const statusOf = async (id: number) =>
  (await one<{ status: string }>('select status from applicants where id = $1', [id])).status
const labelOf = (person: Person, action: keyof typeof applicantFlow.actions) =>
  person.label(applicantFlow.actions[action].label)

/** Takes a step on the page of an application, which stands as a button or in the menu. */
async function step(officer: Person, label: string, reason?: string): Promise<void> {
  const { page } = officer
  const dialog = page.getByRole('dialog')
  await officer.settled()
  if (await officer.button(label).first().isVisible()) await officer.button(label).first().click()
  else {
    await officer.button(officer.say('kit', 'more_actions')).click()
    await page.getByRole('menuitem', { name: label, exact: true }).click()
  }
  await dialog.waitFor()
  if (reason) await dialog.getByRole('textbox').fill(reason)
  await officer.button(label, dialog).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Signs in as whoever was accepted, by the link of the mail. */
async function firstSignIn(me: Person, email: string): Promise<void> {
  const { page } = me
  // The last mail to the address is the invitation.
  let link = ''
  await expect
    .poll(
      async () => {
        link = /https?:\/\/\S+reset-password-v1\?token=[\w-]+/.exec((await mail.mailTo(email)).text ?? '')?.[0] ?? ''
        return link
      },
      { timeout: 60_000 },
    )
    .not.toBe('')
  const { pathname, search } = new URL(link)
  await me.go(`${pathname}${search}`)
  await page.getByLabel(me.say('kit', 'new_password'), { exact: true }).fill(PASSWORD)
  await page.getByLabel(me.say('kit', 'repeat_password'), { exact: true }).fill(PASSWORD)
  await me.button(me.say('kit', 'set_password')).click()
  await page.waitForURL(/\/login/)
  await page.getByLabel(me.say('kit', 'email')).fill(email)
  await page.getByLabel(me.say('kit', 'password'), { exact: true }).fill(PASSWORD)
  await me.button(me.say('kit', 'sign_in')).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login') && !url.pathname.startsWith('/pages'))
}

/** The clock: what providers said is booked, fees lead on, seats are offered, who has taken one up is accepted. */
const clock = async (...jobs: readonly string[]) => {
  for (const job of jobs) await demo.job(job)
}

const orderOf = async (id: number): Promise<string> =>
  (
    await one<{ order_number: string }>(
      `select c.order_number from provider_charges c join transactions t on t.id = c.transaction_id join payers p on p.id = t.payer_id
       where p.applicant_id = $1 and t.status = 'pending' and c.order_number is not null order by c.id desc limit 1`,
      [id],
    )
  ).order_number

interface Applied {
  id: number
  key: string
  code: string
  email: string
}
/** An application that was sent in with everything that is asked, as the form writes it. */
async function applied(
  admission: number,
  program: number,
  lang: Lang,
  more: Record<string, string | number>,
): Promise<Applied> {
  const { token: key } = newToken()
  const n = Object.keys(more).length + admission
  const columns: Record<string, unknown> = {
    code: `J-${admission}-${program}-${more.national_id}`,
    admission_id: admission,
    status: 'SUBMITTED',
    email: `journey-${more.national_id}@example.com`,
    language: lang,
    key_hash: hashToken(key),
    nationality_id: 64,
    gender: 2,
    birth_date: '2005-12-31',
    birth_community_id: null,
    phone: `+2010012345${String(n).padStart(2, '0')}`,
    country_id: 64,
    address: '1 Corniche',
    father_name: 'Ali',
    mother_name: 'Huda',
    declared: '[]',
    declared_at: new Date(),
    submitted_at: new Date(),
    ...more,
  }
  const names = Object.keys(columns)
  const { id, code, email } = await one<{ id: number; code: string; email: string }>(
    `insert into applicants (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id, code, email`,
    Object.values(columns),
  )
  await demo.query('insert into applicant_preferences (applicant_id, position, program_id) values ($1, 0, $2)', [
    id,
    program,
  ])
  return { id, key, code, email }
}
const admissionOf = async (type: number, more: string, code: string, program: number): Promise<number> => {
  const { id } = await one<{ id: number }>(
    `insert into admissions (code, name, name_local, applicant_type, term_id, opens_at, closes_at, results_at, max_preferences, weight_percentage, weight_exam, has_exam, min_exam)
     select $1, $1, $1, $2, t.id, now() - interval '5 days', now() + interval '5 days', null, 3, ${more}
     from terms t where t.id = (select term_id from current_terms where key = 'current_term') returning id`,
    [code, type],
  )
  await demo.query(
    `insert into admission_programs (code, admission_id, program_id, capacity, is_open) values ($3, $1, $2, 1, true)`,
    [id, program, `${code}-1`],
  )
  await demo.query(
    `insert into admission_declarations (admission_id, position, text, text_local) values ($1, 0, 'It is true.', 'البيانات صحيحة.')`,
    [id],
  )
  return id
}
const close = (admission: number) =>
  demo.query(`update admissions set closes_at = now() - interval '1 second' where id = $1`, [admission])

/** The officer distributes an admission that has closed, and confirms what is proven. */
async function distribute(officer: Person, screen: string): Promise<number> {
  const { page } = officer
  await officer.go(screen)
  await officer.look('before the distribution')
  await officer.button(officer.say('distribution', 'distribute')).click()
  await page.waitForURL('**/distribution-runs/*', { timeout: 90_000 })
  await officer.look('after the distribution')
  const run = Number(/distribution-runs\/(\d+)/.exec(page.url())![1])
  expect(await one('select blocking_pairs from distribution_runs where id = $1', [run])).toEqual({ blocking_pairs: 0 })
  await step(officer, officer.label(distributionFlow.actions.confirm.label))
  await expect
    .poll(
      async () => (await one<{ status: string }>('select status from distribution_runs where id = $1', [run])).status,
      {
        timeout: 60_000,
      },
    )
    .toBe('confirmed')
  return run
}

test('an application becomes a student who attends the first term, ar', { timeout: 720_000 }, async () => {
  const lang = 'ar'
  const { id: program } = await one<{ id: number }>(
    `select p.id from programs p join bylaws b on b.id = p.bylaw_id where b.program_type = 'annual' and exists (select from program_courses c
       join offerings o on o.course_id = c.course_id and o.removed_at is null
         and o.term_id = (select term_id from current_terms where key = 'current_term') where c.program_id = p.id and c.level = 1) order by p.id limit 1`,
  )
  const admission = await admissionOf(1, `60, 40, true, 50`, 'JOURNEY', program)
  for (const [position, [fee, amount]] of [['exam', 30_000] as const, ['final', 500_000] as const].entries())
    await demo.query(
      `insert into admission_fees (admission_id, position, fee, asked_of, currency, amount) values ($1, $2, $3, 'all', 'EGP', $4)`,
      [admission, position, fee, amount],
    )
  const school = {
    certificate_type_id: 1,
    certificate_year: 2024,
    certificate_school: 'A school',
    certificate_total: 300,
    percentage: '93.75',
  }
  const mona = await applied(admission, program, lang, {
    ...school,
    name: 'Mona Ali Hassan',
    name_local: 'منى علي حسن',
    national_id: '30512310112345',
  })
  await demo.query(
    `insert into applicant_subjects (applicant_id, position, certificate_subject_id, mark)
     select $1, row_number() over (order by s.position) - 1, s.certificate_subject_id, case when row_number() over (order by s.position) = 1 then 76 else 56 end
     from certificate_type_subjects s where s.certificate_type_id = 1 and s.is_counted`,
    [mona.id],
  )
  // Who competes for the only seat, with a lower result.
  const huda = await applied(admission, program, lang, {
    ...school,
    status: 'DISTRIBUATION_REQUIRED',
    exam_result: 55,
    name: 'Huda Samir',
    name_local: 'هدى سمير',
    national_id: '30512310112361',
  })

  const officer = await Person.open(browser, demo.address, { name: 'admission', lang, width: 1366 })
  await signIn(officer, 'employee', 'admission@canopus.example.edu')
  await officer.go(`/applicants/${mona.id}`)
  await officer.page.getByLabel(officer.say('applicants', 'comment'), { exact: true }).fill('العنوان ناقص.')
  const tab = officer.page.getByRole('combobox', { name: officer.say('applicants', 'about_page'), exact: true })
  await tab.click()
  await officer.page.getByRole('option', { name: 'بيانات الاتصال' }).click()
  await officer.button(officer.say('applicants', 'add_comment')).click()
  await officer.reads('العنوان ناقص.')
  await step(officer, labelOf(officer, 'send_back'))
  expect(await statusOf(mona.id)).toBe('FEEDBACK')

  const me = await Person.open(browser, demo.publicAddress, { name: 'applicant', lang, width: 390, height: 844 })
  const { page } = me
  const form = (at: string) => `/applicants/edit/1/${mona.id}/${mona.key}/${at}`
  await me.go(form('contact_info'))
  const agree = me.button(me.say('kit', 'cookie_accept'))
  if (await agree.isVisible()) await agree.click()
  await me.reads('العنوان ناقص.')
  await me.look('sent back')
  const field = page.locator('[name="address"]')
  await Promise.all([
    page.waitForResponse(
      (answer) => answer.request().method() === 'POST' && answer.url().includes('/api/admission/') && answer.ok(),
    ),
    field.fill('12 شارع الكورنيش، الإسكندرية').then(() => field.blur()),
  ])
  await me.go(form('read_over'))
  await me.reads('12 شارع الكورنيش، الإسكندرية')
  await me.button(me.say('applicants', 'send_again')).click()
  await page.waitForURL('**/apply/*/success*')
  expect(await statusOf(mona.id)).toBe('UPDATED')

  await officer.go(`/applicants/${mona.id}`)
  expect(await one('select address from applicants where id = $1', [mona.id])).toEqual({
    address: '12 شارع الكورنيش، الإسكندرية',
  })
  await step(officer, labelOf(officer, 'review'))
  await officer.go(`/applicants/${mona.id}`)
  await step(officer, labelOf(officer, 'ask_exam_fee'))
  expect(await statusOf(mona.id)).toBe('EXAM_FEES_REQUIRED')

  /** Pays what is open by a reference number, somewhere in town. */
  const payByNumber = async (look: string, ...leadsTo: readonly string[]) => {
    await me.go(form('payment'))
    await me.button(me.say('kit-pay', 'pay_mobile')).click()
    await me.reads(me.say('kit-pay', 'number_text'))
    await me.look(look)
    await simulator.act(await orderOf(mona.id), 'pay')
    await expect
      .poll(
        async () => {
          await clock('settle-provider-events', 'applicant-fees')
          return leadsTo.includes(await statusOf(mona.id))
        },
        { timeout: 60_000 },
      )
      .toBe(true)
  }
  await payByNumber('the exam is paid by a number', 'exam required')

  await officer.go(`/entrance_exams/results/${admission}`)
  await officer.page.locator('input[type=file]').setInputFiles({
    name: 'results.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Number,Result\n${mona.code},88\n`),
  })
  await officer.button(officer.say('kit-screens', 'import_save', { count: 1 })).waitFor()
  await officer.look('results by sheet')
  await officer.button(officer.say('kit-screens', 'import_save', { count: 1 })).click()
  await expect.poll(() => statusOf(mona.id), { timeout: 30_000 }).toBe('DISTRIBUATION_REQUIRED')

  await close(admission)
  const run = await distribute(officer, '/distribution_applicants')
  const file = await officer.download(async () => {
    await officer.button(officer.say('kit', 'more_actions')).click()
    await officer.page.getByRole('menuitem', { name: officer.say('distribution', 'file_result') }).click()
  })
  expect(JSON.parse(file.content.toString())).toEqual({ assignment: { [mona.id]: program } })
  await officer.leave()

  // Each reads the own result, and why.
  await me.go(form('payment'))
  await me.reads(me.say('distribution', 'result_seat', { program: '' }).replace('.', '').trim())
  await page.getByText(me.say('distribution', 'result_why')).click()
  await me.look('a result')
  const other = await me.tab()
  await other.go(`/applicants/edit/1/${huda.id}/${huda.key}/payment`)
  await other.reads(other.say('distribution', 'result_none'))
  await other.page.getByText(other.say('distribution', 'result_why')).click()
  await other.look('a result without a seat')
  await other.page.close()

  await clock('offer-seats')
  expect(await statusOf(mona.id)).toBe('FINAL_FEES_REQUIRED')
  await payByNumber('the seat is paid by a number', 'APPROVED', 'accepted')
  // What was photographed with the application is not asked for again of the student.
  await demo.query(
    `insert into applicant_documents (applicant_id, document_kind_id, file_id)
     select $1, k.id, (select id from files order by id limit 1) from document_kinds k where k.whose = 'students' and not k.expires and k.removed_at is null`,
    [mona.id],
  )
  await clock('accept-applicants')
  expect(await statusOf(mona.id)).toBe('accepted')
  await firstSignIn(me, mona.email)
  await me.go('/home')
  await me.look('at home as a student')
  const { student_id } = await one<{ student_id: number }>('select student_id from applicants where id = $1', [mona.id])
  await expect
    .poll(
      async () =>
        (await one<{ n: number }>('select count(*)::int as n from registrations where student_id = $1', [student_id]))
          .n,
      { timeout: 60_000 },
    )
    .toBeGreaterThan(2)
  const { name_local } = await one<{ name_local: string }>(
    `select c.name_local from registrations r join courses c on c.id = r.course_id where r.student_id = $1 order by r.id limit 1`,
    [student_id],
  )
  await me.go('/myCourses')
  await me.reads(name_local)
  await me.look('the courses of the first term')
  await me.leave()
  expect(await one('select status from distribution_runs where id = $1', [run])).toEqual({ status: 'confirmed' })
})

test('a PhD: reviewed, distributed, a seat without a fee, a student, en', { timeout: 720_000 }, async () => {
  const { id: program } = await one<{ id: number }>(
    `select p.id from programs p join bylaws b on b.id = p.bylaw_id where b.program_type = 'credit_hours' and p.removed_at is null order by p.id desc limit 1`,
  )
  const admission = await admissionOf(6, `100, 0, false, null`, 'JOURNEY-PHD', program)
  const john = await applied(admission, program, 'en', {
    name: 'John Youssef',
    name_local: 'جون يوسف',
    national_id: '29512310112345',
    birth_date: '1995-12-31',
    percentage: '91.20',
  })
  const officer = await Person.open(browser, demo.address, { name: 'admission', lang: 'en', width: 1366 })
  await signIn(officer, 'employee', 'admission@canopus.example.edu')
  await officer.go('/applicants_pg')
  await officer.reads(john.code)
  await officer.go(`/applicants/${john.id}`)
  await step(officer, labelOf(officer, 'review'))
  await officer.go(`/applicants/${john.id}`)
  await step(officer, labelOf(officer, 'to_distribution'))
  await close(admission)
  await distribute(officer, '/distribution_applicants_pg')
  await clock('offer-seats')
  // Nothing is asked for the seat: it is taken up at once, and the clock accepts.
  await clock('accept-applicants')
  expect(await statusOf(john.id)).toBe('accepted')
  await officer.go('/accepted_applicants_pg')
  await officer.reads(john.code, officer.label(APPLICANT_STATUSES.find(({ value }) => value === 'accepted')!.label))
  await officer.look('accepted postgraduates')
  await officer.leave()
  const me = await Person.open(browser, demo.publicAddress, { name: 'phd', lang: 'en', width: 390, height: 844 })
  await firstSignIn(me, john.email)
  await me.go('/home')
  await me.reads('John')
  await me.look('at home as a doctoral student')
  await me.leave()
})
