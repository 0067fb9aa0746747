/** The registrar's side of an import: a cell corrected where it stands, the difference read, what is gone confirmed. */
import { zipSync } from 'fflate'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleBundle, sampleBytes } from '#areas/office/oneroster/sample.server.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'oneroster')])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each(langsOf('en'))('the import of a university, %s', { timeout: 720_000 }, async (lang) => {
  /** Each language imports a university of its own. */
  const own = Object.fromEntries(
    Object.entries(sampleBundle({ students: 30, courses: 6, load: 3 })).map(([name, text]) => [
      name,
      text
        .replace('systemCode,sample', `systemCode,${lang}`)
        .replaceAll('sample.example.edu', `${lang}.sample.example.edu`)
        .replaceAll('S26', `${lang}S26`)
        .replaceAll('T001', `${lang}T001`)
        .replaceAll(/,S(\d{3}),/g, `,${lang}S$1,`)
        .replaceAll(/,(SCI|MATH),/g, `,${lang}$1,`)
        .replaceAll('2026/2027', `${lang} 2026`)
        .replaceAll('Fall 2026', `${lang} Fall`),
    ]),
  )
  const person = await Person.open(browser, demo.address, { name: 'import', lang })
  const say = (key: string) => person.say('oneroster', key as never)
  const upload = (files: Record<string, string>) =>
    person.page.locator('input[type=file]').setInputFiles({
      name: 'bundle.zip',
      mimeType: 'application/zip',
      buffer: Buffer.from(zipSync(sampleBytes(files))),
    })
  await signIn(person, 'employee', 'root@canopus.example.edu')
  await person.go('/settings/import')

  await upload({ ...own, users: own.users!.replace(`s5@${lang}.sample.example.edu`, 'not an e-mail') })
  const cell = person.page.getByLabel(new RegExp('users\\.csv 7 email'))
  await cell.waitFor()
  await person.look('an error')
  await cell.fill(`five@${lang}.sample.example.edu`)
  await person.button(say('check_again')).click()
  await person.button(say('start')).waitFor()
  await person.look('what is new')
  await person.button(say('start')).click()
  await person.reads(say('done'))
  expect(await demo.query(`select email from students where code = $1`, [`${lang}S260005`])).toEqual([
    { email: `five@${lang}.sample.example.edu` },
  ])

  // Half of the enrolments are gone: their number is typed.
  const lines = own.enrollments!.split('\r\n')
  await person.go('/settings/import')
  await upload({
    ...own,
    users: own.users!.replace('Student,No4,', 'Student,Four,'),
    enrollments: lines.filter((line, i) => !line.includes(',student,') || i % 2).join('\r\n'),
  })
  await person.button(say('start')).waitFor()
  const typed = person.page.getByRole('textbox').last()
  await typed.fill('7')
  await person.button(say('start')).click()
  await person.reads(person.say('kit', 'still_missing'))
  await person.look('what changes')
  await typed.fill('45')
  await person.button(say('start')).click()
  await person.reads(say('done'))
  await person.look('done')
  expect(
    await demo.query(
      `select count(*)::int as n from registration_slots rs join registrations r on r.id = rs.registration_id
         join students s on s.id = r.student_id where s.code like $1`,
      [`${lang}S26%`],
    ),
  ).toEqual([{ n: 45 }])
  expect(person.problems).toEqual([])
})
