import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { openApi } from '#kit/server/http/openapi.ts'
import { AREAS } from '../apps/areas.contract.ts'

const DESCRIPTION = JSON.parse(JSON.stringify(openApi(AREAS, '1.0.0'))) as Record<string, unknown>

test('every reference of the description of the API leads somewhere in it', () => {
  const document = structuredClone(DESCRIPTION) as Record<string, unknown>
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
  const { paths } = structuredClone(DESCRIPTION) as {
    paths: Record<string, Record<string, { summary: string }>>
  }
  for (const path of ['/exam-schedules/absences/{id}', '/exam-schedules/investigations/{id}']) {
    const { summary } = paths[`/api${path}`]?.put ?? paths[path]!.put!
    expect(summary, path).toContain('an entry of the exam schedule (id)')
    expect(summary, path).not.toContain('offering')
  }
})

/**
 * Paths are the documents': `/banks/restore/{id}` and `/banks/{id}/history` stand beside each other. Literal segments win over
 * parameters and ids are numbers, so each path leads to its own call, as `every-call.test.ts` tries.
 */
const NOT_OURS = ['no-ambiguous-paths']

test('a public linter has nothing to say: its recommended rules', { timeout: 300_000 }, async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: Object.fromEntries(NOT_OURS.map((rule) => [rule, 'off' as const])),
  })
  const lint = async (document: unknown) =>
    (await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config })).map(
      ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`,
    )
  const document = DESCRIPTION
  expect(await lint(document)).toEqual([])
  // It has looked: what is spoilt is found.
  const { paths } = document as { paths: Record<string, Record<string, { operationId: string; summary?: string }>> }
  const { put: _put, ...rest } = paths['/years/{id}'] ?? {}
  const spoilt = { ...document, paths: { '/years/{id}': rest, '/years/{other}': rest } }
  expect((await lint(spoilt)).join()).toContain('no-identical-paths')
})

test('calls whose paths differ only in which part is the choice are described for each choice', () => {
  const { paths } = DESCRIPTION as { paths: Record<string, unknown> }
  const names = Object.keys(paths).filter((path) => path.startsWith('/exam-deliveries/'))
  expect(names.some((path) => /^\/exam-deliveries\/[a-z_-]+\/\{id\}$/.test(path))).toBe(true)
  expect(names.some((path) => /^\/exam-deliveries\/\{id\}\/[a-z_-]+$/.test(path))).toBe(true)
})
