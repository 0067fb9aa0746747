/** A machine without a browser of its own makes the journeys with the one inside an npm package: it must last. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(true), openDemo(), readTexts('kit', 'kit-screens')])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test('the packed browser opens window after window, and people sign in with it', async () => {
  for (const [who, as, lang] of [
    ['student', 'student', 'ar'],
    ['registrar', 'employee', 'en'],
  ] as const) {
    const person = await Person.open(browser, demo.address, { name: `packed-${who}`, lang })
    await signIn(person, as, `${who}@canopus.example.edu`)
    await person.look(`start page of ${who}`)
    await person.leave()
  }
  expect(browser.isConnected()).toBe(true)
})
