/**
 * What a light page shows before its scripts are there: drawn by the server into the page, with its styles, so that the first
 * question can be read and typed into after one answer. The screen takes over what was typed (`kit/web/light/first.ts`).
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fill, typeset } from '#kit/contract/words.ts'
import type { Language } from '#kit/contract/words.ts'
import { LANGUAGES } from '#kit/contract/index.ts'
import type { Ctx, Services } from '../base/context.ts'
import type { Log } from '../base/log.ts'
import { universityHead } from '../base/university.ts'
import { asSystem } from '../unit/request.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** Text that is part of a page: everything that came from elsewhere was escaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
type Part = Markup | string | number | false | null | undefined | readonly Part[]
const escaped = (part: Part): string =>
  part instanceof Markup
    ? part.text
    : Array.isArray(part)
      ? part.map(escaped).join('')
      : part === false || part === null || part === undefined
        ? ''
        : String(part).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
/** A piece of a page; what fills it is escaped, unless it is a piece itself. */
export const markup = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(texts.map((text, i) => text + escaped(parts[i])).join(''))

export interface Drawing {
  readonly ctx: Ctx
  readonly lang: Language
  readonly params: Readonly<Record<string, string>>
  /** A text of the catalogues, as `useT` gives it to the screen. */
  readonly t: (area: string, key: string, data?: Readonly<Record<string, string | number>>) => string
}
/** What stands first on a light screen. */
export interface First {
  /** Its path, as it is declared. */
  readonly screen: string
  draw(drawing: Drawing): Promise<Markup>
}
/** A place of the page, and its title. */
interface Drawn {
  readonly html: string
  readonly lang: Language
}

const texts = new Map<string, Readonly<Record<string, string>>>()
function textOf(lang: Language, area: string, key: string): string {
  const name = `${lang}/${area}`
  let known = texts.get(name)
  if (!known) {
    const { ui } = JSON.parse(readFileSync(path.join(ROOT, `locales/${name}.json`), 'utf8')) as {
      ui?: Record<string, string>
    }
    texts.set(name, (known = typeset(ui, lang)))
  }
  const found = known[key]
  if (found === undefined) throw new Error(`locales/${name}.json has no text '${key}'`)
  return found
}

let styles: string | undefined
const stylesOfFirst = (): string =>
  (styles ??= readFileSync(path.join(import.meta.dirname, 'first.css'), 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' '))

const COLOUR = /^#[0-9a-f]{6}$/i
async function accentOf({ pool }: Pick<Ctx, 'pool'>): Promise<string> {
  const { rows } = await pool.query<{ value: unknown }>(`select value from settings where key = 'accent_colour'`)
  const value = rows[0]?.value
  return typeof value === 'string' && COLOUR.test(value) ? value : '#2f5fb3'
}

const sign = markup`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--f-accent)"/><path d="M16 7 5.5 12 16 17l10.5-5z" fill="#fff"/><path d="M9.5 15.6v5.1c0 1.7 2.9 3.1 6.5 3.1s6.5-1.4 6.5-3.1v-5.1L16 18.7z" fill="#fff" opacity=".72"/></svg>`

/** Milliseconds for which a drawing is given to everybody: on the last day many come at once. */
const KEPT_MS = 5_000

/** Draws what stands first, where a screen has such a thing; null: it has none, or it cannot be drawn now. */
export function createFirst(firsts: readonly First[], services: Services, log: Pick<Log, 'warn'>) {
  const byScreen = new Map(firsts.map((one) => [one.screen, one]))
  const kept = new Map<string, { readonly until: number; readonly drawn: Promise<Drawn | null> }>()
  const draw = async (first: First, lang: Language, params: Drawing['params']): Promise<Drawn | null> => {
    try {
      const ctx = asSystem(services, 'What stands first on a page', lang)
      const t: Drawing['t'] = (area, key, data) => fill(textOf(lang, area, key), data)
      const [inside, head, accent] = await Promise.all([
        first.draw({ ctx, lang, params, t }),
        universityHead(ctx),
        accentOf(ctx),
      ])
      const name = lang === 'ar' ? head.name_local : head.name
      const { text } =
        markup`<div id="first" style="--f-accent:${accent}"><header>${sign}<bdi>${name}</bdi></header><main>${inside}</main></div>`
      return { html: text, lang }
    } catch (error) {
      // The page does without; its screen says what is wrong.
      log.warn({ err: error, screen: first.screen }, 'What stands first could not be drawn')
      return null
    }
  }
  return (screen: string, lang: Language, params: Drawing['params']): Promise<Drawn | null> => {
    const first = byScreen.get(screen)
    if (!first) return Promise.resolve(null)
    const key = JSON.stringify([screen, lang, params])
    const had = kept.get(key)
    if (had && had.until > Date.now()) return had.drawn
    // What stands in addresses is anybody's: no more is kept than screens have languages and kinds.
    if (kept.size > 100) kept.clear()
    const drawn = draw(first, lang, params)
    kept.set(key, { until: Date.now() + KEPT_MS, drawn })
    return drawn
  }
}

/**
 * The page with what stands first: its styles in the head, and those of the screen below, where they keep nothing above from
 * being shown.
 *
 * @param page the whole page
 * @param nonce of the styles
 */
export function withFirst(page: string, { html, lang }: Drawn, nonce: string): string {
  const sheets: string[] = []
  const light = page.replace(/<link rel="stylesheet"[^>]*>/g, (sheet) => {
    sheets.push(sheet)
    return ''
  })
  return light
    .replace(/<html [^>]*>/, `<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">`)
    .replace('</head>', () => `<style nonce="${nonce}">${stylesOfFirst()}</style></head>`)
    .replace('<div id="root"></div>', () => `${html}<div id="root"></div>${sheets.join('')}`)
}

/** The language that a browser asks for, or chose here before. */
export function languageAsked(headers: {
  readonly cookie?: string | undefined
  readonly 'accept-language'?: string | undefined
}): Language {
  const chosen = /(?:^|;\s*)language=(\w\w)(?:;|$)/.exec(headers.cookie ?? '')?.[1]
  const asked = (headers['accept-language'] ?? '').split(',').map((one) => one.trim().slice(0, 2))
  return [chosen, ...asked].flatMap((one) => LANGUAGES.filter((known) => known === one))[0] ?? 'en'
}
