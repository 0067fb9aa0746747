/** A student asks a group of staff, is answered, and says how content she is; what the group notes stays there. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ticketFields, ticketFlow } from '#areas/conversation/tickets/ticket.contract.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'conversation')])
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each(langsOf('ar'))('a ticket from both sides, %s', { timeout: 240_000 }, async (lang) => {
  const open = (name: string, width: number) => Person.open(browser, demo.address, { name, lang, width })
  const [student, desk] = await Promise.all([open('asks', 390), open('answers', 1366)])
  const say = (key: string, values?: Record<string, string | number>) => student.say('conversation', key, values)
  const stateOf = (value: string) => student.label(ticketFlow.states.find((one) => one.value === value)!.label)
  await Promise.all([
    signIn(student, 'student', 'student@canopus.example.edu'),
    signIn(desk, 'employee', 'registrar@canopus.example.edu'),
  ])

  await student.go('/my-tickets')
  await student.look('my tickets')
  await student.go('/my-tickets/add')
  await student.page.getByRole('combobox', { name: say('group') }).click()
  await student.page.getByRole('option', { name: lang === 'ar' ? 'التسجيل' : 'Registration', exact: true }).click()
  await student.page.getByLabel(student.label(ticketFields.subject.label)).fill('Group 2 of Algorithms')
  await student.page.getByLabel(say('description')).fill('My bus arrives at nine.')
  await student.page.locator('input[type=file]').setInputFiles({
    name: 'bus.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  })
  await student.reads('bus.pdf')
  await student.look('asking')
  await student.button(say('open_ticket')).click()
  await student.page.waitForURL(/\/my-tickets\/\d+$/)
  const id = Number(student.page.url().split('/').at(-1))

  await desk.go(`/tickets/${id}`)
  await desk.reads('My bus arrives at nine.', 'bus.pdf')
  await desk.button(say('to_note')).click()
  await desk.page.getByLabel(say('note'), { exact: true }).fill('There is one place left.')
  await desk.button(say('note_save')).click()
  await desk.reads('There is one place left.', say('internal'))
  await desk.button(say('to_reply')).click()
  await desk.page.getByLabel(say('reply'), { exact: true }).fill('Done, see your timetable.')
  await desk.button(say('reply_send')).click()
  await desk.reads(stateOf('in_progress'))
  await desk.look('a ticket')

  // The student has not loaded the page again.
  await student.reads('Done, see your timetable.')
  expect(await student.text()).not.toContain('There is one place left.')
  expect(await student.text()).not.toContain(say('internal'))
  await demo.query(`update tickets set status = 'resolved', resolved_at = now() where id = $1`, [id])
  await student.go(`/my-tickets/${id}`)
  await student.page
    .getByRole('group', { name: say('rate') })
    .getByRole('button')
    .last()
    .click()
  await student.reads(say('rated'))
  await student.look('the own ticket')
  expect(await demo.query('select score from tickets where id = $1', [id])).toEqual([{ score: 5 }])

  await desk.go('/tickets')
  await desk.look('tickets')
  await desk.go('/tickets/statistics')
  await desk.look('figures')
  await Promise.all([student.leave(), desk.leave()])
})
