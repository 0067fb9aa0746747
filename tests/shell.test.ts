import { describe, expect, it } from 'vitest'
import { builtScreens } from '../apps/build/screens.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { callsOf, LANGUAGES } from '../kit/contract/index.ts'
import { calls } from '../kit/web/auth/calls.ts'
import { factorCalls } from '../kit/web/second-factor/calls.ts'

describe('the shell and what it relies on', () => {
  it('sends only calls that an area declares', () => {
    const declared = new Set(AREAS.flatMap((a) => callsOf(a).map((c) => `${c.method} ${c.path}`)))
    expect(
      Object.values({ ...calls, ...factorCalls })
        .map((c) => `${c.method} ${c.path}`)
        .filter((c) => !declared.has(c)),
    ).toEqual([])
  })
  it('knows every screen: one per path, parents that exist, titles in every language', () => {
    const { screens, titles } = builtScreens()
    const paths = screens.map((s) => s.path as string)
    expect(paths.filter((p, i) => paths.indexOf(p) !== i)).toEqual([])
    expect(screens.filter((s) => s.parent && !paths.includes(s.parent as string)).map((s) => s.path)).toEqual([])
    for (const l of LANGUAGES) expect(titles[l]!.filter((t) => !t)).toEqual([])
  })
})
