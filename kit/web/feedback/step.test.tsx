import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { ApiError } from '../api/error.ts'
import { liveStore } from '../auth/me.ts'
import { loadTexts } from '../i18n/catalogue.ts'
import { LANGUAGES, languageStore } from '../i18n/language.ts'
import { SCREENS, loadTitles, screenOpenedBy, titleOf } from '../router/screens.ts'
import { Problems } from './problems.tsx'
import { stepOf } from './step.tsx'

/** Somebody with these rights is signed in. */
const reader = (...permissions: PermissionKey[]) =>
  liveStore.set({ permissions, user: { student_id: null, instructor_id: null } } as never)
const owned = (link?: string) => ({
  field: null,
  code: 'state_owned',
  en: 'CS101: only the decision on a proposed ban for absence makes it Banned, or takes that back.',
  ar: 'CS101: لا تُحدَّد حالة «محروم» ولا تُلغى إلا عن طريق القرار.',
  data: { what: 'CS101', ...(link && { link }) },
})
const shown = (...errors: ReturnType<typeof owned>[]): string =>
  renderToStaticMarkup(
    <MemoryRouter>
      <Problems error={new ApiError(409, { message: 'state_owned', errors })} />
    </MemoryRouter>,
  )
const linksOf = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)/g)].map((m) => [m[1], m[2]])

beforeAll(() => Promise.all(LANGUAGES.flatMap((l) => [loadTexts('kit', l), loadTitles(l)])))

describe('the step that unblocks a refusal', () => {
  it('is a link to the screen that the reason names, in the reader’s language', () => {
    reader('access_attendance')
    const screen = screenOpenedBy('/absences')!
    for (const l of LANGUAGES) {
      languageStore.set(l)
      expect(titleOf(screen, l)).not.toBe(screen.path)
      const [first = [], ...more] = linksOf(shown(owned('/absences')))
      const [to, text] = first
      expect([to, more]).toEqual(['/absences', []])
      expect(text!.replaceAll(/[\u2068\u2069]/g, '')).toContain(titleOf(screen, l))
    }
    languageStore.set('en')
  })
  it('is not shown to a reader who may not open the screen, nor where there is none', () => {
    reader('access_registration')
    expect(linksOf(shown(owned('/absences')))).toEqual([])
    reader('access_attendance')
    for (const link of [undefined, '/nowhere', 'https://elsewhere.example', '/absences/7'])
      expect(linksOf(shown(owned(link)))).toEqual([])
    liveStore.set(null)
    expect(stepOf(owned('/absences'))).toBeNull()
  })
  it('stands with each reason of several', () => {
    reader('access_attendance', 'access_registration')
    expect(linksOf(shown(owned('/absences'), owned(), owned('/registrations'))).map(([to]) => to)).toEqual([
      '/absences',
      '/registrations',
    ])
  })
  it('is known of each screen that opens by its address alone', () => {
    const alone = SCREENS.filter(({ path }) => !/:\w+(?![?\w])/.test(path))
    expect(alone.length).toBeGreaterThan(100)
    for (const screen of alone) expect(screenOpenedBy(screen.path.replace(/\/:\w+\?/g, ''))).toBe(screen)
  })
})
