import { z } from 'zod'
import { call, paperKinds, paperLanguage, series } from '#kit/contract/index.ts'

/** The certificate of a completed internship year, among the official papers of the student. */
export const internshipPapers = paperKinds({
  subject: 'student',
  kinds: {
    internship: {
      label: ['Certificate of the internship year', 'شهادة إتمام سنة الامتياز'],
      languages: ['ar', 'en'],
      series: series('internship', { per: 'year', format: 'IN-{period}-{n}' }),
      facts: {
        year: ['Internship year', 'سنة الامتياز'],
        completed: ['Completed on', 'تاريخ الإتمام'],
        weeks: ['Weeks', 'الأسابيع'],
      },
      disclosures: ['name', 'everything', 'nothing'],
    },
  },
})
export const internshipPaperCalls = {
  certificate: call('POST', '/emtyaz/certificate/{id}', {
    permission: 'issue_paper',
    summary: ['Issue the certificate of an internship year, and hand it out', 'إصدار شهادة إتمام سنة الامتياز وتسليمها'],
    body: z.strictObject({ lang: paperLanguage }),
    file: { name: 'Internship.pdf', type: 'pdf', fixed: true },
    example: { lang: 'ar' },
  }),
}
