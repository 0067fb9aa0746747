/** A student in two programs: the program beside the name, and everything own after choosing the other record. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'students')])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each(langsOf('ar'))('choosing the other record, %s', { timeout: 360_000 }, async (lang) => {
  const records = await demo.query<{ email: string; code: string; name: string; name_local: string }>(
    `select u.email, s.code, p.name, p.name_local from students s join programs p on p.id = s.program_id join users u on u.id = s.user_id
     where s.user_id = (select user_id from students where is_second_record) order by s.id`,
  )
  const program = (i: number) => (lang === 'ar' ? records[i]!.name_local : records[i]!.name)
  const student = await Person.open(browser, demo.address, { name: 'student', lang, width: 1366 })
  await signIn(student, 'student', records[0]!.email)
  const menu = (i: number) =>
    student.page.getByRole('button', { name: student.say('kit', 'present_record', { program: program(i) }) })
  await menu(0).click()
  await student.look('two records of one student')
  await student.page.getByRole('menuitem', { name: records[1]!.code }).click()
  await menu(1).waitFor()
  await student.go('/student-profile')
  await student.reads(records[1]!.code)
  await student.look('the other record')
  await student.leave()
})
