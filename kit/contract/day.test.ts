import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from './day.ts'

const root = path.join(import.meta.dirname, '../..')

describe('days of instants', () => {
  const zone = process.env.TZ
  beforeAll(() => {
    process.env.TZ = 'Africa/Cairo'
  })
  afterAll(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  it('are those of the place, not of UTC', () => {
    // Midnight in Cairo is the evening before in UTC.
    expect(dayOf('2026-09-19T22:00:00.000Z')).toBe('2026-09-20')
    expect(dayOf(new Date('2026-01-05T21:59:00Z'))).toBe('2026-01-05')
  })
  /** What is cut there is no instant of the database: days by arithmetic in UTC, cells of sheets, endings of files. */
  const DAYS_OR_TEXTS = new Set([
    'areas/people/access-and-people/second-factor/totp.server.ts',
    'areas/enrolment/attendance/meetings/import.server.ts',
    'kit/contract/day.ts',
    'kit/server/base/fields.ts',
    'kit/server/files/files.ts',
    'kit/server/sheets/sheet.worker.ts',
    'areas/office/oneroster/bundle/rows.rules.ts',
    'areas/records/students/student/person.rules.ts',
  ])
  it('are never made by cutting the text of an instant', () => {
    const CUT = /\.(?:slice|substring|substr)\(0, ?10\)|\.split\('T'\)/
    const found = globSync('{kit,areas,access}/**/*.{ts,tsx}', { cwd: root })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => !file.endsWith('.test.ts') && !DAYS_OR_TEXTS.has(file))
      .flatMap((file) =>
        readFileSync(path.join(root, file), 'utf8')
          .split('\n')
          .flatMap((line, i) => (CUT.test(line) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
      )
    expect(found).toEqual([])
  })
  it('are asked of the university, in whose calendar today begins at its own midnight', () => {
    // Comments, and what leaves a day of grace to whichever calendar the session has.
    const SPOKEN = /^\s*--.*|current_date \+ 1\)/
    const SESSION = /\bcurrent_date\b|\bnow\(\)::date|\blocaltimestamp\b/i
    const found = globSync('{kit,areas,access,apps,bench,tests,db/migrations,db/functions}/**/*.{ts,tsx,sql}', {
      cwd: root,
    })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => file !== 'kit/contract/day.test.ts')
      .flatMap((file) =>
        readFileSync(path.join(root, file), 'utf8')
          .split('\n')
          .flatMap((line, i) => (SESSION.test(line.replace(SPOKEN, '')) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
      )
    expect(found).toEqual([])
  })
})
