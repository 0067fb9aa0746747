import { call, id, paperKinds, paperLanguage, series } from '#kit/contract/index.ts'
import { z } from 'zod'

/** The paper of a student's equivalences, among the official papers of the student. */
export const equivalencePapers = paperKinds({
  subject: 'student',
  kinds: {
    equivalence: {
      label: ['Equivalence of courses', 'معادلة المقررات'],
      languages: ['ar', 'en'],
      series: series('equivalence', { per: 'year', format: 'EQ-{period}-{n}' }),
      facts: {
        program: ['Program', 'البرنامج'],
        courses: ['Courses credited', 'عدد المقررات المحتسبة'],
        hours: ['Hours credited', 'الساعات المحتسبة'],
      },
      disclosures: ['name', 'everything', 'nothing'],
    },
  },
})

export const equivalencePaperCalls = {
  equivalencePaper: call('POST', '/students/equivalent_exportPDF', {
    permission: 'issue_paper',
    summary: [
      'Issue the paper of what the courses of a student were counted as, and hand it out',
      'إصدار وثيقة معادلة مقررات الطالب وتسليمها',
    ],
    body: z.strictObject({ student_id: id, lang: paperLanguage }),
    file: { name: 'Equivalent.pdf', type: 'pdf', fixed: true },
    example: { student_id: 1, lang: 'ar' },
  }),
}
