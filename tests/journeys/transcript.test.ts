/**
 * A certificate from the request to the reader: a student asks for a transcript in two languages and pays by card, it is prepared,
 * reviewed, signed by three positions — one with a passkey —, issued and handed over; a stranger verifies it by its code and by its
 * file, and again when it was revoked.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate, certificateFlow } from '#areas/office/certificates/requests/certificate.contract.ts'
import { DELIVERIES, LANGUAGES } from '#areas/office/certificates/types/type.contract.ts'
import { openPaymentSimulator } from '#demo/payment-simulator.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
let simulator: Awaited<ReturnType<typeof openPaymentSimulator>>
beforeAll(async () => {
  simulator = await openPaymentSimulator()
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(simulator.variables),
    readTexts(
      'kit',
      'kit-screens',
      'certificates',
      'transactions',
      'papers',
      'sign-in',
      'access-and-people',
      'kit-pay',
    ),
  ])
  simulator.callBack(demo.address)
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await simulator?.close()
})

const one = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row> => {
  const [row] = await demo.query<Row>(text, values)
  if (!row) throw new Error(`The demo university has none: ${text.slice(0, 120)}`)
  return row
}
type Action = keyof typeof certificateFlow.actions

test.each(langsOf('ar'))(
  'a transcript, from the request to whoever reads it, %s',
  { timeout: 720_000 },
  async (lang) => {
    // Somebody with results who owes nothing and has asked for nothing.
    const holder = await one<{ id: number; email: string; name: string; name_local: string; faculty_id: number }>(
      `select s.id, u.email, s.name, s.name_local, s.faculty_id from students s join users u on u.id = s.user_id
       join payers p on p.student_id = s.id
     where s.status = 'studying' and s.nationality_id = 64 and s.removed_at is null and not certificates_held(s.id)
       and exists (select from registrations r where r.student_id = s.id and r.letter is not null)
       and not exists (select from invoices i where i.payer_id = p.id) and not exists (select from transactions t where t.payer_id = p.id)
       and not exists (select from certificates c where c.student_id = s.id)
       and exists (select from signatory_holders h join signatory_positions p on p.id = h.position_id where p.code = 'DEAN' and h.faculty_id = s.faculty_id)
     order by s.id limit 1`,
    )
    const type = await one<{ id: number; name: string; name_local: string }>(
      `select id, name, name_local from certificate_settings where code = 'TRANSCRIPT'`,
    )
    const open = (name: string, width?: number) =>
      Person.open(browser, demo.publicAddress, { name, lang, ...(width && { width, height: 844 }) })

    // On a phone: three copies in both languages, the price before it is sent.
    const asker = await open('student', 390)
    await signIn(asker, 'student', holder.email)
    await asker.go('/services/certification/add')
    await asker.look('asks for a certificate')
    const press = (text: string) => asker.page.locator('main label').filter({ hasText: text }).first().click()
    const F = certificate.fields
    const word = (all: readonly { value: string; label: readonly [string, string] }[], value: string) =>
      asker.label(all.find((one) => one.value === value)!.label as never)
    await asker.page.locator('main [role=combobox]').first().click()
    await asker.page.getByRole('option', { name: asker.nameOf(type), exact: true }).click()
    await press(word(LANGUAGES, 'both'))
    await asker.page.getByLabel(asker.label(F.copies.label as never)).fill('3')
    await press(word(DELIVERIES, 'by_hand'))
    await asker.page.getByLabel(asker.label(F.why.label as never)).fill('لجامعة في الخارج')
    await asker.look('what it costs')
    await asker.button(asker.say('certificates', 'send_request')).click()
    await asker.page.waitForURL((url) => url.pathname === '/services/certification')
    const state = async () =>
      (await one<{ status: string }>('select status from certificates where student_id = $1', [holder.id])).status
    expect(await state()).toBe('fee_due')
    const { id, invoice_id, amount } = await one<{ id: number; invoice_id: number; amount: number }>(
      `select c.id, f.invoice_id, b.charged as amount from certificates c join request_fees f on f.workflow = 'certificate' and f.record_id = c.id
       join invoice_balances b on b.invoice_id = f.invoice_id where c.student_id = $1`,
      [holder.id],
    )
    // Two languages, and two further copies.
    expect(Number(amount)).toBeGreaterThan(0)
    await asker.look('asked')

    await asker.go('/student-payments')
    await asker.page
      .getByRole('button', {
        name: new RegExp(`^${asker.say('transactions', 'pay_amount', { amount: '@' }).replace('@', '.*')}$`),
      })
      .first()
      .click()
    await asker.button(asker.say('kit-pay', 'pay_card')).click()
    await asker.page.locator('button[value=pay]').click()
    await asker.page.waitForURL((url) => url.pathname.startsWith('/payments/paid/'))
    await expect.poll(state, { timeout: 45_000 }).toBe('New')
    await asker.go(`/services/certification?id=${id}`)
    await asker.look('paid')
    expect(invoice_id).toBeGreaterThan(0)

    // The office: prepared by one, reviewed by another.
    const step = async (person: Person, action: Action, to: string) => {
      const label = person.label(certificateFlow.actions[action].label as never)
      await person.button(label).first().click()
      await person.button(label, person.page.getByRole('dialog')).click()
      await expect.poll(state).toBe(to)
      await person.settled()
    }
    const registrar = await open('registrar')
    await signIn(registrar, 'employee', 'registrar@canopus.example.edu')
    await registrar.go(`/certificates/show/${id}`)
    await registrar.look('the request')
    await step(registrar, 'prepare', 'Prepared')
    await registrar.look('prepared')
    await step(registrar, 'send_to_review', 'in review')
    const affairs = await open('affairs')
    await signIn(affairs, 'employee', 'affairs@canopus.example.edu')
    await affairs.go(`/certificates/show/${id}`)
    await step(affairs, 'review', 'Reviewed')
    await affairs.leave()

    // Three positions in their order; the last one with a passkey.
    const dean = await one<{ email: string }>(
      `select u.email from signatory_holders h join signatory_positions p on p.id = h.position_id join users u on u.id = h.user_id
     where p.code = 'DEAN' and h.faculty_id = $1`,
      [holder.faculty_id],
    )
    const signed = async () =>
      (
        await one<{ n: number }>(
          'select count(*)::int as n from certificate_signatures where certificate_id = $1 and voided_at is null',
          [id],
        )
      ).n
    /** Looks through the papers that wait by keyboard, and signs this one. */
    const sign = async (person: Person, prove?: () => Promise<void>) => {
      await person.go('/certificates/sign')
      const waiting = person.page.locator('main li').filter({ hasText: person.nameOf(holder) })
      await waiting.getByRole('button').first().click()
      await person.page.keyboard.press('x')
      await expect.poll(() => waiting.getByRole('checkbox').isChecked()).toBe(true)
      await person.picture('papers that wait for a signature')
      const before = await signed()
      await person
        .button(new RegExp(person.say('certificates', 'sign_chosen', { count: 1 }).replace(/[()]/g, '.')))
        .click()
      await person.button(person.say('certificates', 'sign'), person.page.getByRole('dialog')).click()
      await prove?.()
      await expect.poll(signed).toBe(before + 1)
    }
    for (const email of ['employee@canopus.example.edu', 'registration@canopus.example.edu']) {
      const signer = await open(email)
      await signIn(signer, 'employee', email)
      await sign(signer)
      await signer.leave()
    }
    const last = await open('dean')
    await last.bringDevice()
    await signIn(last, 'employee', dean.email)
    await last.go('/profile/sign-in')
    await last.button(last.say('access-and-people', 'passkey_add')).click()
    await last.button(last.say('sign-in', 'passkey_make')).click()
    const kept = last.button(last.say('sign-in', 'recovery_kept'))
    await kept.click()
    await last.settled()
    // An hour later.
    await demo.query(
      `update sessions set confirmed_at = now() - interval '1 hour', second_proved_at = now() - interval '1 hour'
     where user_id = (select id from users where email = $1)`,
      [dean.email],
    )
    await last.refused(403, '/certificates/sign', () =>
      sign(last, async () => {
        await last.picture('proves who sits there')
        await last.button(last.say('sign-in', 'use_passkey')).click()
      }),
    )
    expect(await state()).toBe('approved')
    await last.leave()

    // Issued, and handed over.
    await registrar.go(`/certificates/show/${id}`)
    await step(registrar, 'issue', 'Ready To Deliver')
    await registrar.look('issued')
    const { content } = await registrar.download(async () => {
      const print = registrar.say('certificates', 'print')
      await registrar.page.getByRole('button', { name: print, exact: true }).first().click()
      await registrar.page.getByRole('dialog').getByRole('button', { name: print, exact: true }).click()
    })
    expect(content.subarray(0, 5).toString()).toBe('%PDF-')
    await step(registrar, 'deliver_by_hand', 'Delivered By Manual')
    await asker.go(`/services/certification?id=${id}`)
    await asker.look('handed over')
    await asker.leave()

    // Whoever was handed the paper: by its code, by its file, by a file that was changed.
    const papers = await demo.query<{ id: number; code: string; lang: string }>(
      `select p.id, p.code, p.lang from certificate_papers k join papers p on p.id = k.paper_id where k.certificate_id = $1 order by p.id desc`,
      [id],
    )
    expect(papers.map((paper) => paper.lang).toSorted()).toEqual(['ar', 'en'])
    const found = papers.find(({ code }) => content.includes(code)) ?? papers[0]!
    const stranger = await open('whoever reads it', 390)
    await stranger.go(`/qr_code/${found.code}`)
    await stranger.reads(stranger.say('papers', 'verify_valid_text'))
    await stranger.look('valid by its code')
    const drop = async (file: Buffer) => {
      await stranger.page
        .locator('main input[type=file]')
        .setInputFiles({ name: 'paper.pdf', mimeType: 'application/pdf', buffer: file })
      await stranger.settled()
    }
    await drop(content)
    await stranger.reads(stranger.say('papers', 'verify_file_as_issued'))
    await stranger.look('the file is the one that was issued')
    const changed = Buffer.from(content)
    changed[200] = changed[200]! ^ 1
    await stranger.go(`/qr_code/${found.code}`)
    await drop(changed)
    await stranger.reads(stranger.say('papers', 'verify_file_changed'))
    await stranger.picture('the file was changed')

    await demo.send('registrar', 'POST', `/students/${holder.id}/papers/${found.id}/revoke`, {
      reason: 'Issued by mistake',
    })
    await stranger.go(`/qr_code/${found.code}`)
    await stranger.reads(stranger.say('papers', 'verify_revoked_text'))
    await stranger.look('revoked')
    await stranger.leave()
    await registrar.leave()
  },
)
