import { expect, test } from 'vitest'
import { openApi } from '#kit/server/http/openapi.ts'
import { AREAS } from '../apps/areas.contract.ts'

/** Levels that are no levels of study: those of a language, as placement tests have them, and of learning outcomes. */
const OTHER = /placement|quality/

test('a level of study is chosen from 0, wherever one is: a bylaw may begin with a preparatory level', () => {
  const document = JSON.parse(JSON.stringify(openApi(AREAS, '1.0.0'))) as Record<string, unknown>
  const narrow: string[] = []
  let found = 0
  const visit = (value: unknown, at: string): void => {
    if (!value || typeof value !== 'object') return
    if (OTHER.test(at)) return
    for (const [key, child] of Object.entries(value)) {
      const schemas = [child, ...((child as { anyOf?: unknown[] } | null)?.anyOf ?? [])] as {
        type?: string
        minimum?: number
      }[]
      if (key === 'level')
        for (const one of schemas)
          if (one?.type === 'integer') {
            found++
            if ((one.minimum ?? 0) > 0) narrow.push(`${at}/level from ${one.minimum}`)
          }
      visit(child, `${at}/${key}`)
    }
  }
  visit(document, '')
  expect(narrow).toEqual([])
  expect(found).toBeGreaterThan(10)
})
