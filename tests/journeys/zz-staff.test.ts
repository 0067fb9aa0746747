import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens')
  demo = await openDemo()
}, 400_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})
const SCREENS = async () => {
  const one = async (text: string) => (await demo.query<{ id: number }>(text))[0]!.id
  const cashier = await one(`select id from users where email = 'cashier@canopus.example.edu'`)
  const manager = await one(`select id from users where email = 'administration@canopus.example.edu'`)
  const instructor = await one(`select i.id from instructors i join users u on u.id = i.user_id where u.email = 'instructor@canopus.example.edu'`)
  return [
    ['home', '/home'],
    ['employees', '/employees'],
    ['ends soon', `/employees?filters=${encodeURIComponent(JSON.stringify({ contract: ['ends_soon'] }))}`],
    ['employee', `/employees/${cashier}`],
    ['employee documents', `/employees/${cashier}?tab=documents`],
    ['manager team', `/employees/${manager}?tab=team`],
    ['edit', `/employee/edit/${cashier}`],
    ['add', '/employee/show/add'],
    ['inbox', '/employee-documents'],
    ['instructor', `/instructors/${instructor}`],
    ['instructor documents', `/instructors/${instructor}?tab=documents`],
    ['office hours', `/instructors/${instructor}?tab=office_hours`],
    ['staff', '/staff'],
    ['job titles', '/job-titles'],
    ['kinds', '/document-kinds'],
    ['mine', '/my-documents'],
  ] as const
}
for (const lang of ['en', 'ar'] as const)
  for (const [width, height] of [[1366, 768], [390, 844]] as const)
    test(`${lang} ${width}`, { timeout: 400_000 }, async () => {
      const person = await Person.open(browser, demo.address, { name: `p${width}`, lang, width, height })
      await signIn(person, 'employee', 'personnel@canopus.example.edu')
      for (const [name, path] of await SCREENS()) {
        try {
          await person.go(path)
          await person.look(name)
        } catch (e) {
          console.log('LOOK', lang, width, name, String(e).slice(0, 600))
        }
      }
      await person.leave().catch((e: unknown) => console.log('LEAVE', String(e).slice(0, 800)))
    })
