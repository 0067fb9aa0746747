/** What a journey begins with: a browser and a demo university, and that its screens stand on a phone. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import type { Lang } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

/** Opened before the tests of a file and closed after them, with the texts of the kit and of these areas at hand. */
export function opened(...areas: readonly string[]) {
  const of = {} as { browser: Browser; demo: DemoWorld }
  beforeAll(async () => {
    of.browser = await openBrowser()
    await readTexts('kit', 'kit-screens', ...areas)
    of.demo = await openDemo()
  }, 720_000)
  afterAll(async () => {
    await of.demo?.close()
    await of.browser?.close()
  })
  return {
    get demo() {
      return of.demo
    },
    /** Somebody who works there, signed in; the name is the part of the address before the @. */
    async employee(who: string, lang: Lang, width = 1366): Promise<Person> {
      const name = width < 500 ? `${who} on a phone` : who
      const person = await Person.open(of.browser, of.demo.address, { name, lang, width })
      await signIn(person, 'employee', `${who}@canopus.example.edu`)
      return person
    },
    /** Every one of these screens, as somebody sees it on a phone. */
    async onPhone(who: string, lang: Lang, screens: readonly string[]): Promise<void> {
      const person = await this.employee(who, lang, 390)
      for (const screen of screens) {
        await person.go(screen)
        await person.look(screen.replaceAll(/[/?&=]/g, ' '))
      }
      await person.leave()
    },
  }
}
