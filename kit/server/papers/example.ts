import { papers, series } from '#kit/contract/index.ts'
import type { PdfRequest } from '#kit/server/documents/index.ts'
import { servePapers } from '#kit/server/papers/papers.ts'
import { sql } from 'kysely'

const [read, issue] = ['show_students', 'print_transcript'] as const
const letter = {
  label: ['Letter', 'خطاب'],
  languages: ['ar', 'en'],
  series: series('example_letter', { per: 'year', format: 'L-{period}-{n}' }),
  facts: { course: ['Course', 'المقرر'] },
  disclosures: ['name', 'everything'],
} as const
const letters = papers({
  subject: 'example',
  path: '/examples/{id}/papers',
  permissions: { list: read, open: read, issue, revoke: issue, hold: 'access_student' },
  kinds: { letter },
})
const holder = { name: 'Mona', name_local: 'منى' }
/** `compose` receives the serial number and the QR code that the template prints. */
export const letterHandlers = (compose: () => PdfRequest) =>
  servePapers(letters, {
    table: 'students',
    scope: () => sql`true`,
    kinds: { letter: async () => ({ holder, facts: { course: 'CS101' }, compose }) },
  })
