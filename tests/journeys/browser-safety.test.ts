/** What a real browser makes of the page's policy, and what is left in it when somebody has gone. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'settings')
  demo = await openDemo()
})
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

const WATCH = `window.violations = [];
addEventListener('securitypolicyviolation', (e) => window.violations.push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sourceFile + ':' + e.lineNumber))`
/** Kinds of screens: lists, records, forms, grids, charts, dialogs. */
const SCREENS = [
  '/',
  '/students',
  '/students/1',
  '/faculties',
  '/instructors/1',
  '/settings/university',
  '/settings/logs/security',
  '/control/results',
  '/profile',
]
const kept = (person: Person): Promise<string> =>
  person.page.evaluate(`JSON.stringify(Object.entries(localStorage).concat(Object.entries(sessionStorage)))`)

describe.each(langsOf('en'))('the browser, %s', (lang) => {
  const shot = async (person: Person, name: string) => {
    const folder = process.env.SHOTS
    if (!folder) return
    mkdirSync(folder, { recursive: true })
    await person.page.screenshot({ path: path.join(folder, `${name}-${lang}.png`) })
  }

  test('main screens keep the policy of the page, which admits no style or script that it was not told of', async () => {
    const person = await Person.open(browser, demo.address, { name: 'root', lang })
    await person.page.addInitScript(WATCH)
    const answers: { csp: string; permissions: string }[] = []
    person.page.on('response', (response) => {
      if (response.request().isNavigationRequest()) {
        const headers = response.headers()
        answers.push({
          csp: headers['content-security-policy'] ?? '',
          permissions: headers['permissions-policy'] ?? '',
        })
      }
    })
    await signIn(person, 'employee', 'root@canopus.example.edu')
    const seen: string[] = []
    for (const screen of SCREENS) {
      await person.go(screen)
      if (screen === '/settings/logs/security') await shot(person, 'log')
      seen.push(...(await person.page.evaluate<string[]>('window.violations')).map((one) => `${screen}: ${one}`))
    }
    // Overlays lock the page by a style element of their own.
    await person.page.keyboard.press('Control+k')
    await person.page.getByRole('dialog').waitFor()
    seen.push(...(await person.page.evaluate<string[]>('window.violations')))
    expect(seen).toEqual([])
    const nonces = answers.map(({ csp }) => /style-src 'self' 'nonce-([\w+/=]{24})'/.exec(csp)?.[1])
    expect(nonces.every(Boolean)).toBe(true)
    expect(new Set(nonces).size).toBe(answers.length)
    expect(answers[0]!.csp).not.toMatch(/script-src[^;]*unsafe|style-src '[^;]*unsafe/)
    expect(answers[0]!.permissions).toContain('microphone=()')
    // The policy is not only written down: what shows no nonce is refused.
    await person.page.evaluate(
      `(() => { const s = document.createElement('style'); s.textContent = 'h1 { color: red }'; document.head.append(s) })()`,
    )
    await expect.poll(() => person.page.evaluate('window.violations.length')).toBe(1)
    await person.page.context().close()
  })

  test('whoever signs out leaves no names behind, in any tab', async () => {
    const [student] = await demo.query<{ id: number; name: string; name_local: string }>(
      'select id, name, name_local from students where removed_at is null order by id limit 1',
    )
    const person = await Person.open(browser, demo.address, { name: 'registrar', lang })
    await signIn(person, 'employee', 'registrar@canopus.example.edu')
    await person.go(`/students/${student!.id}`)
    await expect.poll(() => kept(person)).toContain(student!.name)
    await person.page.evaluate(
      `localStorage.setItem('ems.views.1.students', JSON.stringify([{ id: 'a', name: 'Mine', query: 'search=Layla' }]));
       localStorage.setItem('ems.lookup.1.student', JSON.stringify([{ id: 1, name: 'Layla' }]))`,
    )
    const second = await person.page.context().newPage()
    await second.goto(`${demo.address}/students/${student!.id}`)
    await second.locator('h1').first().waitFor()
    // Signed out in the other tab, as the menu does it.
    await person.page.getByRole('button', { name: new RegExp(`^${person.say('kit', 'account')}: `) }).click()
    await person.page.getByRole('menuitem', { name: person.say('kit', 'sign_out') }).click()
    await person.page.waitForURL('**/login**')
    // Where its own question was answered first, it says that the session is over.
    await second.waitForURL(/\/login|reason=session/)
    await second.waitForTimeout(2000)
    const left = await kept(person)
    for (const name of [student!.name, student!.name_local, 'Layla']) expect(left).not.toContain(name)
    expect(await second.locator('body').innerText()).not.toContain(student!.name)
    // What belongs to the computer stays.
    expect(left).toContain('ems.university')
    await person.page.context().close()
  })

  test('a sensitive act asks for the password in a dialog and goes on', async () => {
    const person = await Person.open(browser, demo.address, { name: 'root', lang })
    await signIn(person, 'employee', 'root@canopus.example.edu')
    const [other] = await demo.query<{ id: number }>(
      `select id from users where type = 2 and not is_root and not is_super_admin and removed_at is null order by id desc limit 1`,
    )
    await demo.query(`update sessions set confirmed_at = now() - interval '1 hour' returning id`)
    await person.go(`/employees/${other!.id}`)
    await person.page
      .getByRole('button', { name: person.say('kit', 'more_actions') })
      .first()
      .click()
    await person.page.getByRole('menuitem', { name: person.say('kit', 'end_sessions') }).click()
    await person.refused(403, '/people/', async () => {
      await person.page
        .getByRole('dialog')
        .getByRole('button', { name: person.say('kit', 'end_sessions') })
        .click()
      await person.page.getByText(person.say('kit', 'confirm_password_text')).waitFor()
    })
    await shot(person, 'proof')
    const dialog = person.page.getByRole('dialog').last()
    await dialog.locator('input[type=password]').fill('Canopus-Lighthouse-27')
    await dialog.getByRole('button', { name: person.say('kit', 'confirm_password_go') }).click()
    await expect.poll(() => person.page.getByRole('dialog').count()).toBe(0)
    expect(person.problems).toEqual([])
    await person.page.context().close()
  })
})
