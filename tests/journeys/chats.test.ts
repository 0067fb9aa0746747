/** A student and the advisor at two browsers: what one writes stands on the other's screen, read marks and typing too. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'conversation')])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each(langsOf('en'))('a chat between two browsers, %s', { timeout: 720_000 }, async (lang) => {
  const open = (name: string, width: number) => Person.open(browser, demo.address, { name, lang, width })
  const [student, guide] = await Promise.all([open('student', 390), open('advisor', 1366)])
  const say = (key: string, values?: Record<string, string | number>) => student.say('conversation', key, values)
  const [advisor] = await demo.query<{ id: number; email: string; chat: number }>(
    `select u.id, u.email, k.chat_id as chat from users s join students t on t.user_id = s.id join instructors i on i.id = t.advisor_id
       join users u on u.id = i.user_id join chat_members k on k.user_id = s.id where s.email = 'student@canopus.example.edu'`,
  )
  await Promise.all([
    signIn(student, 'student', 'student@canopus.example.edu'),
    signIn(guide, 'instructor', advisor!.email),
  ])
  await Promise.all([student.go(`/chat/message/${advisor!.chat}`), guide.go(`/chat/message/${advisor!.chat}`)])
  await student.page.getByLabel(say('message'), { exact: true }).fill('May I ask one thing more?')
  await guide.reads(/…/)
  await student.page.keyboard.press('Enter')
  // Neither loads the page again.
  await guide.reads('May I ask one thing more?')
  await student.reads(say('chat_read'))
  await guide.page.getByLabel(say('message'), { exact: true }).fill('Of course.')
  await guide.button(say('reply_send')).click()
  await student.reads('Of course.')
  await Promise.all([student.look('a chat on a phone'), guide.look('a chat')])
  await guide.go('/chats')
  await guide.look('chats')
  expect(await demo.query(`select count(*)::int as count from chat_messages where body = 'Of course.'`)).toEqual([
    { count: 1 },
  ])
  await Promise.all([student.leave(), guide.leave()])
})
