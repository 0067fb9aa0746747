import { expect, test } from 'vitest'
import { sampleBundle, sampleBytes } from '../sample.server.ts'
import { readBundle } from './bundle.server.ts'

test('parents in a circle of any length are told, and the program goes on meanwhile', async () => {
  const files = sampleBundle({ students: 5, courses: 2, load: 1 })
  const rows = Array.from(
    { length: 3000 },
    (_, n) => `ring-${n},active,,Ring ${n},department,,ring-${(n + 1) % 3000}\r\n`,
  )
  const circle = { ...files, orgs: files.orgs + rows.join('') }
  let ticks = 0
  const timer = setInterval(() => ticks++, 10)
  const { error_count, errors } = await readBundle({ files: sampleBytes(circle) })
  clearInterval(timer)
  expect(error_count).toBe(3000)
  expect(errors[0]).toMatchObject({
    file: 'orgs.csv',
    line: 5,
    column: 'parentSourcedId',
    code: 'roster_parent_circle',
  })
  expect(ticks).toBeGreaterThan(5)
})
test('what is no ZIP, and one that is broken, is refused by its code', async () => {
  await expect(readBundle({ zip: new TextEncoder().encode('not a zip') })).rejects.toMatchObject({
    status: 422,
    reasons: [{ code: 'bundle_not_readable' }],
  })
})
