import { expect, test } from 'vitest'
import { openApi } from '#kit/server/http/openapi.ts'
import { AREAS } from '../apps/areas.contract.ts'

test('every reference of the description of the API leads somewhere in it', () => {
  const document = JSON.parse(JSON.stringify(openApi(AREAS, '1.0.0'))) as Record<string, unknown>
  const lost = new Set<string>()
  let found = 0
  const visit = (value: unknown): void => {
    if (!value || typeof value !== 'object') return
    const ref = (value as { $ref?: unknown }).$ref
    if (typeof ref === 'string') {
      found++
      let at: unknown = document
      for (const part of ref.replace(/^#\//, '').split('/')) at = (at as Record<string, unknown> | undefined)?.[part]
      if (!ref.startsWith('#/') || at === undefined) lost.add(ref)
    }
    Object.values(value).forEach(visit)
  }
  visit(document)
  expect([...lost]).toEqual([])
  // Trees and expressions refer to themselves; refusals to their one shape.
  expect(found).toBeGreaterThan(100)
})

test('an id in a path is told for what it is: the calls of a day of exams take entries of the exam schedule', () => {
  const { paths } = JSON.parse(JSON.stringify(openApi(AREAS, '1.0.0'))) as {
    paths: Record<string, Record<string, { summary: string }>>
  }
  for (const path of ['/exam-schedules/absences/{id}', '/exam-schedules/investigations/{id}']) {
    const { summary } = paths[`/api${path}`]?.put ?? paths[path]!.put!
    expect(summary, path).toContain('an entry of the exam schedule (id)')
    expect(summary, path).not.toContain('offering')
  }
})
