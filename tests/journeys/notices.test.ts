/** A student chooses what is told by which way. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'notices', 'grading')])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each(langsOf('ar'))('notices by the ways one wants, %s', { timeout: 720_000 }, async (lang) => {
  const student = await Person.open(browser, demo.address, { name: 'notices', lang, width: 360 })
  const say = (key: string) => student.say('notices', key)
  await signIn(student, 'student', 'student@canopus.example.edu')
  await student.go('/profile')
  await student.look('the way there')
  await student.go('/profile/notices')
  // Six groups in plain words; each kind is one press away.
  await student.look('groups of notices')
  await student.page.locator('details summary').evaluateAll((all) => all.forEach((one) => (one as any).click()))
  const title = student.label(['Results of a course', 'نتيجة مقرر'])
  const mail = student.page.getByRole('combobox', { name: `${title}: ${say('notice_mail')}` })
  await mail.selectOption({ label: say('notice_mail_digest') })
  await student.reads(say('notices_saved'))
  await student.look('chosen')
  expect(
    await demo.query(
      `select mail from notice_preferences p join users u on u.id = p.user_id
       where key = 'grading.notice_published' and u.email = 'student@canopus.example.edu'`,
    ),
  ).toEqual([{ mail: 'digest' }])
  expect(
    await student.page
      .getByRole('combobox', { name: new RegExp(student.label(['Dismissal', 'الفصل من الدراسة'])) })
      .isDisabled(),
  ).toBe(true)
  await mail.selectOption({ label: say('notice_mail_now') })
  // A group is chosen at once.
  await student.page
    .getByRole('combobox', { name: `${say('group_grades')}: ${say('notice_mail')}`, exact: true })
    .selectOption('off')
  await expect
    .poll(() =>
      demo.query(
        `select distinct mail from notice_preferences p join users u on u.id = p.user_id
         where key like 'grading.%' and u.email = 'student@canopus.example.edu'`,
      ),
    )
    .toEqual([{ mail: 'off' }])
  await student.go('/notices/stop/nonsense')
  await student.look('stopping by a link')
  await student.leave()
})
