import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtScreens } from '../apps/build/screens.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { callsOf, LANGUAGES } from '../kit/contract/index.ts'
import { calls } from '../kit/web/auth/calls.ts'
import { factorCalls } from '../kit/web/second-factor/calls.ts'
import { unheard } from '../kit/server/base/hears.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'

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
  it('hears everything that an area tells or asks', () => {
    const heard = AREA_SERVERS.flatMap(({ hears = [] }) => hears.map(({ what }) => what))
    expect(heard).toEqual(expect.arrayContaining(['offering.seats_appeared', 'student.status_decided', 'request.fee']))
    expect(unheard()).toEqual([])
  })
  it('has every outlet filled, by one area, whose browser side shows something there', async () => {
    const root = path.join(import.meta.dirname, '..')
    const declared = await Promise.all(
      globSync(['areas/**/outlets.contract.ts', 'kit/contract/home.ts'], { cwd: root }).map(async (file) =>
        Object.entries((await import(path.join(root, file))) as Record<string, { readonly name: string }>),
      ),
    )
    const outlets = declared.flat()
    expect(outlets.length).toBeGreaterThan(0)
    const filled = AREAS.flatMap((one) => one.fills.map((outlet) => [outlet.name, one.name] as const))
    expect(filled.map(([name]) => name).toSorted()).toEqual(outlets.map(([, { name }]) => name).toSorted())
    for (const [name, area] of filled) {
      const [exported] = outlets.find(([, one]) => one.name === name)!
      const web = globSync([`areas/**/${area}.web.tsx`, `areas/**/${area}.light.web.tsx`], { cwd: root })
        .map((file) => readFileSync(path.join(root, file), 'utf8'))
        .join('\n')
      expect(web, `${area} shows something in ${name}`).toMatch(new RegExp(`fill\\(\\s*${exported},`))
    }
  })
})
