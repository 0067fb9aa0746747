/// <reference types="vite/client" />
/** People at a real browser: what the journeys work with. Nothing here knows a screen. */
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import AXE from 'axe-core/axe.min.js?raw'
import type { Browser, Download, Locator, Page, Request, Response } from 'playwright-core'
import { expect } from 'vitest'
import type { Label, Language } from '#kit/contract/index.ts'
import { LANGUAGES, LOCALES as TAGS, typeset } from '#kit/contract/index.ts'
import { openChromium, openPackedBrowser } from './chromium.ts'

export type Lang = Language

/** Drawn alike on every machine. */
const DRAWN = ['--force-color-profile=srgb', '--font-render-hinting=none']

/** The system's Chromium, else the one inside an npm package (`packed`: that one in any case). */
export const openBrowser = (packed = false): Promise<Browser> =>
  packed ? openPackedBrowser(DRAWN) : openChromium(DRAWN)

const LOCALES = path.join(import.meta.dirname, '../../locales')
type Texts = Readonly<Record<string, string>>
type Catalogue = { readonly ui: Texts; readonly labels?: Texts; readonly errors?: Texts }
const catalogues = new Map<string, Catalogue>()
/** Fetches the texts of areas, so that a journey reads the same words as the person at the screen. */
export async function readTexts(...areas: readonly string[]): Promise<void> {
  for (const area of areas) {
    for (const lang of LANGUAGES) {
      const { ui, labels, errors } = JSON.parse(
        await readFile(path.join(LOCALES, lang, `${area}.json`), 'utf8'),
      ) as Catalogue
      catalogues.set(`${lang}/${area}`, {
        ui: typeset(ui, lang),
        labels: typeset(labels, lang),
        errors: typeset(errors, lang),
      })
    }
  }
}
/** A text of a catalogue with its places filled in. @throws when it is not there: a journey must not look for nothing */
export function textOf(
  lang: Lang,
  area: string,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const ui = catalogues.get(`${lang}/${area}`)?.ui
  if (!ui) throw new Error(`readTexts('${area}') comes first`)
  const plural = typeof values.count === 'number' ? new Intl.PluralRules(TAGS[lang]).select(values.count) : ''
  const zero = values.count === 0 ? ui[`${key}_zero`] : undefined
  const text = zero ?? ui[`${key}_${plural}`] ?? ui[key] ?? ui[`${key}_other`]
  if (text === undefined) throw new Error(`locales/${lang}/${area}.json has no text ${key}`)
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
}

// What is asked of the page itself, as text: the types of a browser stay out of the server's.
/** What is still being fetched or worked on; the bar at the top says that another screen is on its way. */
const BUSY =
  '[aria-busy="true"], [data-busy="true"], .mantine-Skeleton-root, [data-loading="true"], .mantine-Loader-root'
/**
 * Only what is found comes over. Of long tables the first rows are read, whose cells the others repeat: half of the work,
 * which is much of what a journey costs.
 */
const BARRIERS = (
  within?: string,
) => `axe.run({ ${within ? `include: [[${JSON.stringify(within)}]], ` : ''}exclude: [['tbody tr:nth-child(n + 7)']] },
  { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    // What opens over the page is no part of its landmarks.
    nodes.filter(({ target }) => id !== 'region' || !document.querySelector(target[0])?.closest('[data-portal]')).slice(0, 3).map((node) => id + ': ' + node.html.slice(0, 160) + ' ' + (node.failureSummary?.split('\\n')[1] ?? ''))))`
const FOCUSED = `(({ activeElement: e, body }) => !e || e === body ? 'nothing' :
  e.tagName.toLowerCase() + ' ' + (e.getAttribute('aria-label') ?? e.innerText ?? '').trim().slice(0, 60))(document)`
const SEEN = `({
  lang: document.documentElement.lang,
  dir: document.documentElement.dir,
  over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  title: document.title,
})`

/** Characters that isolate a direction; a person does not see them. */
const plain = (text: string): string => text.replace(/[\u200E\u200F\u061C\u2066-\u2069]/g, '')

/** Answers that are a refusal one expects, while something is done. */
interface Expected {
  readonly status: number
  readonly path: string
  seen: number
}

/** Somebody at a browser of his own: signs in, looks, and keeps everything that went wrong meanwhile. */
export class Person {
  readonly lang: Lang
  readonly page: Page
  readonly name: string
  readonly address: string
  readonly problems: string[] = []
  private expected: Expected[] = []
  private shots = 0
  /** There is no line, on purpose; and what was asked for meanwhile, which may be told as failed later. */
  private cut = false
  private readonly unheard = new WeakSet<Request>()

  private constructor(page: Page, name: string, lang: Lang, address: string) {
    this.page = page
    this.name = name
    this.lang = lang
    this.address = address
    page.on('console', (message) => {
      // What a request came to is told by its answer below.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.problems.push(`console: ${message.text()}`)
      }
    })
    page.on('pageerror', (error) => this.problems.push(`error: ${error.stack ?? error.message}`))
    page.on('request', (request) => {
      if (this.cut) this.unheard.add(request)
    })
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? ''
      // A request is given up when its screen is left; the stream of live events is one of them.
      if (why === 'net::ERR_ABORTED') return
      if (why === 'net::ERR_INTERNET_DISCONNECTED' && (this.cut || this.unheard.has(request))) return
      this.problems.push(`request: ${request.method()} ${request.url()} ${why}`)
    })
    page.on('response', (response) => void this.judge(response))
  }

  /** Opens a window in a language. `width` 360 is a phone; `worker`: with the worker that keeps the application there. */
  static async open(
    browser: Browser,
    address: string,
    options: { name: string; lang: Lang; width?: number; height?: number; worker?: boolean },
  ): Promise<Person> {
    const { name, lang, width = 1360, height = width < 500 ? 780 : 860, worker = false } = options
    const context = await browser.newContext({
      viewport: { width, height },
      locale: { ar: 'ar-EG', en: 'en-GB', de: 'de-DE', fr: 'fr-FR', pt: 'pt-PT' }[lang],
      timezoneId: 'Africa/Cairo',
      reducedMotion: 'reduce',
      acceptDownloads: true,
      // The worker that keeps the application on the device would stand between a journey and the network.
      serviceWorkers: worker ? 'allow' : 'block',
      ...(width < 500 && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
    })
    const page = await context.newPage()
    page.setDefaultTimeout(45_000)
    page.setDefaultNavigationTimeout(90_000)
    return new Person(page, name, lang, address)
  }

  /** A further tab of the same person, signed in as here. */
  async tab(): Promise<Person> {
    const page = await this.page.context().newPage()
    page.setDefaultTimeout(45_000)
    page.setDefaultNavigationTimeout(90_000)
    return new Person(page, this.name, this.lang, this.address)
  }

  private async judge(response: Response): Promise<void> {
    if (response.status() < 400) return
    const url = new URL(response.url())
    const expected = this.expected.find((one) => one.status === response.status() && url.pathname.startsWith(one.path))
    if (expected) {
      expected.seen++
      return
    }
    const body = await response.text().catch(() => '')
    this.problems.push(
      `answer: ${response.request().method()} ${url.pathname} ${response.status()} ${body.slice(0, 300)}`,
    )
  }

  /** Does something that is refused with this status below this path; it must be. */
  async refused<T>(status: number, path: string, work: () => Promise<T>): Promise<T> {
    const one: Expected = { status, path: `/api${path}`, seen: 0 }
    this.expected.push(one)
    const result = await work()
    expect(one.seen, `${this.name}: ${path} was to be refused with ${status}`).toBeGreaterThan(0)
    this.expected = this.expected.filter((other) => other !== one)
    return result
  }

  /** Takes the line away, as on a ward, or gives it back: what does not come through meanwhile is no problem. */
  async line(there: boolean): Promise<void> {
    this.cut ||= !there
    await this.page.context().setOffline(!there)
    this.cut = !there
  }

  /** A text of the catalogues in the person's language. */
  say(area: string, key: string, values?: Readonly<Record<string, string | number>>): string {
    return textOf(this.lang, area, key, values)
  }
  label([en, ar]: Label): string {
    if (this.lang === 'ar' || this.lang === 'en') return this.lang === 'ar' ? ar : en
    for (const [key, { labels }] of catalogues) if (key.startsWith(`${this.lang}/`) && labels?.[en]) return labels[en]
    throw new Error(`no area that was read has ${en} in ${this.lang}`)
  }
  /** How a refusal begins, up to its first figure; `own`: as the rule says it. */
  refusal(area: string, code: string, [en, ar]: Label): string {
    const own =
      this.lang === 'ar' ? ar : this.lang === 'en' ? en : catalogues.get(`${this.lang}/${area}`)?.errors?.[code]
    if (!own) throw new Error(`locales/${this.lang}/${area}.json has no refusal ${code}`)
    return own.split('{', 1)[0]!.replace(/\s+/g, ' ').trim()
  }
  /** A decimal as the person reads it. */
  decimal(value: string): string {
    return this.lang === 'ar' || this.lang === 'en' ? value : value.replace('.', ',')
  }
  /** The name of a record as the person reads it. */
  nameOf(row: { name: string; name_local: string }): string {
    return this.lang === 'ar' ? row.name_local : row.name
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
  }

  /** Opens an address of the application, and waits until its data is there. */
  async go(to: string): Promise<void> {
    await this.page.goto(`${this.address}${to}`)
    await this.settled()
  }

  /** Waits until nothing is being fetched for the screen any more. */
  async settled(): Promise<void> {
    await this.page.locator('h1').first().waitFor()
    // What was just pressed has been drawn, so that what it fetches is seen to be fetched.
    await this.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    await expect
      .poll(() => this.page.locator(BUSY).count(), {
        message: `${this.name} waits for ${this.page.url()}`,
        timeout: 45_000,
      })
      .toBe(0)
    await this.page.evaluate('document.fonts.ready.then(() => undefined)')
  }

  /** What stands on the screen, as one reads it. */
  async text(of: Locator = this.page.locator('body')): Promise<string> {
    return plain(await of.innerText()).replace(/\s+/g, ' ')
  }
  /** The screen shows all of these. */
  async reads(...wanted: readonly (string | RegExp)[]): Promise<void> {
    for (const one of wanted) {
      await expect
        .poll(() => this.text(), { message: `${this.name} reads ${String(one)}`, timeout: 30_000 })
        .toMatch(typeof one === 'string' ? new RegExp(escape(plain(one).replace(/\s+/g, ' '))) : one)
    }
  }

  /**
   * Looks at the screen like somebody who reviews it: the language and direction of the page, accessibility, nothing wider
   * than a phone; and keeps a picture where SCREENSHOTS names a folder.
   */
  async look(what: string, { overflow = this.page.viewportSize()!.width < 500 } = {}): Promise<void> {
    await this.settled()
    const { page } = this
    const found = await page.evaluate<{ lang: string; dir: string; over: number; title: string }>(SEEN)
    await this.picture(what)
    expect(found).toMatchObject({ lang: this.lang, dir: this.lang === 'ar' ? 'rtl' : 'ltr' })
    expect(found.title, `${what} has a title`).not.toBe('')
    if (overflow) expect(found.over, `${what} (${this.lang}) is wider than the phone by`).toBeLessThanOrEqual(0)
    // A dialog that is just opening gets its name with its words.
    await expect
      .poll(() => this.barriers(), { message: `barriers of ${what} (${this.lang})`, timeout: 90_000 })
      .toEqual([])
  }

  async picture(what: string): Promise<void> {
    const folder = process.env.SCREENSHOTS
    if (!folder) return
    await mkdir(folder, { recursive: true })
    const number = String(++this.shots).padStart(2, '0')
    await this.page.screenshot({ path: path.join(folder, `${this.lang} ${this.name} ${number} ${what}.png`) })
  }

  /** Findings of axe-core of any weight, on the whole page or within what a selector names. */
  async barriers(within?: string): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>(`'axe' in window`))) await this.page.evaluate(AXE)
    return this.page.evaluate<string[]>(BARRIERS(within))
  }

  /** What has the focus, in few words; that of the page itself is none. */
  focused(): Promise<string> {
    return this.page.evaluate<string>(FOCUSED)
  }

  /** Has a device that makes passkeys and knows its owner: what Chromium offers instead of a finger on a sensor. */
  async bringDevice(): Promise<void> {
    const cdp = await this.page.context().newCDPSession(this.page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }

  /** Does what starts a download, and answers the file. */
  async download(start: () => Promise<unknown>): Promise<{ name: string; content: Buffer }> {
    const coming = this.page.waitForEvent('download').catch((error: unknown) => {
      expect(this.problems, `${this.name} got no file`).toEqual([])
      throw error
    })
    await start()
    const download: Download = await coming
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
  }

  /** Closes the window; whatever went wrong meanwhile is told now. */
  async leave(): Promise<void> {
    expect(this.problems, `${this.name} (${this.lang}) met`).toEqual([])
    await this.page.context().close()
  }
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
